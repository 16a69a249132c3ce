// SPDX-License-Identifier: Apache-2.0
// VS Code in a browser without a screen, as a person uses it: keys, clicks, and what is to be seen.
import { join } from "node:path";

export class Editor {
  /** `pictures`: the folder that screenshots go to. */
  constructor(page, pictures) {
    Object.assign(this, { page, pictures, complaints: [] });
    page.on("console", (message) => {
      // The page of the ranking view lets in nothing but its own files.
      if (/Content Security Policy/.test(message.text()) && /ranking/.test(message.text() + message.location().url)) this.complaints.push(message.text());
    });
  }
  async open(address) {
    await this.page.goto(address);
    await this.page.locator(".monaco-workbench .part.editor").waitFor();
    // Keys that are pressed before that are lost.
    await this.page.locator(".statusbar-item").first().waitFor();
  }
  /**
   * Does `act` until `seen` is there. What a user does is lost where lines move at that moment (a lens comes, findings change) or the machine is slow;
   * a person does it again then. `act` has to be harmless where it is done twice.
   */
  async until(seen, act) {
    for (let milliseconds = 3000; ; milliseconds *= 1.5) {
      const problem = await act().then(() => seen.waitFor({ timeout: milliseconds })).then(() => null, (thrown) => thrown);
      if (!problem || (await seen.isVisible())) return;
      if (milliseconds > 30_000) throw problem;
    }
  }
  /** Points at the `target`, from elsewhere, until `seen` is there. */
  async hover(target, seen) {
    await this.until(seen, async () => {
      await this.page.mouse.move(0, 0);
      await target.hover({ timeout: 10_000 });
    });
  }
  async picture(name) {
    await this.page.screenshot({ path: join(this.pictures, `${name}.png`) });
  }
  async openFile(name) {
    await this.until(this.tab(name, ".active"), async () => {
      await this.ask("Control+P", name);
      await this.row(name).waitFor({ timeout: 10_000 });
      await this.page.keyboard.press("Enter");
    });
    await this.page.locator(".editor-group-container.active .view-line", { hasText: /\S/ }).first().waitFor();
  }
  tab(name, more = "") {
    return this.page.locator(`.tab[data-resource-name="${name}"]${more}`);
  }
  /** Opens the box that the `key` opens, and writes into it. */
  async ask(key, words) {
    const box = this.page.locator(".quick-input-widget input");
    await this.until(box, () => this.page.keyboard.press(key));
    await box.fill(words);
  }
  /** The first row of that box's list with these words. */
  row(words) {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: words }).first();
  }
  /** `choice`: the row of the list in which the command asks something. */
  async command(title, choice) {
    await this.until(this.row(title), () => this.ask("F1", `>${title}`));
    await this.page.keyboard.press("Enter");
    if (choice) await this.page.locator(".quick-input-list .monaco-list-row", { hasText: choice }).click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }
  /** The cursor, in lines and columns from 1. */
  async goTo(line, column) {
    await this.ask("Control+G", `:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }
  status() {
    return this.page.locator('.statusbar-item[id*="komuz.status"]');
  }
  /** The page of the ranking view, which `show` opens. */
  async ranking(show) {
    for (let milliseconds = 5000; milliseconds < 60_000; milliseconds *= 2) {
      await show().catch(() => {});
      for (const end = performance.now() + milliseconds; performance.now() < end; await this.page.waitForTimeout(50))
        for (const frame of this.page.frames()) if (await frame.locator("#scroll #rows").count().catch(() => 0)) return frame;
    }
    throw new Error("the ranking view did not appear");
  }
}

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
  async picture(name) {
    await this.page.screenshot({ path: join(this.pictures, `${name}.png`) });
  }
  async openFile(name) {
    await this.page.keyboard.press("Control+P");
    await this.page.locator(".quick-input-widget input").fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.tab(name, ".active").waitFor();
    await this.page.locator(".editor-group-container.active .view-line", { hasText: /\S/ }).first().waitFor();
  }
  tab(name, more = "") {
    return this.page.locator(`.tab[data-resource-name="${name}"]${more}`);
  }
  /** `choice`: the row of the list in which the command asks something. */
  async command(title, choice) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
    if (choice) await this.page.locator(".quick-input-list .monaco-list-row", { hasText: choice }).click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }
  /** The cursor, in lines and columns from 1. */
  async goTo(line, column) {
    await this.page.keyboard.press("Control+G");
    await this.page.locator(".quick-input-widget input").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }
  status() {
    return this.page.locator('.statusbar-item[id*="komuz.status"]');
  }
  /** The page of the ranking view. */
  async ranking() {
    for (const end = performance.now() + 60_000; performance.now() < end; await this.page.waitForTimeout(50))
      for (const frame of this.page.frames()) if (await frame.locator("#scroll #rows").count().catch(() => 0)) return frame;
    throw new Error("the ranking view did not appear");
  }
}

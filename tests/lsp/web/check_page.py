#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the page of `komuz lsp --page` a playground? In a browser without a screen: a sketch is typed, squiggled, hovered over, ranked and filled.

    check_page.py KOMUZ CHROMEDRIVER CHROMIUM [--pictures FOLDER]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).parent
sys.path[:0] = [str(FOLDER.parent.parent / "services" / "pages"), str(FOLDER.parent / "clients")]

import client_uses  # noqa: E402
from check_report_in_browser import CONTRAST, LEAST_CONTRAST, OUTSIDE, Checks  # noqa: E402
from web_client import Server  # noqa: E402
from webdriver import Browser  # noqa: E402

SECONDS = 120
CONTROL, ESCAPE, ARROW_DOWN, ENTER, F6, SHIFT, ALT, NULL = "\ue009", "\ue00c", "\ue015", "\ue007", "\ue036", "\ue008", "\ue00a", "\ue000"
EXAMPLES = FOLDER.parent.parent.parent / "examples" / "sketches"
CONTENT = "#editor .cm-content"

TEXT = """return Array.from(document.querySelectorAll("#editor .cm-line"), (line) => {
  const copy = line.cloneNode(true);
  for (const hint of copy.querySelectorAll(".hint")) hint.remove();
  return copy.textContent;
}).join("\\n");"""
ROWS = """return Array.from(document.querySelectorAll("#rows tr"), (row) => Array.from(row.cells, (cell) => cell.textContent));"""
# The middle of the first piece of text, in pixels.
MIDDLE = """
const walker = document.createTreeWalker(document.querySelector("#editor .cm-content"), NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const at = node.data.indexOf(arguments[0]);
  if (at < 0) continue;
  const range = document.createRange();
  range.setStart(node, at);
  range.setEnd(node, at + arguments[0].length);
  const box = range.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
return null;"""
# All that the page has said of its ranking, from the beginning on.
STATES = """window.states = [];
addEventListener("DOMContentLoaded", () => {
  const state = document.querySelector("#ranking-state");
  new MutationObserver(() => window.states.push(state.textContent)).observe(state, {childList: true});
});"""
VIOLATIONS = """window.violations = [];
addEventListener("securitypolicyviolation", (one) => window.violations.push([one.effectiveDirective, one.lineNumber, one.columnNumber, one.target.outerHTML?.slice(0, 300)]));"""
ELSEWHERE = """return performance.getEntries().map((one) => one.name).filter((name) => /^[a-z]+:/.test(name) && !name.startsWith(location.origin + "/"));"""


class Page:
    def __init__(self, browser, server, pictures):
        self.browser, self.server, self.pictures = browser, server, pictures
        self.checks = Checks()

    def wait(self, what, script, *arguments):
        """What the script returns, as soon as it is something."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            found = self.browser.run(script, *arguments)
            if found:
                return found
            time.sleep(0.02)
        if self.pictures:
            self.picture("failed")
        raise SystemExit(f"waited for: {what}\nconsole: {self.browser.messages()}\nforbidden: {self.browser.run('return window.violations;')}\ntext: {self.text()}")

    def one(self, selector):
        return self.browser.elements(selector)[0]

    def text(self):
        return self.browser.run(TEXT)

    def keys(self, *keys):
        """To whatever has the focus; a list is a chord."""
        actions = []
        for key in keys:
            chord = key if isinstance(key, list) else [key]
            actions += [{"type": "keyDown", "value": one} for one in chord] + [{"type": "keyUp", "value": one} for one in reversed(chord)]
        self.browser.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def write(self, text):
        """In the place of the whole sketch, as from a clipboard."""
        self.browser.click(self.one(CONTENT))
        self.keys([CONTROL, "a"])
        self.browser.devtools("Input.insertText", text=text)

    def hover(self, piece):
        x, y = self.browser.run(MIDDLE, piece)
        self.browser.devtools("Input.dispatchMouseEvent", type="mouseMoved", x=x - 3, y=y)
        self.browser.devtools("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, name):
        if not self.pictures:
            return
        import base64
        data = self.browser.call("GET", "/screenshot")
        (pathlib.Path(self.pictures) / f"{name}.png").write_bytes(base64.b64decode(data))

    def best(self, variants):
        """Waits for the ranking of a sketch with so many variants."""
        self.wait(f"the ranking of {variants} variants", """return document.querySelector("#ranking").dataset.state === "done" &&
            document.querySelector("#ranking-state").textContent.startsWith(arguments[0] + " variants") &&
            document.querySelectorAll("#rows tr").length > 0;""", variants)
        return self.browser.run(ROWS)




def check_squiggle_hover_and_fix(page):
    page.write("pub fn half(x: f64) -> f64 {\n    let y = sqr(x) + 1.0;\n    y\n}\n")
    page.wait("a squiggle", """return document.querySelector(".cm-lintRange-error")?.textContent;""")
    page.hover("sqr")
    said = page.wait("what is wrong", """return document.querySelector(".cm-tooltip-lint .finding")?.textContent;""")
    page.checks.holds("the finding says what is wrong", "there is no function `sqr`" in said and "K0202" in said, said)
    page.picture("squiggle")
    button = page.wait("the fix", """return document.querySelector(".cm-tooltip-lint .cm-diagnosticAction")?.textContent;""")
    page.browser.click(page.one(".cm-tooltip-lint .cm-diagnosticAction"))
    page.wait("the mended text", """return document.querySelector("#editor .cm-content").textContent.includes("(x * x) + 1.0");""")
    page.wait("no squiggle", """return document.querySelector(".cm-lintRange-error") === null;""")
    page.checks.holds("the fix has words", len(button) > 5, button)
    page.hover("half")
    hover = page.wait("a hover", """return document.querySelector(".cm-tooltip-hover .cm-lsp-hover-tooltip, .cm-tooltip-hover .cm-lsp-documentation")?.textContent;""")
    page.checks.holds("the hover shows the signature", "half(x: f64) -> f64" in hover, hover)


def check_completion_and_keys(page):
    page.write("pub fn f(x: f64) -> f64 {\n    \n}\n")
    # To the middle line.
    page.keys([CONTROL, "\ue011"], ARROW_DOWN, "\ue010")
    page.keys(*"sqr")
    page.wait("completions", """return Array.from(document.querySelectorAll(".cm-tooltip-autocomplete li"), (one) => one.textContent).some((one) => one.startsWith("sqrt"));""")
    page.keys(ESCAPE, *"t(x)")
    page.wait("the typed line", """return document.querySelector("#editor .cm-content").textContent.includes("sqrt(x)");""")
    page.keys([CONTROL, "a"])
    page.browser.devtools("Input.insertText", text="pub fn f( x:f64 )->f64{x}\n")
    page.keys([SHIFT, ALT, "f"])
    page.wait("the formatted text", """return document.querySelector("#editor .cm-content").textContent.includes("pub fn f(x: f64) -> f64 { x }");""")


def check_hostile_comment(page):
    page.write("/// <img src=x onerror=\"document.title='bad'\"> <script>document.title='bad'</script> [a](javascript:alert(1)) *kept*\npub fn odd() -> f64 { 1.0 }\n")
    page.hover("odd")
    html = page.wait("a hover", """return document.querySelector(".cm-tooltip-hover")?.innerHTML.includes("kept") && document.querySelector(".cm-tooltip-hover").innerHTML;""")
    page.checks.holds("a comment is text", not page.browser.elements(".cm-tooltip-hover :is(img, script, [onerror], [href^=javascript])"), html)
    page.checks.holds("… that can be read", "&lt;img src=x onerror=" in html, html)
    page.checks.holds("… with its marks", page.browser.elements(".cm-tooltip-hover em"), html)
    page.checks.equal("the title", page.browser.run("return document.title"), "Komuz")


def check_looks(page):
    for scheme in ("light", "dark"):
        page.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.checks.equal(f"text that is hard to read in {scheme}", page.browser.run(CONTRAST, LEAST_CONTRAST), [])
        page.checks.equal(f"texts that leave their charts in {scheme}", page.browser.run(OUTSIDE), [])
        page.picture(scheme)
    for width in (360, 768, 1280):
        page.browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        content, room = page.browser.run("const root = document.documentElement; return [root.scrollWidth, root.clientWidth]")
        page.checks.holds(f"it fits {width} pixels", content <= room <= width, (content, room))


def check_ranking(page, komuz):
    sketch = "//! cases: periods.csv\n//! score: squared\n" + (EXAMPLES / "formula.komuz").read_text(encoding="utf-8")
    rows = page.best("1,251")
    page.checks.equal("the best variant", rows[0][:2], ["1", "#72"])
    page.checks.holds("its score", rows[0][2].startswith("0.000767"), rows[0])
    states = page.browser.run("return window.states;")
    page.checks.holds("numbers that are not known yet are left out", states and not any("undefined" in state for state in states), states)
    page.wait("charts", """return document.querySelectorAll("#charts svg").length === 2;""")
    page.wait("the program of the best", """return document.querySelector("#chosen-program").textContent.includes("0.0625");""")
    page.wait("a hint at a hole", """return document.querySelector("#editor .hint")?.textContent;""")
    check_looks(page)
    # An edit: one alternative less.
    page.write(sketch.replace("TAU * sqrt(l / 9.81), ", ""))
    rows = page.best("834")
    page.checks.holds("another one is best", rows[0][2] != "0.000767738", rows[0])
    page.keys([CONTROL, "z"])
    rows = page.best("1,251")
    page.checks.equal("the best variant again", rows[0][1], "#72")
    # By keys: the second row, its program, into the sketch.
    page.keys(F6, ARROW_DOWN)
    page.wait("the program of the second", "return document.querySelector('#chosen-title').textContent.includes(arguments[0]);", rows[1][1])
    filled = subprocess.run([komuz, "fill", str(EXAMPLES / "formula.komuz"), rows[1][1]], capture_output=True, text=True, check=True).stdout
    page.wait("its text", "return document.querySelector('#chosen-program').textContent.trimEnd().endsWith(arguments[0]);", filled.rstrip())
    page.keys(ENTER)
    page.wait("the filled sketch", "return !document.querySelector('#editor .cm-content').textContent.includes('?shape');")
    page.checks.holds("the sketch is filled as `komuz fill` does", page.text().rstrip().endswith(filled.rstrip()), page.text())
    page.keys([CONTROL, "z"])
    page.best("1,251")
    # Cases that are wrong, in the words of the server.
    page.browser.run("""const cases = document.querySelector("#cases-text"); cases.value = "l,a,expected\\n1.0,x,2.0\\n"; cases.dispatchEvent(new Event("input"));""")
    said = page.wait("what is wrong with the cases", "return !document.querySelector('#ranking-problem').hidden && document.querySelector('#ranking-problem').textContent;")
    page.checks.holds("the row is named", "2" in said, said)


def score_of(komuz, program):
    with tempfile.NamedTemporaryFile("w", suffix=".komuz", encoding="utf-8") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([komuz, "eval", file.name, "--cases", str(EXAMPLES / "periods.csv"), "--score", "squared", "--json", "-"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)["results"][0]["score"]


def check_search(page, komuz):
    """A sketch of more variants than are ranked: a search is stopped by its own button, and another one fills the sketch."""
    numbers = "?(0.0..8.0, steps: 1000)"
    sketch = f"//! cases: periods.csv\n//! score: squared\npub fn period(l: f64, a: f64) -> f64 {{ {numbers} * sqrt0(l) + {numbers} * a + {numbers} }}\n"
    page.write(sketch)
    best = float(page.best("1,000,000,000")[0][2])
    button = """return document.querySelector("#search").textContent;"""
    name = page.browser.run(button)
    page.browser.click(page.one("#search"))
    said = page.wait("the progress of the search", """const said = document.querySelector("#connection").textContent; return said.includes("search for better variants") && said;""")
    page.checks.equal("the button while it runs", page.browser.run(button), "Stop searching")
    page.browser.click(page.one("#search"))
    page.wait("the end of the search", f"{button[:-1]} === arguments[0];", name)
    page.checks.equal("the text behind a search that was stopped", page.text().rstrip(), sketch.rstrip())
    page.checks.holds("it says what it does", "sketch" in said or ".komuz" in said, said)
    page.browser.click(page.one("#search"))
    page.wait("the sketch that a search has filled", """return !document.querySelector("#editor .cm-content").textContent.includes("?(");""")
    page.wait("the button again", f"{button[:-1]} === arguments[0];", name)
    page.checks.holds("what was found is a program", "* sqrt0(l) +" in page.text(), page.text())
    score = score_of(komuz, page.text())
    page.checks.holds("it is no worse than the best of the sample", score <= best, (score, best))
    page.keys([CONTROL, "z"])
    page.wait("the sketch again", """return document.querySelector("#editor .cm-content").textContent.includes("?(");""")


def check_examples(page):
    for title, variants, best in (("The mass of a fast body", "1,176", "#87"), ("A rule on lists", "300", "#33"), ("The period of a pendulum", "1,251", "#72")):
        page.browser.run("""const list = document.querySelector("#examples");
            list.selectedIndex = Array.from(list.options).findIndex((one) => one.text === arguments[0]);
            list.dispatchEvent(new Event("change"));""", title)
        page.checks.equal(f"the best of {title}", page.best(variants)[0][1], best)


def check_reload_and_end(page):
    page.write("pub fn kept() -> f64 { 1.0 }\n")
    page.browser.call("POST", "/refresh", {})
    page.wait("the text after loading again", "return document.querySelector('#editor .cm-content')?.textContent.includes('kept');")
    page.checks.equal("what came from elsewhere", page.browser.run(ELSEWHERE), [])
    page.checks.equal("messages of the console", page.browser.messages(), [])
    page.checks.equal("what the policy forbade", page.browser.run("return window.violations;"), [])
    page.server.process.kill()
    page.server.process.wait()
    page.wait("words about the end", "return document.querySelector('#connection').textContent.includes('start `komuz lsp --page` again');")
    page.checks.holds("the text is still there", "kept" in page.text())


def main():
    komuz, driver, chromium = (os.path.abspath(path) for path in sys.argv[1:4])
    pictures = sys.argv[5] if sys.argv[4:5] == ["--pictures"] else None
    with tempfile.TemporaryDirectory() as folder, Server(komuz, "--page", "--record", os.path.join(folder, "server.record")) as server, \
            Browser(driver, chromium) as browser:
        page = Page(browser, server, pictures)
        browser.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=860, deviceScaleFactor=1, mobile=False)
        # What the policy forbids is in the console, without its place.
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=VIOLATIONS + STATES)
        browser.call("POST", "/url", {"url": server.address})
        page.wait("the example", "return document.querySelector('#editor .cm-content')?.textContent.includes('period');")
        page.wait("the server's answer", "return document.querySelector('#ranking').dataset.state;")
        browser.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=860, deviceScaleFactor=1, mobile=False)
        check_ranking(page, komuz)
        check_examples(page)
        check_search(page, komuz)
        browser.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=860, deviceScaleFactor=1, mobile=False)
        check_squiggle_hover_and_fix(page)
        check_completion_and_keys(page)
        check_hostile_comment(page)
        check_reload_and_end(page)
        client_uses.keep("the page", "page", client_uses.records_in(folder))
    for failure in page.checks.failed:
        print(failure)
    print(f"{page.checks.done} checks, {len(page.checks.failed)} failed")
    sys.exit(1 if page.checks.failed else 0)


if __name__ == "__main__":
    main()

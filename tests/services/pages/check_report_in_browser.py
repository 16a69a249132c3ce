#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the report page work in a browser?

  check_report_in_browser.py WRITE_REPORT_SAMPLES CHROMEDRIVER CHROMIUM

Sorting by click and by key, the filter, the console, what fits a phone, contrast in light and dark, and the page without JavaScript."""

import pathlib
import subprocess
import sys
import tempfile

from webdriver import ENTER, Browser

PHONE = 360  # pixels
LEAST_CONTRAST = 4.5  # WCAG 2, level AA

# By rows that are shown: the column's value as a number, null where there is none, or its text.
COLUMN = """
const column = arguments[0];
return Array.from(document.querySelectorAll("#ranking tbody tr:not([hidden])"), (row) => {
  const cell = row.cells[column];
  if (!cell.classList.contains("number")) return cell.textContent;
  const value = cell.dataset.value;
  return value === "" ? null : value.endsWith("Infinity") ? (value[0] === "-" ? -1e308 : 1e308) : Number(value);
});"""

# [what, ratio] of text that stands out too little.
CONTRAST = """
const channels = (color) => color.match(/[\\d.]+/g).map(Number);
const luminance = (color) => {
  const linear = channels(color).slice(0, 3).map((c) => c / 255).map(
      (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
};
const behind = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if (channels(color)[3] !== 0) return color;
  }
  return "rgb(255, 255, 255)";
};
const found = [];
for (const element of document.body.querySelectorAll("*")) {
  const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim() !== "");
  if (!own || !element.checkVisibility() || ["STYLE", "SCRIPT", "style", "title", "desc"].includes(element.tagName)) continue;
  const style = getComputedStyle(element);
  const a = luminance(element instanceof SVGElement ? style.fill : style.color), b = luminance(behind(element));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < arguments[0]) found.push([element.tagName + "." + element.getAttribute("class"), ratio]);
}
return found.slice(0, 5);"""


# Texts of charts that leave the paper.
OUTSIDE = """
return Array.from(document.querySelectorAll("svg text")).filter((text) => {
  const box = text.getBBox(), paper = text.ownerSVGElement.viewBox.baseVal;
  return box.x < -1 || box.y < -1 || box.x + box.width > paper.width + 1 || box.y + box.height > paper.height + 1;
}).map((text) => text.textContent);"""


class Checks:
    def __init__(self):
        self.done = 0
        self.failed = []

    def holds(self, what, value, found=""):
        self.done += 1
        if not value:
            self.failed.append(f"{what} {found}".strip())

    def equal(self, what, found, wanted):
        self.holds(what, found == wanted, f"found {found!r}, expected {wanted!r}")


def is_sorted(values, descending):
    """With what has no value last."""
    numbers = [value for value in values if value is not None]
    return values[:len(numbers)] == sorted(numbers, reverse=descending)


def head(browser, name):
    """The column of a name, and its button."""
    buttons = browser.elements("#ranking thead button")
    names = browser.run('return Array.from(document.querySelectorAll("#ranking thead th"), (th) => th.textContent)')
    return names.index(name), buttons[names.index(name)]


def check_sorting(browser, checks):
    for name in ("fuel", "bytes", "passed", "squared error", "rank"):
        column, button = head(browser, name)
        before = browser.run(COLUMN, column)
        for direction in ("ascending", "descending"):
            if name == "bytes":
                browser.type(button, ENTER)
            else:
                browser.click(button)
            values = browser.run(COLUMN, column)
            checks.holds(f"{name} {direction}", is_sorted(values, direction == "descending"), values[:8])
            checks.holds(f"{name} keeps its rows", sorted(map(str, values)) == sorted(map(str, before)))
            marks = browser.run('return Array.from(document.querySelectorAll("#ranking [aria-sort]"), '
                                '(th) => [th.cellIndex, th.getAttribute("aria-sort")])')
            checks.equal(f"what is said to be sorted by {name}", marks, [[column, direction]])
        checks.holds(f"{name} differs", len(set(map(str, before))) > 1)
    column, button = head(browser, "id")
    browser.click(button)
    values = browser.run(COLUMN, column)
    checks.equal("ids", values, sorted(values))


def check_filter(browser, checks):
    status = 2
    all_rows = browser.run(COLUMN, status)
    wanted = [text for text in all_rows if "compile" in text]
    field = browser.elements("#ranking input")[0]
    browser.type(field, "Compile")
    checks.equal("rows that match", browser.run(COLUMN, status), wanted)
    checks.holds("some match", 0 < len(wanted) < len(all_rows))
    count = browser.run('return document.querySelector("#ranking [role=status]").textContent')
    checks.equal("what is said of them", count, f"{len(wanted)} of these rows match")
    browser.type(field, ENTER)  # does not leave the page
    browser.type(field, "\ue003" * len("compile"))
    checks.equal("rows without a filter", len(browser.run(COLUMN, status)), len(all_rows))


def check_every_page(browser, checks, path):
    browser.open(path)
    checks.equal(f"messages of {path.name}", browser.messages(), [])
    checks.equal(f"texts of {path.name} that leave their charts", browser.run(OUTSIDE), [])
    for width in (PHONE, 768, 1280):
        browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        content, room = browser.run("const root = document.documentElement; return [root.scrollWidth, root.clientWidth]")
        checks.holds(f"{path.name} fits {width} pixels", content <= room <= width, (content, room))
    for scheme in ("light", "dark"):
        browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        checks.equal(f"text of {path.name} that is hard to read in {scheme}", browser.run(CONTRAST, LEAST_CONTRAST), [])
    paper = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
    checks.holds("the dark paper is dark", sum(map(int, paper[4:-1].split(","))) < 150, paper)


def check_without_script(browser, checks, path):
    browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path)
    browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
    ranks = browser.run(COLUMN, 0)
    checks.holds("without JavaScript there are rows by rank", len(ranks) > 100 and is_sorted(ranks, False), ranks[:8])
    checks.equal("what does nothing without JavaScript", browser.elements("button, input"), [])


def main():
    write_samples, driver, chromium = sys.argv[1:]
    checks = Checks()
    with tempfile.TemporaryDirectory() as name, Browser(driver, chromium) as browser:
        subprocess.run([write_samples, name], check=True)
        folder = pathlib.Path(name)
        for path in sorted(folder.glob("*.html")):
            check_every_page(browser, checks, path)
        browser.open(folder / "hostile.html")
        title = browser.run("return document.title")
        checks.holds("a title is text", title.startswith("<script>document.title"), title)
        browser.open(folder / "usual.html")
        check_sorting(browser, checks)
        check_filter(browser, checks)
        checks.equal("messages of using the page", browser.messages(), [])
        check_without_script(browser, checks, folder / "usual.html")
    for failure in checks.failed:
        print(failure)
    print(f"{checks.done} checks, {len(checks.failed)} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()

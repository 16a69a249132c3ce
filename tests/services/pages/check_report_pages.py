#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are charts and pages well-formed, whatever the texts in them hold?

  check_report_pages.py WRITE_REPORT_SAMPLES

Reads all that the program writes with an XML parser, and looks for what a drawing or page must have and may not have.
Needs Python alone."""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
HTML = "{http://www.w3.org/1999/xhtml}"
LARGEST = 1 << 20  # bytes, of a chart
NUMBERS = {"x", "y", "cx", "cy", "r", "width", "height"}


def check_chart(svg):
    """What is wrong with a drawing."""
    if svg.get("role") != "img":
        yield "it is no image to a screen reader"
    described = svg.get("aria-labelledby", "").split()
    found = {part.get("id"): part.text for part in svg if part.tag in (SVG + "title", SVG + "desc")}
    if len(described) != 2 or any(not found.get(name) for name in described):
        yield "it has no title or description"
    width, height = (float(part) for part in svg.get("viewBox").split()[2:])
    for part in svg.iter():
        for name, value in part.attrib.items():
            if name in NUMBERS and not re.fullmatch(r"-?\d+(\.\d)?", value):
                yield f"{part.tag} has {name}={value}"
            if name in ("x", "cx") and not 0 <= float(value) <= width:
                yield f"{part.tag} stands outside at {value}"
            if name in ("y", "cy") and not 0 <= float(value) <= height:
                yield f"{part.tag} stands outside at {value}"
        if part.tag == SVG + "path" and re.search(r"nan|inf|e", part.get("d")):
            yield f"a path has no numbers: {part.get('d')}"
        if part.tag == SVG + "circle" and part.find(SVG + "title") is None and part.get("r") == "2":
            yield "a point says nothing"


def check_page(page):
    """What is wrong with a page."""
    ids = [part.get("id") for part in page.iter() if part.get("id") is not None]
    for name in set(ids):
        if ids.count(name) > 1:
            yield f"the id {name} stands twice"
    for part in page.iter():
        handlers = [name for name in part.attrib if name.startswith("on")]
        if handlers or "src" in part.attrib:
            yield f"{part.tag} has {handlers or 'src'}"
        target = part.get("href")
        if target is not None and (not target.startswith("#") or target[1:] not in ids):
            yield f"a link leads to {target}"
        if target is not None and not "".join(part.itertext()).strip():
            yield "a link has no text"
    if len(page.findall(f".//{HTML}script")) != 1:
        yield "there is not one script"
    for svg in page.iter(SVG + "svg"):
        yield from check_chart(svg)


def check_policy(text):
    """Is the script of a page the one that its policy lets run?"""
    script = re.search(rb"<script>(.*)</script>", text, re.DOTALL).group(1)
    wanted = b"sha256-" + base64.b64encode(hashlib.sha256(script).digest())
    if b"script-src '" + wanted + b"';" not in text:
        yield f"the policy in write_page.cpp does not let its script run, which is {wanted.decode()}"


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        paths = sorted(pathlib.Path(folder).iterdir())
        for path in paths:
            try:
                root = xml.etree.ElementTree.fromstring(path.read_bytes())
                findings = list(check_page(root) if path.suffix == ".html" else check_chart(root))
            except (xml.etree.ElementTree.ParseError, UnicodeDecodeError) as error:
                findings = [str(error)]
            if path.suffix == ".html":
                findings += check_policy(path.read_bytes())
            if path.suffix == ".svg" and path.stat().st_size > LARGEST:
                findings.append("it is too large")
            for finding in findings:
                print(f"{path.name}: {finding}")
            wrong += len(findings)
    print(f"{len(paths)} files, {wrong} findings")
    sys.exit(1 if wrong or not paths else 0)


if __name__ == "__main__":
    main()

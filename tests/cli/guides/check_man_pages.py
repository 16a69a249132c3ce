#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are the man pages right for those who read them?

    check_man_pages.py man|mandoc KOMUZ

man shows each page without a warning, with all that `komuz help` says of the command; mandoc's lint has no warning. Exit code 77: the
reader is not installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def words_of(text):
    """The text as words, so that it may be laid out in another way."""
    return re.sub(r"\s+", " ", text.replace("…", "...").replace("`", "")).strip()


def main():
    reader, komuz = sys.argv[1:]
    if shutil.which(reader) is None:
        print(f"skipped: {reader} is not installed")
        return 77
    run = lambda *words: subprocess.run([komuz, *words], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+) ", run("help").split("Commands:\n")[1].split("\n\n")[0], re.M)
    assert len(commands) > 15, commands
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for command in [None] + commands:
            name = "komuz" if command is None else f"komuz-{command}"
            source = run("help", "--man") if command is None else run("help", command, "--man")
            if not source.isascii():
                failures.append(f"{name}: not all of it is ASCII")
            path = os.path.join(folder, name + ".1")
            with open(path, "w") as out:
                out.write(source)
            if reader == "mandoc":
                lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], capture_output=True, text=True)
                # That other pages are not installed here is no fault.
                said = [line for line in lint.stdout.splitlines() if "referenced manual not found" not in line]
                failures += said
                continue
            shown = subprocess.run(
                ["man", "--warnings", "-l", "-P", "cat", path], capture_output=True, text=True,
                env={"PATH": os.environ["PATH"], "MANWIDTH": "200", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "TERM": "dumb"})
            if shown.returncode != 0 or shown.stderr:
                failures.append(f"{name}: exit code {shown.returncode}: {shown.stderr}")
            text = words_of(re.sub("\x1b\\[[0-9;]*m|.\x08", "", shown.stdout))
            if command is None:
                wanted = re.findall(r"^  [a-z]+ +(.*)$", run("help"), re.M)[: len(commands)]
                wanted += re.findall(r"^ +\d+  (.*)$", run("help", "exit-codes"), re.M)
                wanted += re.findall(r"^  [A-Z_]+ +(.*)$", run("help", "environment"), re.M)
            else:
                help_text = run("help", command)
                wanted = re.findall(r"^  (?:-., )?--.*?  +(.*)$", help_text.split("Options:\n")[1], re.M)
                wanted += re.findall(r"^  (.*)$", help_text.split("Examples:\n")[1].split("\nOptions:")[0], re.M)
            assert wanted, name
            failures += [f"{name}: lacks: {line}" for line in wanted if words_of(line) not in text]
    print("\n".join(failures))
    print(f"{reader}: {1 + len(commands)} pages, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the packages in editors/ indent as `komuz fmt` does? The editor itself indents, without a screen.

    check_indent.py EDITOR KOMUZ    EDITOR: vim, emacs or codemirror

Files that are formatted lose what their lines start with, and get it again from the editor.
Exit codes: 0, they are the same; 1, they are not; 77, the editor is not installed.
"""
import os
import subprocess
import sys
import tempfile

from editor_runs import SOURCE, corpus, driver_of, run_on_files

CORPUS = ["examples/**", "stdlib", "tests/golden/run", "tests/services/format"]
# Lines that no editor knows from the lines before: operators inside of operators, broken by a comment.
BY_HAND = {("tests/services/format/comments.komuz", 24), ("tests/services/format/comments.komuz", 25)}
# What stands behind a comment is not there yet when CodeMirror is asked.
OF_CODEMIRROR = {("tests/services/format/comments.komuz", 54)}


def formatted(files, komuz):
    done = subprocess.run([komuz, "fmt", "--check", *files], capture_output=True, text=True, check=False)
    others = set(done.stdout.split("\n"))
    kept = [file for file in files if file not in others and f"{file}:" not in done.stderr]
    assert len(kept) > 100, "hardly any file is formatted"
    return kept


def main():
    editor, komuz = sys.argv[1], os.path.abspath(sys.argv[2])
    command = driver_of(editor, "indents")
    files = formatted(corpus(CORPUS), komuz)
    with tempfile.TemporaryDirectory(prefix="komuz_indent_") as folder:
        indented = run_on_files(command, files, folder)
    allowed = BY_HAND | (OF_CODEMIRROR if editor == "codemirror" else set())
    wrong, count, deep = [], 0, 0
    for file, theirs in zip(files, indented):
        name = os.path.relpath(file, SOURCE)
        with open(file, encoding="utf-8") as text:
            ours = text.read().split("\n")
        # An editor may leave the last line end out.
        theirs += [""] * (len(ours) - len(theirs))
        for number, (line, other) in enumerate(zip(ours, theirs)):
            count += 1
            deep += line.startswith("        ")
            if line != other and (name, number + 1) not in allowed:
                wrong.append(f"{name}:{number + 1}:\n  {line}\n  {other}")
    print(f"{editor}: {count} lines of {len(files)} files, {deep} of them two levels in; {len(wrong)} differ")
    print("\n".join(wrong[:20]))
    sys.exit(1 if wrong or deep < 500 else 0)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("vim", "emacs", "codemirror"):
        sys.exit(__doc__)
    main()

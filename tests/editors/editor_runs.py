# SPDX-License-Identifier: Apache-2.0
"""What the tests of editors/ share: which programs there are, and running an editor without a screen."""
import glob
import json
import os
import shutil
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.abspath(os.path.join(FOLDER, "..", ".."))
EDITORS = os.path.join(SOURCE, "editors")
CLIENTS = os.path.join(SOURCE, "build", "clients")
SKIPPED = 77


def skip(words):
    print("skipped: " + words)
    sys.exit(SKIPPED)


def program(name):
    return shutil.which(name) or skip(f"{name} is not installed (scripts/setup --test)")


def need_packages(*packages):
    """Of npm, from where scripts/setup installs them."""
    for name in packages:
        if not os.path.exists(os.path.join(CLIENTS, "node_modules", name)):
            skip(f"{name} is not installed in build/clients (scripts/setup --test)")


def corpus(folders):
    files = []
    for folder in folders:
        files += glob.glob(os.path.join(SOURCE, folder, "*.komuz"), recursive=True)
    assert len(files) > 100, "the corpus is not where it was"
    return sorted(set(files))


def environment(folder, **variables):
    return {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8", "KOMUZ_EDITORS": EDITORS,
            "KOMUZ_PACKAGES": CLIENTS, **variables}


def run(command, folder, seconds=100, **variables):
    """What the editor prints. It has to end well."""
    try:
        done = subprocess.run(command, env=environment(folder, **variables), cwd=folder, stdin=subprocess.DEVNULL, timeout=seconds,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired as late:
        sys.exit(f"{command[0]} is not done in {seconds} s:\n{(late.stdout or b'').decode(errors='replace')}")
    said = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        sys.exit(f"{command[0]} ends with {done.returncode}:\n{said}")
    return said


def run_on_files(command, files, folder):
    """A driver reads the list of files in KOMUZ_FILES, and writes JSON to KOMUZ_OUT: a value for each."""
    given, out = os.path.join(folder, "files.json"), os.path.join(folder, "out.json")
    with open(given, "w", encoding="utf-8") as text:
        json.dump(files, text)
    said = run(command, folder, KOMUZ_FILES=given, KOMUZ_OUT=out)
    if not os.path.exists(out):
        sys.exit(f"{command[0]} writes nothing:\n{said}")
    with open(out, encoding="utf-8") as text:
        values = json.load(text)
    assert len(values) == len(files), "some files are missing"
    return values


def driver_of(editor, kind):
    """How `editor` runs its script in the folder `kind`."""
    def script(name):
        return os.path.join(FOLDER, kind, name)
    if editor == "vim":
        vim = program("vim")
        if "+syntax" not in subprocess.run([vim, "--version"], capture_output=True, text=True, check=True).stdout:
            skip("this Vim has no syntax")
        return [vim, "-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", script("vim.vim")]
    if editor == "emacs":
        return [program("emacs"), "-Q", "--batch", "-L", os.path.join(EDITORS, "emacs"), "-l", script("emacs.el")]
    if editor == "tree_sitter":
        return [program("node"), script(editor + ".mjs")]
    need_packages(*(["vscode-textmate", "vscode-oniguruma"] if editor == "textmate" else ["@codemirror/language"]))
    return [program("node"), script(editor + ".mjs")]

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does an editor get on with `komuz lsp`? The editor itself is run, without a screen, and told what to do by plan.json.

    check_client.py CLIENT KOMUZ [--record FILE]     CLIENT: neovim, eglot, lsp_mode, ale, codemirror or vscode
    check_client.py CLIENT --plan PLAN SERVER…       another server, with a plan for its language

Prints a line for each step with what the editor showed. --record also keeps what the client sends, for tests/lsp/handshakes.
Exit codes: 0, all was as the plan says; 1, it was not; 77, the editor is not installed.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

import client_uses

FOLDER = os.path.dirname(os.path.abspath(__file__))
RECORDER = os.path.join(FOLDER, "..", "handshakes", "record.py")
SECONDS = 120
SKIPPED = 77
# In the environment of all that a run starts, whoever starts it.
MARK = "KOMUZ_CLIENT_RUN"


def skip(words):
    print("skipped: " + words)
    sys.exit(SKIPPED)


def program(name):
    return shutil.which(name) or skip(f"{name} is not installed (scripts/setup --test)")


def version_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()


def driver(name):
    return os.path.join(FOLDER, name)


def neovim(file):
    editor = program("nvim")
    command = [editor, "--headless", "--clean", "-n", file, "-c", "luafile " + driver("neovim.lua")]
    return {"title": version_of([editor, "--version"]), "command": command}


def emacs(package, script):
    """Emacs with a package of Debian's, or of its own."""
    editor = program("emacs")
    found = sorted(glob.glob(f"/usr/share/emacs/site-lisp/elpa/{package}-[0-9]*"))
    has_own = subprocess.run([editor, "-Q", "--batch", "--eval", f"(require '{package})"], capture_output=True).returncode == 0
    if not found and not has_own:
        skip(f"the package {package} of Emacs is not installed (scripts/setup --test)")
    version = os.path.basename(found[-1]) if found else package
    folders = [part for path in sorted(glob.glob("/usr/share/emacs/site-lisp/elpa/*")) if os.path.isdir(path) for part in ("-L", path)]
    command = [editor, "-Q", "--batch", *(folders if found else []), "-l", driver("client.el"), "-l", driver(script)]
    return {"title": version_of([editor, "--version"]) + ", " + version, "command": command}


def eglot(_file):
    return emacs("eglot", "eglot.el")


def lsp_mode(_file):
    # Version 8.0 counts characters and calls them UTF-16: letters of two units shift all that is behind them.
    return {**emacs("lsp-mode", "lsp_mode.el"), "most_of_a_letter": 0xFFFF}


def ale(file):
    editor = program("vim")
    plugin = next(iter(glob.glob("/usr/share/vim*/**/ale.vim", recursive=True)), None) or skip(
        "ALE is not installed (scripts/setup --test)")
    has = subprocess.run([editor, "--version"], capture_output=True, text=True).stdout
    if "+job" not in has or "+eval" not in has:
        skip("this Vim has no jobs")
    folder = os.path.dirname(os.path.dirname(plugin))
    with open(os.path.join(folder, "autoload", "ale.vim"), encoding="utf-8") as text:
        number = re.search(r"s:current_ale_version = \[([0-9, ]+)\]", text.read())
    version = ", ALE " + number[1].replace(", ", ".") if number else ", ALE"
    command = [editor, "-N", "-u", driver("ale.vim"), "-i", "NONE", "-n", file]
    return {"title": has.splitlines()[0].split(" (")[0] + version, "command": command, "is_on_terminal": True, "variables": {"ALE": folder},
            # It takes bytes for UTF-16.
            "most_of_a_letter": 0x7F}


def node(name, script, *others):
    """A package of npm, from where scripts/setup installs it."""
    runtime = program("node")
    packages = os.path.abspath(os.path.join(FOLDER, "..", "..", "..", "build", "clients"))
    for one in (name, *others):
        if not os.path.exists(os.path.join(packages, "node_modules", one)):
            skip(f"{one} is not installed in build/clients (scripts/setup --test)")
    with open(os.path.join(packages, "node_modules", name, "package.json"), encoding="utf-8") as text:
        title = f"{name} {json.load(text)['version']}"
    return {"title": title, "command": [runtime, driver(script)], "variables": {"KOMUZ_PACKAGES": packages}}


def codemirror(_file):
    return node("@codemirror/lsp-client", "codemirror.mjs", "jsdom")


def vscode(_file):
    return node("vscode-languageclient", "vscode.cjs")


# Their columns in the table of rows and clients.
COLUMNS = {"neovim": "Neovim", "eglot": "Eglot", "lsp_mode": "lsp-mode", "ale": "ALE", "codemirror": "CodeMirror", "vscode": "VS Code's client"}
CLIENTS = {"neovim": neovim, "eglot": eglot, "lsp_mode": lsp_mode, "ale": ale, "codemirror": codemirror, "vscode": vscode}


def narrow(value, most):
    """The plan with letters up to `most` alone, for clients that count wrongly behind others."""
    if isinstance(value, dict):
        return {key: narrow(one, most) for key, one in value.items()}
    if isinstance(value, list):
        return [narrow(one, most) for one in value]
    if not isinstance(value, str):
        return value
    return "".join(letter if ord(letter) <= most else "x" for letter in value)


def left_running(mark):
    """Processes of the run that still are there."""
    found = []
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            with open(folder + "/environ", "rb") as variables:
                if f"{MARK}={mark}".encode() not in variables.read().split(b"\0"):
                    continue
            with open(folder + "/cmdline", "rb") as words:
                found.append((int(folder[6:]), words.read().replace(b"\0", b" ").decode(errors="replace").strip()))
        except OSError:
            pass
    return found


def run(client, arguments):
    plan_file = driver("plan.json")
    record, is_komuz = None, arguments[:1] != ["--plan"]
    if arguments[:1] == ["--plan"]:
        plan_file, server = os.path.abspath(arguments[1]), arguments[2:]
    else:
        server = [os.path.abspath(arguments[0]), "lsp"]
        if arguments[1:2] == ["--record"]:
            record = os.path.abspath(arguments[2])
    with open(plan_file, encoding="utf-8") as text:
        plan = json.load(text)
    with tempfile.TemporaryDirectory(prefix="komuz_client_") as top:
        home, folder = os.path.join(top, "home"), os.path.join(top, "work")
        if is_komuz:
            server += ["--record", os.path.join(top, "server.record")]
        os.mkdir(home)
        os.mkdir(folder)
        file = os.path.join(folder, plan["file"])
        how = CLIENTS[client](file)
        if "most_of_a_letter" in how:
            plan = narrow(plan, how["most_of_a_letter"])
            plan_file = os.path.join(home, "plan.json")
            with open(plan_file, "w", encoding="utf-8") as out:
                json.dump(plan, out, ensure_ascii=False)
        with open(file, "w", encoding="utf-8") as out:
            out.write("\n".join(plan["text"]) + "\n")
        if record:
            server = [sys.executable, RECORDER, record, folder] + server
        if record:
            with open(record, "w", encoding="utf-8") as out:
                head = {"client": client, "version": how["title"], "recorded": f"tests/lsp/clients/check_client.py {client} KOMUZ --record"}
                out.write(json.dumps(head) + "\n")
        mark = uuid.uuid4().hex
        log = os.path.join(home, "steps.txt")
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm", "LC_ALL": "C.UTF-8", MARK: mark,
                       "KOMUZ_PLAN": plan_file, "KOMUZ_SERVER": json.dumps(server), "KOMUZ_STEPS": log, **how.get("variables", {})}
        print(how["title"])
        status, printed = run_editor(how, folder, environment, home)
        steps = ""
        if os.path.exists(log):
            with open(log, encoding="utf-8") as text:
                steps = text.read()
        print(steps, end="")
        if status != 0 and printed:
            print(printed.rstrip("\n"))
        left = left_running(mark)
        # A server that was left alone notices it.
        deadline = time.monotonic() + 2
        while left and time.monotonic() < deadline:
            time.sleep(0.02)
            left = left_running(mark)
        for process, words in left:
            os.kill(process, signal.SIGKILL)
        if status is None:
            sys.exit(f"{client}: not done within {SECONDS} s; the last step above is the last that was done")
        for process, words in left:
            print(f"still running: {words}")
        if status != 0 or left:
            sys.exit(f"{client}: not as the plan says (exit code {status})")
        # A driver that ends early says nothing of what it left out.
        if not steps.endswith("closed\n"):
            sys.exit(f"{client}: ended before the plan did")
        if is_komuz:
            client_uses.keep(COLUMNS[client], "client_" + client, client_uses.records_in(top))


def run_editor(how, folder, environment, home):
    """The editor's exit code, none where it took too long, and what it printed."""
    output = os.path.join(home, "output.txt")
    command = how["command"]
    if how.get("is_on_terminal"):
        command = [program("script"), "-qec", " ".join(map(shell_word, command)), "/dev/null"]
    with open(output, "wb") as out:
        editor = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                  start_new_session=True)
        try:
            status = editor.wait(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(editor.pid, signal.SIGKILL)
            editor.wait()
            status = None
    # A screen is no text to read.
    if how.get("is_on_terminal"):
        return status, ""
    with open(output, encoding="utf-8", errors="replace") as text:
        return status, text.read()


def shell_word(text):
    return "'" + text.replace("'", "'\\''") + "'"


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in CLIENTS:
        sys.exit(__doc__)
    run(sys.argv[1], sys.argv[2:])

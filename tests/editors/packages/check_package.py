#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a package of editors/ do what its README says? The editor itself runs it, without a screen, with `komuz lsp`.

    check_package.py EDITOR KOMUZ    EDITOR: neovim, vim, emacs or lsp_mode

Exit codes: 0, it does; 1, it does not; 77, the editor is not installed.
"""
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(FOLDER), os.path.join(FOLDER, "..", "..", "lsp", "clients")]
import client_uses  # noqa: E402
from editor_runs import EDITORS, environment, program, skip  # noqa: E402

SECONDS = 120
FILES = {
    "bad.komuz": "fn f(x: i64) -> i64 { x + y }\n",
    # The last one gives no number, so that it has no score.
    "sketch.komuz": "//! cases: cases.csv\n//! score: squared\npub fn f(x: f64) -> f64 { x * ?k[1.0, 2.0, 3.0, NAN] }\n",
    "tests.komuz": "/// >>> half(4.0) == 2.5\nfn half(x: f64) -> f64 { x / 2.0 }\n",
    "cases.csv": "x,expected\n1.0,2.0\n3.0,6.0\n",
}


def script(name):
    return os.path.join(FOLDER, name)


def neovim(_home):
    return [program("nvim"), "--headless", "--clean", "-n", "--cmd", f"set runtimepath^={EDITORS}/neovim",
            "--cmd", "lua require('komuz').setup { cmd = vim.json.decode(vim.env.KOMUZ_SERVER) }", "-c", "luafile " + script("neovim.lua")]


def vim(_home):
    plugin = next(iter(glob.glob("/usr/share/vim*/**/ale.vim", recursive=True)), None) or skip("ALE is not installed (scripts/setup --test)")
    editor = [program("vim"), "-N", "-u", script("vim.vim"), "-i", "NONE", "-n"]
    # ALE does nothing without a terminal.
    words = " ".join("'" + word.replace("'", "'\\''") + "'" for word in editor)
    return [program("script"), "-qec", f"ALE='{os.path.dirname(os.path.dirname(plugin))}' {words}", "/dev/null"]


def emacs_with(package, home):
    editor = program("emacs")
    found = glob.glob(f"/usr/share/emacs/site-lisp/elpa/{package}-[0-9]*")
    has_own = subprocess.run([editor, "-Q", "--batch", "--eval", f"(require '{package})"], capture_output=True, check=False).returncode == 0
    if not found and not has_own:
        skip(f"the package {package} of Emacs is not installed (scripts/setup --test)")
    folders = [path for path in sorted(glob.glob("/usr/share/emacs/site-lisp/elpa/*")) if os.path.isdir(path)] if found else []
    return [editor, "-Q", "--batch", *(part for path in [*folders, os.path.join(EDITORS, "emacs")] for part in ("-L", path)),
            "--eval", f"(setq package-client '{package})", "-l", script("emacs.el")]


PACKAGES = {"neovim": neovim, "vim": vim, "emacs": lambda home: emacs_with("eglot", home), "lsp_mode": lambda home: emacs_with("lsp-mode", home)}

COLUMNS = {"neovim": "Neovim", "vim": "ALE", "emacs": "Eglot", "lsp_mode": "lsp-mode"}


def main():
    editor, komuz = sys.argv[1], os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="komuz_package_") as top:
        home, work = os.path.join(top, "home"), os.path.join(top, "work")
        os.mkdir(home)
        os.mkdir(work)
        # As it is called in PATH, whatever the build names it.
        os.mkdir(os.path.join(home, "bin"))
        komuz = client_uses.wrapper(os.path.join(home, "bin"), komuz)
        command = PACKAGES[editor](home)
        for name, text in FILES.items():
            with open(os.path.join(work, name), "w", encoding="utf-8") as out:
                out.write(text)
        steps, printed = os.path.join(home, "steps.txt"), os.path.join(home, "printed.txt")
        server = [komuz, "lsp"]
        variables = environment(home, KOMUZ_SERVER=json.dumps(server), KOMUZ_STEPS=steps, TERM="xterm",
                                PATH=os.path.join(home, "bin") + ":" + os.environ["PATH"])
        with open(printed, "wb") as out:
            run = subprocess.Popen(command, cwd=work, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
            try:
                status = run.wait(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                status = run.wait()
        done = ""
        if os.path.exists(steps):
            with open(steps, encoding="utf-8") as text:
                done = text.read()
        print(done, end="")
        if status != 0 or not done.endswith("done\n"):
            with open(printed, encoding="utf-8", errors="replace") as text:
                print(text.read()[-4000:])
            sys.exit(f"{editor}: ends with {status}; the last step above is the last that was done")
        client_uses.keep(COLUMNS[editor], "package_" + editor, client_uses.records_in(os.path.join(home, "bin")))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in PACKAGES:
        sys.exit(__doc__)
    main()

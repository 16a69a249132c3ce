#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has a real editor, without a screen, talk to `komuz lsp`, and compares what it shows with editors/NAME.txt.

    check_editor.py neovim|eglot|eglot_tcp KOMUZ

KOMUZ_UPDATE=1 rewrites that file. Where the editor is not installed the test is skipped (77).
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAM = """use lib.two;
fn half(x: f64) -> f64 { x / 2.0 }
fn named(x: f64) -> f64 { let mut y = x; y }
fn f(x: f64) -> f64 {
    half(x) + two.two() + z
}
"""
MODULE = "pub fn two() -> f64 { 2.0 }\n"


def editor(name):
    if name == "neovim":
        program = shutil.which("nvim")
        return program and [program, "--headless", "--clean", "-u", "NONE", "a.komuz", "-S",
                            os.path.join(FOLDER, "neovim.lua")]
    program = shutil.which("emacs")
    packages = sorted(glob.glob("/usr/share/emacs/site-lisp/elpa/eglot-1*"))
    return program and packages and [program, "-Q", "--batch", "-L", packages[-1], "-l",
                                     os.path.join(FOLDER, "eglot.el")]


def main():
    name, komuz = sys.argv[1], os.path.abspath(sys.argv[2])
    command = editor(name)
    if not command:
        print(f"skipped: {name} is not installed (scripts/setup --test)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        os.mkdir(os.path.join(folder, "lib"))
        for path, text in (("a.komuz", PROGRAM), ("lib/two.komuz", MODULE)):
            with open(os.path.join(folder, path), "w", encoding="utf-8") as out:
                out.write(text)
        os.mkdir(os.path.join(folder, ".git"))  # what makes a project of it
        # Editors keep what they like in a home, and so does the server.
        home = os.path.join(folder, ".home")
        os.mkdir(home)
        answers = os.path.join(home, "answers")
        environment = {**os.environ, "HOME": home, "KOMUZ": komuz, "KOMUZ_ANSWERS": answers}
        for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "KOMUZ_PORT"):
            environment.pop(variable, None)
        server = None
        if name.endswith("_tcp"):
            server = subprocess.Popen([komuz, "lsp", "--tcp", "0"], stderr=subprocess.PIPE, text=True)
            environment["KOMUZ_PORT"] = server.stderr.readline().strip().rpartition(":")[2]
        try:
            ran = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=60)
        finally:
            if server:
                server.terminate()
                server.wait()
        try:
            with open(answers, encoding="utf-8") as file:
                found = file.read().replace(folder, "$T")
        except OSError:
            found = ""
        if ran.returncode != 0:
            found += f"exit {ran.returncode}\n{ran.stdout}{ran.stderr}"
    wanted_path = os.path.join(FOLDER, name.removesuffix("_tcp") + ".txt")
    if os.environ.get("KOMUZ_UPDATE") == "1":
        with open(wanted_path, "w", encoding="utf-8") as out:
            out.write(found)
        return 0
    with open(wanted_path, encoding="utf-8") as file:
        wanted = file.read()
    if found != wanted:
        print(f"--- {wanted_path}\n{wanted}--- what {name} shows now\n{found}{ran.stderr}")
        return 1
    print(f"{name}: {len(wanted.splitlines())} answers are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())

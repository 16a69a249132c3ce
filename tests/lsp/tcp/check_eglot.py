#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has Emacs, without a screen, talk to `komuz lsp --tcp`, and compares what Eglot shows with eglot.txt.

    check_eglot.py KOMUZ

KOMUZ_UPDATE=1 rewrites that file. The test is skipped (77) if Emacs or Eglot is not installed. tests/lsp/clients/ has the editors that
talk over standard input.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "clients"))
import client_uses  # noqa: E402

PROGRAM = """use lib.two;
fn half(x: f64) -> f64 { x / 2.0 }
fn named(x: f64) -> f64 { let mut y = x; y }
fn f(x: f64) -> f64 {
    half(x) + two.two() + z
}
"""
MODULE = "pub fn two() -> f64 { 2.0 }\n"


def editor():
    program = shutil.which("emacs")
    packages = sorted(glob.glob("/usr/share/emacs/site-lisp/elpa/eglot-1*"))
    return program and packages and [program, "-Q", "--batch", "-L", packages[-1], "-l", os.path.join(FOLDER, "eglot.el")]


def main():
    komuz = os.path.abspath(sys.argv[1])
    command = editor()
    if not command:
        print("skipped: Eglot is not installed (scripts/setup --test)")
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
        for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            environment.pop(variable, None)
        server = subprocess.Popen([komuz, "lsp", "--tcp", "0", "--record", os.path.join(home, "server.record")], stderr=subprocess.PIPE, text=True)
        environment["KOMUZ_PORT"] = server.stderr.readline().strip().rpartition(":")[2]
        try:
            ran = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=60)
        finally:
            server.terminate()
            server.wait()
        client_uses.keep("Eglot, TCP", "eglot_tcp", client_uses.records_in(home))
        try:
            with open(answers, encoding="utf-8") as file:
                found = file.read().replace(folder, "$T")
        except OSError:
            found = ""
        if ran.returncode != 0:
            found += f"exit {ran.returncode}\n{ran.stdout}{ran.stderr}"
    wanted_path = os.path.join(FOLDER, "eglot.txt")
    if os.environ.get("KOMUZ_UPDATE") == "1":
        with open(wanted_path, "w", encoding="utf-8") as out:
            out.write(found)
        return 0
    with open(wanted_path, encoding="utf-8") as file:
        wanted = file.read()
    if found != wanted:
        print(f"--- {wanted_path}\n{wanted}--- what Eglot shows now\n{found}{ran.stderr}")
        return 1
    print(f"eglot: {len(wanted.splitlines())} answers are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())

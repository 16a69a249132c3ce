#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is what `cmake --install` makes whole, and can it be moved?

    check_install.py CMAKE BUILD SOURCE
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile


def main():
    cmake, build, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        first, tree = os.path.join(folder, "first"), os.path.join(folder, "moved", "tree")
        subprocess.run([cmake, "--install", build, "--prefix", first, "--component", "komuz"], check=True, stdout=subprocess.DEVNULL)
        os.makedirs(os.path.dirname(tree))
        os.rename(first, tree)
        komuz = os.path.join(tree, "bin", "komuz")

        def run(*words):
            # Nothing of the environment, nowhere near the sources.
            answer = subprocess.run([komuz, *words], capture_output=True, text=True, cwd="/", env={})
            assert answer.returncode == 0, (words, answer)
            return answer.stdout

        examples = os.path.join(tree, "share", "komuz", "examples")
        table = run("eval", f"{examples}/regression/candidates.jsonl", "--cases", f"{examples}/regression/cases.csv", "--score", "squared", "--top", "1")
        assert "c07342" in table, table
        # What the sources have as files is in it.
        assert "std.math" in run("doc"), "the standard library"
        assert "Wrong:" in run("explain", "K0401"), "explanations"
        commands = re.findall(r"^  ([a-z]+) ", run("help").split("Commands:\n")[1].split("\n\n")[0], re.M)
        wanted = [f"man/man1/komuz-{command}.1" for command in commands] + [
            "man/man1/komuz.1", "bash-completion/completions/komuz", "zsh/site-functions/_komuz",
            "fish/vendor_completions.d/komuz.fish", "doc/komuz/README.md", "doc/komuz/LICENSE", "doc/komuz/docs/cli.md",
            "doc/komuz/docs/changes.md", "doc/komuz/examples/README.md", "komuz/examples/README.md", "komuz/small.safetensors",
            "komuz/proposals.safetensors",
            "komuz/editors/README.md", "komuz/editors/vim/syntax/komuz.vim", "komuz/editors/neovim/syntax/komuz.vim",
            "komuz/editors/emacs/komuz-mode.el", "komuz/editors/kate/komuz.xml", "komuz/editors/tree-sitter/grammar.js"]
        # The extension of VS Code is there exactly where it can be made, and what only a clone can use is not.
        vsix, vscode = "komuz/editors/vscode/komuz.vsix", os.path.join(tree, "share", "komuz", "editors", "vscode")
        packed = subprocess.run([os.path.join(source, "editors", "vscode", "build"), "--offline"], stdout=subprocess.DEVNULL, check=False).returncode
        assert packed in (0, 77), packed
        wanted += [vsix] if packed == 0 else []
        assert os.path.exists(os.path.join(tree, "share", vsix)) == (packed == 0), "the .vsix of a build that there is not"
        assert not {"build", "src", "test", "package-lock.json", ".npmrc"} & set(os.listdir(vscode)), os.listdir(vscode)
        # A project elsewhere finds it, by CMake's way and by pkg-config's.
        project, made = os.path.join(folder, "project"), os.path.join(folder, "made")
        shutil.copytree(os.path.join(tree, "share", "komuz", "examples", "native"), project)
        problem = json.loads(run("devices", "--json"))["native"]["problem"]
        assert problem is None or not os.path.exists(os.path.join(build, "bin", "komuz_backend.so")), problem
        if problem is None:
            for words in ([cmake, "-S", project, "-B", made, f"-DCMAKE_PREFIX_PATH={tree}"], [cmake, "--build", made]):
                subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            assert "rms 3.5355339059327378" in subprocess.run([os.path.join(made, "use")], capture_output=True, text=True, check=True).stdout
            if shutil.which("pkg-config"):
                subprocess.run(["make", "-C", project, "use"], check=True, stdout=subprocess.DEVNULL,
                               env={**os.environ, "PKG_CONFIG_PATH": os.path.join(tree, "lib", "pkgconfig")})
        missing = [name for name in wanted if not os.path.isfile(os.path.join(tree, "share", name))]
        assert not missing, missing
        # Nobody else's place is in it: neither that of the sources nor that of the build.
        def contents():
            for at, _, names in os.walk(tree):
                for name in names:
                    with open(os.path.join(at, name), "rb") as file:
                        yield os.path.join(at, name), file.read()
            if packed == 0:
                with zipfile.ZipFile(os.path.join(tree, "share", vsix)) as archive:
                    for name in archive.namelist():
                        yield f"{vsix}: {name}", archive.read(name)

        for name, text in contents():
            for place in (source, build, first):
                assert os.fsencode(place) + b"/" not in text, f"{place} is named in {name}"
    print(f"{len(wanted)} files are there, and the executable runs where it was moved")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a shell complete what `komuz` takes? The shell itself is asked, with the script of `komuz completions SHELL`.

    check_completions.py bash|zsh|fish KOMUZ

Exit code 77: the shell is not installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SHELLS = {"bash": ["bash", "--norc"], "zsh": ["zsh", "-f"], "fish": ["fish", "--no-config"]}
FOLDER = os.path.dirname(os.path.abspath(__file__))
FILES = ["a.komuz", "b.kbc", "pool.jsonl", "table.csv", "page.html", "my file.komuz", "folder/inner.komuz"]
NOTHING = set()
PROGRAMS = {"a.komuz", "b.kbc", "my file.komuz", "folder/"}

# A line, and all that its last word may become.
QUESTIONS = [
    ("komuz ev", {"eval"}),
    ("komuz --ver", {"--version"}),
    ("komuz eval --sc", {"--score"}),
    ("komuz eval --score ", {"exact", "absolute", "squared", "relative", "smape", "r2", "correlation", "huber", "log-cosh",
                             "quantile", "logistic", "hinge"}),
    ("komuz eval --score=s", {"squared", "smape"}),
    ("komuz eval --score squared --dev", {"--device"}),
    ("komuz eval a.komuz --cases table.csv --device c", {"cpu", "cuda"}),
    ("komuz search a.komuz --method l", {"local", "lexicase"}),
    ("komuz build a.komuz --emit=a", {"asm", "asm-native"}),
    ("komuz dump --phase t", {"tokens", "tree", "types"}),
    ("komuz eval ", PROGRAMS | {"pool.jsonl"}),
    ("komuz eval folder/", {"folder/inner.komuz"}),
    ("komuz eval --cases ", {"table.csv", "pool.jsonl", "folder/"}),
    ("komuz eval --cases=t", {"table.csv"}),
    ("komuz check my", {"my file.komuz"}),
    ("komuz check a.komuz b", {"b.kbc"}),
    ("komuz build a.komuz -o b", {"b.kbc"}),
    ("komuz report pool.jsonl -o p", {"page.html"}),
    ("komuz eval --fuel ", NOTHING),
    ("komuz run a.komuz -- ", NOTHING),
    ("komuz devices ", NOTHING),
    ("komuz model ", NOTHING),
    ("komuz model --device ", {"paper", "h200", "cpu", "cuda"}),
    ("komuz model --tier h", {"hybrid"}),
    ("komuz shards ", NOTHING),
    ("komuz shards --sl", {"--slurm"}),
    ("komuz shards --of 4 --at", {"--at-once"}),
    ("komuz help ex", {"explain", "exit-codes", "export"}),
    ("komuz completions ", {"bash", "zsh", "fish"}),
    ("komuz doc std.mat", {"std.math"}),
]


def complete(shell, script, folder, lines):
    """The sets of completions, in the form in which a user names them."""
    answer = subprocess.run(
        SHELLS[shell] + [os.path.join(FOLDER, "complete." + shell), script], cwd=folder, input="\n".join(lines) + "\n",
        env={"PATH": os.environ["PATH"], "HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, timeout=120)
    if answer.returncode != 0 or answer.stderr:
        sys.exit(f"{shell}: exit code {answer.returncode}\n{answer.stderr}")
    blocks, block = [], []
    for line in answer.stdout.split("\n")[:-1]:
        if line:
            block.append(line)
        else:
            blocks.append(block)
            block = []
    if len(blocks) != len(lines):
        sys.exit(f"{shell}: {len(blocks)} answers to {len(lines)} lines\n{answer.stdout}")
    return [{tidy(word, folder) for word in block} for block in blocks]


def tidy(word, folder):
    # fish and zsh repeat the option of `--name=value`, or leave its `=` at the end; bash gives folders without a slash.
    word = word.rstrip().replace("\\", "")
    word = re.sub(r"^--[a-z-]+=(.*)$", lambda found: found[1] or found[0][:-1], word)
    return word + "/" if os.path.isdir(os.path.join(folder, word)) and not word.endswith("/") else word


def main():
    shell, komuz = sys.argv[1:]
    if shutil.which(shell) is None:
        print(f"skipped: {shell} is not installed")
        return 77
    run = lambda *words: subprocess.run([komuz, *words], capture_output=True, text=True, check=True).stdout
    questions = list(QUESTIONS)
    # What help says there is, for all commands: neither less nor more.
    commands = re.findall(r"^  ([a-z]+) ", run("help").split("Commands:\n")[1].split("\n\n")[0], re.M)
    assert len(commands) > 15, commands
    questions.append(("komuz ", set(commands)))
    for command in commands:
        options = re.findall(r"^  (?:-., )?(--[a-z-]+)", run("help", command).split("Options:\n")[1], re.M)
        questions.append((f"komuz {command} --", set(options)))
    codes = [line.split()[0] for line in run("explain").splitlines()]
    questions.append(("komuz explain K03", {code for code in codes if code.startswith("K03")}))
    questions.append(("komuz explain DIV_ZERO OVER", {"OVERFLOW"}))

    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, ".script")
        with open(script, "w") as out:
            out.write(run("completions", shell))
        for name in FILES:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            open(os.path.join(folder, name), "w").close()
        answers = complete(shell, script, folder, [line for line, _ in questions])
    failures = 0
    for (line, expected), answer in zip(questions, answers):
        # Some shells offer options beside arguments, without being asked for.
        if not line.split(" ")[-1].startswith("-"):
            answer = {word for word in answer if not word.startswith("-")}
        if answer != expected:
            failures += 1
            print(f"{shell}: {line!r}: lacks {sorted(expected - answer)}, has besides {sorted(answer - expected)}")
    # The sentences of help name what the tables have.
    lists = re.findall(r"'([a-z]+) --([a-z-]+)'.*offer=\(words ([^)]*)\)", run("completions", "bash"))
    assert lists
    for command, option, words in lists:
        said = re.search(rf"--{option} .*", run("help", command).split("Options:\n")[1])[0]
        lacks = [word for word in words.split() if not re.search(rf"\b{word}\b", said)]
        if lacks:
            failures += 1
            print(f"`komuz help {command}` does not name {lacks} of --{option}")
    print(f"{shell}: {len(questions)} lines, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

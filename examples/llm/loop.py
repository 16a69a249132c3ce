#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Searches with a language model: it proposes programs, Komuz evaluates them, and the model sees what came of them.

COMMAND reads a prompt from its standard input and writes an answer, with programs in fenced code blocks, to its standard
output. The pool is a file of candidates for `komuz eval`, and all that the loop remembers: the same command again goes
on where the last one ended.
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import komuz

CARD = Path(__file__).resolve().parents[2] / "docs" / "language-card.md"
CODE_BLOCK = re.compile(r"^([ \t]*)```[^\n`]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
ID = re.compile(r"g(\d+)-\d+")  # g2-17: program 17 of generation 2


def ask(model, prompt):
    done = subprocess.run(model, input=prompt, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        sys.exit(f"loop.py: `{shlex.join(model)}` ended with exit code {done.returncode}")
    # A block in a list is indented.
    programs = [re.sub(f"^{indent}", "", text, flags=re.MULTILINE) for indent, text in CODE_BLOCK.findall(done.stdout)]
    if not programs:
        sys.exit(f"loop.py: there is no code block in the model's answer, which begins {done.stdout[:60]!r}")
    return programs


def end_last_line(path):
    """A pool that somebody wrote may lack the end of its last line; a loop that was killed may have left a part of one."""
    last = path.read_bytes().rpartition(b"\n")[2]
    if not last:
        return
    try:
        json.loads(last)
    except ValueError:
        sys.exit(f"loop.py: the last line of {path} breaks off; remove it, and start again")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n")


def generation_of(path, candidate):
    if not ID.fullmatch(candidate.id):
        sys.exit(f"loop.py: {path} holds `{candidate.id}`, which is no id such as g2-17")
    return int(ID.fullmatch(candidate.id)[1])


def make_prompt(args, generation, feedback):
    parts = [CARD.read_text(encoding="utf-8"), "# The task\n"]
    for path in args.task:
        text = path.read_text(encoding="utf-8")
        parts.append(f"```komuz\n{text}```\n" if path.suffix == ".komuz" else text)
    parts += [feedback] if feedback else []
    parts += [f"# Generation {generation}\n\nPropose {args.ask} programs that score better than all of these."]
    parts += ["Write each of them in full, in a fenced code block of its own.\n"]
    return "\n".join(parts)


def best_of(pool):
    return next((candidate for candidate in pool.rows if candidate.score is not None), None)


def summary(generation, new, best):
    statuses = Counter(candidate.status for candidate in new)
    mended = sum(candidate.row["fixed_source"] is not None for candidate in new)
    repeated = sum(candidate.duplicate_of is not None for candidate in new)
    alike = sum(c.duplicate_of is None and c.same_behaviour_as is not None for c in new)
    return (
        f"generation {generation}: {', '.join(f'{n} {status}' for status, n in statuses.most_common())}; {mended} mended, "
        f"{repeated} repeated, {alike} alike; best: {f'{best.score:g} ({best.id})' if best else 'none'}"
    )


def read_command_line():
    parser = argparse.ArgumentParser(
        usage="%(prog)s --model 'COMMAND' --task FILE… [OPTIONS] -- OPTIONS OF komuz eval",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--model", type=shlex.split, required=True, help="the command that answers a prompt")
    parser.add_argument("--task", type=Path, nargs="+", required=True, help="what the model is told, in this order")
    parser.add_argument("--pool", type=Path, default="pool.jsonl", help="all programs so far (%(default)s)")
    parser.add_argument("--generations", type=int, default=10, help="the last one to make (%(default)s)")
    parser.add_argument("--ask", type=int, default=8, help="for how many programs at once (%(default)s)")
    parser.add_argument("--best", type=int, default=4, help="how many of the best to show (%(default)s)")
    parser.add_argument("--failed", type=int, default=3, help="how many that failed to show (%(default)s)")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:end])
    args.options, name = {"fix": True}, "fix"  # `--score squared --case-scores`: score="squared", case_scores=True
    for word in sys.argv[end + 1 :]:
        if word.startswith("--"):
            option, _, value = word[2:].partition("=")
            name = option.replace("-", "_")
            args.options[name] = value or True
        else:
            args.options[name] = word
    return args


def main():
    args = read_command_line()
    if args.pool.exists():
        end_last_line(args.pool)
    with komuz.Pool(**args.options) as pool:
        known = list(pool.rank(args.pool)) if args.pool.exists() else []
        newest = max((generation_of(args.pool, candidate) for candidate in known), default=0)
        new = [candidate for candidate in known if generation_of(args.pool, candidate) == newest]
        for generation in range(newest + 1, args.generations + 1):
            feedback = pool.feedback(args.best, failed=args.failed, of=new)
            programs = ask(args.model, make_prompt(args, generation, feedback))
            batch = [(f"g{generation}-{i}", source) for i, source in enumerate(programs, 1)]
            with args.pool.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps({"id": name, "source": source}) + "\n" for name, source in batch))
            new = list(pool.rank(batch))
            print(summary(generation, new, best_of(pool)), flush=True)
        if best := best_of(pool):
            print(f"the best, {best.id}:\n{best.source.strip()}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, komuz.Error) as error:  # a file, or the model's command, is not there
        sys.exit(f"loop.py: {error}")

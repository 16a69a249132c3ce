#!/usr/bin/env python3
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

CARD = Path(__file__).resolve().parents[2] / "docs" / "language-card.md"
CODE_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
ID = re.compile(r"g(\d+)-\d+")  # g2-17: program 17 of generation 2
LONGEST = 200  # characters of JSON that a model is shown of an argument or a result


def run(command, expected_exits, text=""):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode not in expected_exits:
        sys.exit(f"loop.py: `{shlex.join(command)}` ended with exit code {done.returncode}")
    return done.stdout


def ask(model, prompt):
    answer = run(model, [0], prompt)
    programs = CODE_BLOCK.findall(answer)
    if not programs:
        sys.exit(f"loop.py: there is no code block in the model's answer, which begins {answer[:60]!r}")
    return programs


def evaluate(args):
    """Results of the whole pool, best first: one ranking, which knows who repeats a program of long ago."""
    if not args.pool.exists():
        return []
    command = [args.komuz, "eval", str(args.pool), "--fix", "--json", "-", *args.eval_options]
    results = json.loads(run(command, [0, 1]))["results"]  # 1: no program has a score yet
    for result in results:
        if not ID.fullmatch(result["id"]):
            sys.exit(f"loop.py: {args.pool} holds `{result['id']}`, which is no id such as g2-17")
        result["generation"] = int(ID.fullmatch(result["id"])[1])
    rows = map(json.loads, args.pool.read_text(encoding="utf-8").splitlines())
    sources = {row["id"]: row.get("source", "") for row in rows}
    for result in results:
        result["source"] = result["fixed_source"] or sources[result["id"]]
    return results


def score_of(result):
    """A number, which may be infinite: JSON has none such, so a text beside the score says it. None: there is no score."""
    if result["score"] is None and result["score_text"]:
        return float(result["score_text"])
    return result["score"]


def scored(results):
    return [result for result in results if score_of(result) is not None]


def show(result):
    """A program with its score and what is wrong with it, for a prompt."""
    score = result["status"] if score_of(result) is None else f"score {score_of(result):g}"
    wrong = [f"{d['line']}:{d['column']}: {d['message']}" for d in result["diagnostics"]]
    if failure := result["first_failure"]:
        short = {key: value for key, value in failure.items() if len(json.dumps(value)) <= LONGEST}
        wrong.append(f"first failure: {json.dumps(short)}")
    return "\n".join([f"## {result['id']}: {score}", "```komuz", result["source"].strip(), "```", *wrong, ""])


def make_prompt(args, generation, results):
    parts = [CARD.read_text(encoding="utf-8"), "# The task\n"]
    for path in args.task:
        text = path.read_text(encoding="utf-8")
        parts.append(f"```komuz\n{text}```\n" if path.suffix == ".komuz" else text)
    best = {}  # of those that do the same only one: a model learns little from ten ways to write a program
    for result in scored(results):
        best.setdefault(result["behaviour"], result)
    if best:
        parts += ["# The best programs so far\n", *map(show, list(best.values())[: args.best])]
    failed = [r for r in results if r["generation"] == generation - 1 and score_of(r) is None]
    if failed:
        parts += ["# Programs that failed\n", *map(show, failed[: args.failed])]
    parts += [f"# Generation {generation}\n\nPropose {args.ask} programs that score better than all of these."]
    parts += ["Write each of them in full, in a fenced code block of its own.\n"]
    return "\n".join(parts)


def summary(generation, results):
    new = [result for result in results if result["generation"] == generation]
    statuses = Counter(result["status"] for result in new)
    mended = sum(result["fixed_source"] is not None for result in new)
    repeated = sum(result["duplicate_of"] is not None for result in new)
    alike = sum(result["duplicate_of"] is None and result["same_behaviour_as"] is not None for result in new)
    best = [f"{score_of(result):g} ({result['id']})" for result in scored(results)[:1]]
    return (
        f"generation {generation}: {', '.join(f'{n} {status}' for status, n in statuses.items())}; "
        f"{mended} mended, {repeated} repeated, {alike} alike; best: {''.join(best) or 'none'}"
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
    parser.add_argument("--komuz", default="komuz", help="the executable, where it is not in the path")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:end])
    args.eval_options = sys.argv[end + 1 :]
    return args


def main():
    args = read_command_line()
    results = evaluate(args)
    newest = max((result["generation"] for result in results), default=0)
    for generation in range(newest + 1, args.generations + 1):
        programs = ask(args.model, make_prompt(args, generation, results))
        rows = ({"id": f"g{generation}-{i}", "source": source} for i, source in enumerate(programs, 1))
        with args.pool.open("a", encoding="utf-8") as pool:
            pool.write("".join(json.dumps(row) + "\n" for row in rows))
        results = evaluate(args)
        print(summary(generation, results), flush=True)
    for result in scored(results)[:1]:
        print(f"the best, {result['id']}:\n{result['source'].strip()}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:  # a file, the model's command or komuz is not there
        sys.exit(f"loop.py: {error}")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do docs/komuz.gbnf, docs/komuz.lark and docs/komuz.ebnf say what the compiler does?

  check_grammars.py gbnf KOMUZ [--seed N] [--samples N]   needs Python alone
  check_grammars.py lark KOMUZ [--seed N] [--samples N]   needs the Debian package python3-lark; without it: exit code 77
  check_grammars.py llama KOMUZ [--seed N] [--samples N]      need node and packages of npm, which `scripts/setup --test`
  check_grammars.py xgrammar KOMUZ [--seed N] [--samples N]   puts into build/decoders; without them: exit code 77

gbnf  Programs of examples/, stdlib/ and the formatter's tests without errors parse. Random sentences have no syntax errors.
lark  Each program of examples/, stdlib/ and tests/golden/ without a syntax error parses, but for those in NOT_PARSED; of
      the programs of tests/mistakes.txt and services/explanations/ with one, most do not. What one grammar makes, the
      other one takes.
llama, xgrammar
      llama.cpp takes and refuses with docs/komuz.gbnf, and XGrammar with docs/komuz.ebnf, what the recogniser does with
      docs/komuz.gbnf: programs, random sentences, texts with syntax errors, and sentences with a character less or more.

KOMUZ is the executable: what is a syntax error is what `komuz check` says, a code K00.. or K01.., but for NO_SYNTAX."""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gbnf  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What no grammar without names and sizes can know.
NO_SYNTAX = {
    "K0017": "a warning of an operand in a comment",
    "K0019": "a warning of a comment",
    "K0115": "not supported yet",
    "K0117": "an open function outside of a harness",
    "K0133": "a type is too large",
    "K0150": "what a `for` runs over has no elements",
    "K0153": "a module that is not there",
    "K0168": "a comment",
    "K0171": "a range of what is no number",
    "K0183": "a length that is no number from 1 to 8,192",
}
# Messages of habits that a wrong name or type may lead to as well as a wrong form: of what the grammar has made it is these.
HABITS = {
    "K0127": "a name that another language has: `x.val()`",
    "K0154": "an assignment where a value is wanted: `assert { (a, b) = t }`",
    "K0179": "an `if` without an `else` where a value is wanted",
}
# Programs that are right and that the Lark grammar refuses, each with the reason. The list may shrink alone.
NOT_PARSED = {
    "tests/golden/modules/wrong_spaces.komuz": "a space without expressions, an error of its own",
    "tests/golden/run/arrays.komuz": "a range in two pairs of parentheses",
    "tests/golden/run/chains_ranges.komuz": "a range in two pairs of parentheses",
    "tests/golden/types/scalar_paths.komuz": "the type `f64.1`, an error of names",
    "tests/golden/types/sums.komuz": "the constructor `Bare()`, an error of types",
}
# Programs with a syntax error that the Lark grammar takes.
TAKEN_ANYWAY = {
    "tests/golden/names/loops_and_traps.komuz": "`traps` is a call like any other to it",
    "tests/golden/names/trap_names.komuz": "`traps` is a call like any other to it",
    "tests/golden/syntax/examples.komuz": "an error in a doc example, a comment to it",
}
# At least these shares, as measured, with a little room for new rows.
LEAST_CLEAN_SAMPLES = 0.998
LEAST_REFUSED_MISTAKES = 0.90
DECODERS = {
    "llama": ("node-llama-cpp", "komuz.gbnf"),
    "xgrammar": ("@mlc-ai/web-xgrammar", "komuz.ebnf"),
}


def relative(path):
    return str(path.relative_to(ROOT))


def programs(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.komuz"))


def text_of(path):
    return path.read_bytes().decode("utf-8", errors="replace")


def is_syntax(code):
    return code < "K0200" and code not in NO_SYNTAX


def diagnostics(komuz, paths):
    """The codes of what `komuz check` finds, with places, by path."""
    found = collections.defaultdict(list)
    run = subprocess.run([komuz, "check", "--json", *map(str, paths)], capture_output=True, text=True, check=False)
    for line in run.stdout.splitlines():
        row = json.loads(line)
        found[row["file"]].append(row)
    if run.returncode not in (0, 1) or (run.returncode == 1 and not found):
        sys.exit(f"{komuz} check failed: {run.stderr[:500]}")
    return found


class Report:
    def __init__(self):
        self.failures = 0

    def expect(self, holds, text):
        if not holds:
            self.failures += 1
            print(f"FAILED: {text}")


def samples(grammar, seed, count):
    sampler = gbnf.Sampler(grammar, random.Random(seed))
    return [sampler.sentence(12 + k % 30) for k in range(count)]


def check_gbnf(komuz, seed, count, report):
    check_plain(report)
    grammar = gbnf.Grammar((ROOT / "docs/komuz.gbnf").read_text())
    recogniser = gbnf.Recogniser(grammar)
    paths = programs("examples", "stdlib", "tests/services/format")
    found = diagnostics(komuz, paths)
    # With errors of names and types there may be more than are said: at most 8 of an item.
    right = [p for p in paths if all(r["severity"] != "error" for r in found[str(p)])]
    report.expect(len(right) > 50, f"only {len(right)} programs were found")
    for path in right:
        text = text_of(path)
        taken = recogniser.accepts(text)
        report.expect(taken is None, f"{relative(path)} does not parse behind {text[:taken][-60:]!r}")
    print(f"programs that parse: {len(right)}; alternatives followed at once: at most {recogniser.most}")
    for text in ("", "fn f() -> i64 { 1", "fn f() -> i64 { 1 2 }", "fn f() -> bool { 1 < 2 < 3 }",
                 "fn if() -> i64 { 1 }", "fn f(x: i64) -> i64 { g(x => x) }", "let x = 1;"):
        report.expect(recogniser.accepts(text) is not None, f"{text!r} parses")

    sentences = samples(grammar, seed, count)
    with tempfile.TemporaryDirectory() as folder:
        for k, text in enumerate(sentences):
            pathlib.Path(folder, f"{k:06}.komuz").write_text(text)
        found = diagnostics(komuz, [folder])
    wrong = 0
    for path, rows in sorted(found.items()):
        syntax = [row for row in rows if is_syntax(row["code"]) and row["code"] not in HABITS]
        wrong += bool(syntax)
        for row in syntax:
            print(f"sample {int(pathlib.Path(path).stem)}, line {row['line']}: {row['code']} {row['message']}")
    clean = 1 - wrong / len(sentences)
    print(f"seed {seed}: of {count} random sentences {count - wrong} have no syntax errors ({clean:.2%}), "
          f"{sum(map(len, sentences)) // count} characters each")
    report.expect(clean >= LEAST_CLEAN_SAMPLES, f"less than {LEAST_CLEAN_SAMPLES:.1%}")
    report.expect(len(found) > count // 2, "names that nobody defined were not reported: were the samples read?")
    for k, text in enumerate(sentences[:50]):
        report.expect(recogniser.accepts(text) is None, f"sample {k} is not accepted by the grammar that made it")


def check_plain(report):
    """The recipe of docs/grammars.md leaves nothing of holes and spaces that a text could reach."""
    page = (ROOT / "docs/grammars.md").read_text()
    recipe = re.search(r"sed -E '/(.*)/s/(.*)//g' docs/komuz.ebnf", page)
    report.expect(recipe is not None, "docs/grammars.md has no recipe for plain programs")
    if recipe is None:
        return
    for name in ("komuz.gbnf", "komuz.ebnf"):
        rules = {}
        for line in (ROOT / "docs" / name).read_text().splitlines():
            if re.search(recipe[1], line):
                line = re.sub(recipe[2], "", line)
            head, _, body = line.partition(" ::= ")
            rules[head] = body
        reached, waiting = set(), ["root"]
        while waiting:
            rule = waiting.pop()
            if rule in rules and rule not in reached:
                reached.add(rule)
                # Texts and sets are no rules.
                waiting += re.findall(r"[a-z][a-z0-9-]*", re.sub(r'"(\\.|[^"\\])*"|\[(\\.|[^\]\\])*\]', " ", rules[rule]))
        report.expect(len(reached) > 100, f"{name}: only {len(reached)} rules are reached")
        left = [rule for rule in reached if re.search(r'"(\?|space ?)"', rules[rule]) and not rule.startswith("callee")]
        report.expect(not left, f"{name}: {sorted(left)} are left of holes and spaces")


def mistakes():
    """(where, source) of the programs with syntax errors alone in tests/mistakes.txt and services/explanations/."""
    source, codes, found = [], [], []
    for number, line in enumerate((ROOT / "tests/mistakes.txt").read_text().splitlines() + [""], 1):
        if line.startswith("    "):
            codes += re.findall(r"^ +(K\d{4}) ", line)
        elif line and codes:
            raise ValueError(f"tests/mistakes.txt:{number}: a blank line is missing")
        elif line and not line.startswith("# "):
            source.append(line)
        elif not line:
            if source and codes and all(is_syntax(c) for c in codes):
                found.append((f"tests/mistakes.txt:{number}", "\n".join(source)))
            source, codes = [], []
    for page in sorted((ROOT / "services/explanations").glob("K0[01]*.md")):
        if is_syntax(page.stem):
            wrong = re.search(r"^```komuz wrong\n(.*?)^```$", page.read_text(), re.S | re.M)
            if wrong:
                found.append((relative(page), wrong.group(1)))
    return found


def check_lark(komuz, seed, count, report):
    try:
        import lark
    except ImportError:
        # A Python that was installed in another way does not see Debian's packages.
        if sys.executable != "/usr/bin/python3" and os.access("/usr/bin/python3", os.X_OK):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
        print("skipped: Python has no lark here; `apt-get install python3-lark`, or `scripts/setup`")
        sys.exit(77)
    parser = lark.Lark((ROOT / "docs/komuz.lark").read_text(), parser="earley", lexer="basic")

    def parses(text):
        try:
            parser.parse(text)
            return ""
        except lark.exceptions.LarkError as error:
            return str(error).splitlines()[0]

    paths = programs("examples", "stdlib", "tests/golden")
    found = diagnostics(komuz, paths)
    counts = collections.Counter()
    for path in paths:
        codes = {row["code"] for row in found[str(path)]}
        name = relative(path)
        if "K0115" in codes:
            counts["later"] += 1
            continue
        refused = parses(text_of(path))
        if any(is_syntax(code) for code in codes):
            counts["wrong"] += 1
            counts["wrong, refused"] += bool(refused)
            report.expect(bool(refused) != (name in TAKEN_ANYWAY), f"{name} is {'refused' if refused else 'taken'}")
        else:
            counts["right"] += 1
            counts["right, parsed"] += not refused
            report.expect(bool(refused) == (name in NOT_PARSED), f"{name}: {refused or 'parses; take it off the list'}")
    print(f"programs without syntax errors: {counts['right']}, of which parse: {counts['right, parsed']}; with: "
          f"{counts['wrong']}, of which are refused: {counts['wrong, refused']}; "
          f"with what is not supported yet, left out: {counts['later']}")

    wrong = mistakes()
    taken = [where for where, text in wrong if not parses(text)]
    share = 1 - len(taken) / len(wrong)
    print(f"single mistakes: {len(wrong)}, of which are refused: {len(wrong) - len(taken)} ({share:.1%}); taken:",
          *taken, sep="\n  ")
    report.expect(len(wrong) > 100, "the mistakes were not found")
    report.expect(share >= LEAST_REFUSED_MISTAKES, f"less than {LEAST_REFUSED_MISTAKES:.0%} are refused")

    grammar = gbnf.Grammar((ROOT / "docs/komuz.gbnf").read_text())
    for k, text in enumerate(samples(grammar, seed, count)):
        refused = parses(text)
        report.expect(not refused, f"sample {k} of the GBNF grammar does not parse: {refused}\n{text!r}")
    print(f"seed {seed}: {count} random sentences of the GBNF grammar parse with the Lark grammar")


def changed(text, source):
    """The text with a character left out, doubled or put in."""
    at = source.randrange(len(text))
    put = source.choice(("", text[at] * 2, text[at] + source.choice(" (){}[];,.:=+-*/|&<>!?'\"\n0a_\\")))
    return text[:at] + put + text[at + 1:]


def texts_to_compare(seed, count):
    source = random.Random(seed)
    grammar = gbnf.Grammar((ROOT / "docs/komuz.gbnf").read_text())
    sentences = [text for text in samples(grammar, seed, count) if len(text) < 2000]
    texts = [text_of(path) for path in programs("examples", "stdlib", "tests/golden", "tests/services/format")]
    texts += [text for _, text in mistakes()] + sentences
    # What is no character is read by each in its own way. Long ones take long: the recogniser follows each alternative.
    texts = sorted({text for text in texts if 0 < len(text) < 800 and "\0" not in text and "\ufffd" not in text})
    texts = source.sample(texts, count * 2)
    return grammar, texts + [changed(text, source) for text in texts]


def check_decoder(engine, seed, count, report):
    package, grammar_name = DECODERS[engine]
    folder = pathlib.Path(os.environ.get("KOMUZ_DECODERS", ROOT / "build/decoders"))
    node = shutil.which("node")
    if node is None or not (folder / "node_modules" / package).is_dir():
        print(f"skipped: there is no node, or no {package} in {folder}; `scripts/setup --test` gets it where node is")
        sys.exit(77)
    grammar, texts = texts_to_compare(seed, count)
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch, "texts.jsonl")
        path.write_text("".join(json.dumps(text) + "\n" for text in texts))
        script = pathlib.Path(__file__).parent / "decoders.mjs"
        run = subprocess.run([node, script, engine, folder, ROOT / "docs" / grammar_name, path],
                             capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{package} failed: {run.stderr[-2000:]}")
    found = [int(line) for line in run.stdout.split()]
    report.expect(len(found) == len(texts), f"{len(found)} answers to {len(texts)} texts")
    recogniser = gbnf.Recogniser(grammar)
    takes = 0
    for text, is_taken in zip(texts, found):
        refused_at = recogniser.accepts(text)
        takes += refused_at is None
        report.expect((refused_at is None) == (is_taken == 1), f"{engine} {'takes' if is_taken else 'refuses'} this, "
                      f"the recogniser {'takes it' if refused_at is None else f'refuses it at {refused_at}'}: {text!r}")
    print(f"seed {seed}: {len(texts)} texts, of which {takes} are taken; {package} and the recogniser differ on "
          f"{report.failures}")
    report.expect(len(texts) / 10 < takes < len(texts) * 9 / 10, "nearly all are taken, or nearly none")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("grammar", choices=("gbnf", "lark", *DECODERS))
    arguments.add_argument("komuz")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--samples", type=int)
    given = arguments.parse_args()
    report = Report()
    if given.grammar == "gbnf":
        check_gbnf(given.komuz, given.seed, given.samples or 1000, report)
    elif given.grammar in DECODERS:
        check_decoder(given.grammar, given.seed, given.samples or 100, report)
    else:
        check_lark(given.komuz, given.seed, given.samples or 60, report)
    sys.exit(1 if report.failures else 0)


if __name__ == "__main__":
    main()

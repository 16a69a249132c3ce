#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the grammars in editors/ colour programs as the lexer does? The editor itself colours them, without a screen.

    check_colours.py EDITOR WRITE_COLOURS    EDITOR: textmate, codemirror, vim, emacs, kate or tree_sitter

Every letter of the corpus is compared. What a line by itself cannot tell is left to the language server, and stands in DIFFERENT: a row
there that is true no more fails, too.
Exit codes: 0, they are the same; 1, they are not; 77, the editor is not installed.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from editor_runs import EDITORS, SOURCE, corpus, driver_of, environment, program, run_on_files

CORPUS = ["examples/**", "stdlib", "tests/golden/run", "tests/golden/sketches", "tests/golden/types", "tests/services/format"]

DIFFERENT = {
    # The `(` of the call stands on the next line.
    ("tests/golden/run/line_ends.komuz", 29, "a"),
    # What `limit` takes is a whole number, so that the lexer takes it for a name here, which is an error.
    ("tests/golden/types/mismatches.komuz", 63, "limit"),
}

# A grammar of whole programs has nothing to say of faulty ones.
FAULTY = ["tests/golden/types/", "tests/golden/sketches/errors", "tests/golden/sketches/lost_spaces", "tests/services/format/items"]

# What the editors call what services/highlight names; the first that fits counts. None: no colour.
KINDS = {
    "textmate": [
        ("comment", "comment"), ("string", "string"), ("entity.name.function.preprocessor.hole", "hole"), ("keyword.operator", None),
        ("keyword", "keyword"), ("storage.type", "keyword"), ("constant.language", "number"), ("constant.numeric", "number"),
        ("support.type", "type"), ("support.constant", "type"), ("support.class", "type"), ("entity.name.type", "type"),
        ("support.function", "function"), ("entity.name.function", "function"), ("punctuation", None), ("source", None)],
    "codemirror": [
        ("comment", "comment"), ("string", "string"), ("macroName", "hole"), ("keyword", "keyword"), ("bool", "number"),
        ("number", "number"), ("typeName", "type"), ("variableName.function", "function"), ("variableName", None), ("bracket", None),
        ("operator", None)],
    "vim": [
        ("komuzItem", "keyword"), ("komuzDeclaration", "keyword"), ("komuzStatement", "keyword"), ("komuzControl", "keyword"),
        ("komuzBound", "keyword"), ("komuzIn", "keyword"), ("komuzBoolean", "number"), ("komuzNumber", "number"),
        ("komuzFloat", "number"), ("komuzPart", "number"), ("komuzType", "type"), ("komuzConst", "type"), ("komuzCall", "function"),
        ("komuzDefinition", "function"), ("komuzBuiltin", "function"), ("komuzHole", "hole"), ("komuzString", "string"),
        ("komuzCharacter", "string"), ("komuzComment", "comment"), ("komuzDoc", "comment"), ("komuzOperator", None)],
    "emacs": [
        ("font-lock-comment", "comment"), ("font-lock-doc", "comment"), ("font-lock-string", "string"), ("font-lock-keyword", "keyword"),
        ("komuz-number", "number"), ("font-lock-type", "type"), ("komuz-constant", "type"), ("font-lock-function-name", "function"),
        ("font-lock-builtin", "function"), ("komuz-hole", "hole")],
    "tree_sitter": [
        ("comment", "comment"), ("string", "string"), ("character", "string"), ("number", "number"), ("boolean", "number"),
        ("keyword", "keyword"), ("type", "type"), ("constant.builtin", "type"), ("function", "function"), ("macro", "hole"),
        ("operator", None), ("punctuation", None), ("variable", None), ("namespace", None)],
    "kate": [
        ("Item", "keyword"), ("Statement", "keyword"), ("Control", "keyword"), ("Bound", "keyword"), ("Boolean", "number"),
        ("Number", "number"), ("Float", "number"), ("Type", "type"), ("Constant", "type"), ("Function", "function"),
        ("Builtin", "function"), ("Hole", "hole"), ("String", "string"), ("Character", "string"), ("Escape", "string"),
        ("Comment", "comment"), ("Documentation", "comment"), ("Operator", None), ("Symbol", None), ("Normal Text", None)],
}


def kate():
    """A theme of a colour for each style; the page tells the styles by them."""
    tool = program("kate-syntax-highlighter")
    names = [name for name, _ in KINDS["kate"]]
    colours = {name: f"#0000{number + 1:02x}" for number, name in enumerate(names)}

    def show(files, folder):
        data = os.path.join(folder, "org.kde.syntax-highlighting")
        for part in ("syntax", "themes"):
            os.makedirs(os.path.join(data, part))
        shutil.copy(os.path.join(EDITORS, "kate", "komuz.xml"), os.path.join(data, "syntax"))
        # Comments may have words of another definition in them.
        plain = {style: {"text-color": "#0000ff"} for style in (
            "Normal Keyword Function Variable ControlFlow Operator BuiltIn Extension Preprocessor Attribute Char SpecialChar String "
            "VerbatimString SpecialString Import DataType DecVal BaseN Float Constant Comment Documentation Annotation CommentVar "
            "RegionMarker Information Warning Alert Others Error").split()}
        theme = {"metadata": {"name": "Komuz", "revision": 1}, "text-styles": plain, "editor-colors": {},
                 "custom-styles": {"Komuz": {name: {"text-color": colour, "selected-text-color": colour} for name, colour in colours.items()}}}
        with open(os.path.join(data, "themes", "komuz.theme"), "w", encoding="utf-8") as out:
            json.dump(theme, out)
        lists = []
        for file in files:
            page = subprocess.run([tool, "-s", "Komuz", "-t", "Komuz", file], capture_output=True, text=True, check=True,
                                  env=environment(folder, XDG_DATA_HOME=folder)).stdout
            body = re.search(r"<pre>\n(.*)</pre>", page, re.S)[1]
            lines = []
            for line in body.split("\n"):
                stretches, at = [], 0
                for colour, inside, plain_text in re.findall(r'<span style="color:(#\w+);[^"]*">(.*?)</span>|([^<]+)', line):
                    length = len(html.unescape(inside or plain_text))
                    # A colour that is no style's of ours is of a word of another definition, in a comment.
                    name = next((name for name, own in colours.items() if own == colour), "Comment") if colour else "Normal Text"
                    stretches.append([at, at + length, name])
                    at += length
                lines.append(stretches)
            lists.append(lines)
        return lists
    return show


# How each counts columns.
UNITS = {"textmate": "utf-16", "codemirror": "utf-16", "tree_sitter": "utf-16", "vim": "bytes", "emacs": "letters", "kate": "letters"}


def shower(editor):
    """Gives for each file, for each line, [begin, end, what the editor calls it]."""
    if editor == "kate":
        return kate()
    command = driver_of(editor, "colours")
    return lambda files, folder: run_on_files(command, files, folder)


def kind_of(editor, name, where):
    for start, kind in KINDS[editor]:
        if name.startswith(start):
            return kind
    sys.exit(f"{where}: nobody knows what `{name}` is")


def letters_of(line, unit):
    """For each column of a line, the letter that it is of."""
    if unit == "letters":
        return list(range(len(line)))
    width = (lambda letter: len(letter.encode("utf-16-le")) // 2) if unit == "utf-16" else (lambda letter: len(letter.encode()))
    return [at for at, letter in enumerate(line) for _ in range(width(letter))]


def shown_kinds(editor, unit, lines, shown, file):
    """A kind for each letter of each line."""
    all_kinds = []
    for number, line in enumerate(lines):
        kinds = [None] * len(line)
        columns = letters_of(line, unit)
        for begin, end, name in shown[number] if number < len(shown) else []:
            kind = kind_of(editor, name, f"{file}:{number + 1}")
            for column in range(begin, min(end, len(columns))):
                kinds[columns[column]] = kind
        all_kinds.append(kinds)
    return all_kinds


def wanted_kinds(lines, stretches):
    by_byte = {}
    for begin, end, kind in stretches:
        for at in range(begin, end):
            by_byte[at] = kind
    all_kinds, byte = [], 0
    for line in lines:
        kinds = []
        for letter in line:
            kinds.append(by_byte.get(byte))
            byte += len(letter.encode())
        all_kinds.append(kinds)
        byte += 1
    return all_kinds


def differences(line, wanted, shown):
    """(word, wanted, shown) where they differ. Blanks have no colour that one sees."""
    at = 0
    while at < len(line):
        if wanted[at] == shown[at] or line[at].isspace():
            at += 1
            continue
        begin = at
        while at < len(line) and wanted[at] != shown[at] and (wanted[at], shown[at]) == (wanted[begin], shown[begin]):
            at += 1
        yield line[begin:at], wanted[begin], shown[begin]


def main():
    editor, write_colours = sys.argv[1:]
    unit = UNITS[editor]
    show = shower(editor)
    # Vim is slow: it looks for all patterns anew for each word that it is asked about.
    files = corpus(CORPUS)[:: 3 if editor == "vim" else 1]
    if editor == "tree_sitter":
        files = [file for file in files if not os.path.relpath(file, SOURCE).startswith(tuple(FAULTY))]
    said = subprocess.run([write_colours, *files], capture_output=True, check=True, cwd=SOURCE)
    wanted = json.loads(said.stdout)
    with tempfile.TemporaryDirectory(prefix="komuz_colours_") as folder:
        shown = show(files, folder)
    # tree-sitter sees the next line, too, and no faulty program.
    different = {} if editor == "tree_sitter" else DIFFERENT
    count, wrong, met = 0, [], set()
    for file, stretches, theirs in zip(files, wanted, shown):
        with open(file, encoding="utf-8") as text:
            lines = text.read().split("\n")
        name = os.path.relpath(file, SOURCE)
        # The lexer refuses what is no text.
        if not stretches:
            continue
        pairs = zip(lines, wanted_kinds(lines, stretches), shown_kinds(editor, unit, lines, theirs, name))
        for number, (line, ours, others) in enumerate(pairs):
            count += sum(1 for kind in ours if kind)
            for word, kind, other in differences(line, ours, others):
                if (name, number + 1, word) in different:
                    met.add((name, number + 1, word))
                else:
                    wrong.append(f"{name}:{number + 1}: `{word}` is {kind}, and shown as {other}")
    wrong += [f"{name}:{number}: `{word}` is coloured as the lexer does: DIFFERENT needs no row of it"
              for name, number, word in sorted(set(different) - met) if os.path.join(SOURCE, name) in files]
    print(f"{editor}: {count} coloured letters of {len(files)} files, {len(wrong)} stretches differ")
    for line in wrong[:40]:
        print(line)
    # A corpus without colours would be equal, too.
    sys.exit(1 if wrong or count < 50_000 else 0)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in UNITS:
        sys.exit(__doc__)
    main()

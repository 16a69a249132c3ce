# SPDX-License-Identifier: Apache-2.0
"""What a model is told of the programs so far (Pool.feedback). Other tools read it, so it stays as it is."""
from __future__ import annotations

import json
from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple

from ._ranking import Candidate

LONGEST = 200  # characters of JSON that are shown of an argument or a result
MANY = 2  # programs that have made a mistake, for it to be a common one


def feedback(
    best_first: Iterable[Candidate],
    last: Sequence[Candidate],
    new: Sequence[Candidate],
    wrong: Dict[str, int],
    n: int,
    failed: int,
    common: int,
) -> str:
    """`wrong`: how many programs have made each mistake; it takes those of `new` candidates."""
    for candidate in new:
        mistake = _mistake_of(candidate)
        if mistake is not None:
            wrong[mistake] = wrong.get(mistake, 0) + 1
    best = _distinct(best_first, n)
    known = {candidate.row["behaviour"] for candidate in best}
    ones = [one for one in last if one.status != "ok" and (one.score is None or one.row["behaviour"] not in known)]
    ones.sort(key=lambda candidate: candidate.score is not None)  # those without a score first
    parts: List[Tuple[str, List[str]]] = [
        ("The best programs so far", list(map(_shown, best))),
        ("Programs that failed", list(map(_shown, ones[:failed]))),
        ("What went wrong most often", _most(wrong, common)),
    ]
    return "\n".join(f"# {heading}\n\n" + "\n".join(texts) for heading, texts in parts if any(texts))


def _distinct(best_first: Iterable[Candidate], n: int) -> List[Candidate]:
    """The best of each behaviour: a model learns little from ten ways to write a program."""
    seen: Set[str] = set()
    found: List[Candidate] = []
    for candidate in best_first:
        if len(found) == n or candidate.score is None:
            break
        behaviour = candidate.row["behaviour"]
        if behaviour not in seen:
            seen.add(behaviour)
            found.append(candidate)
    return found


def _shown(candidate: Candidate) -> str:
    """A program with its score and what is wrong with it."""
    score = candidate.score
    source = candidate.source.strip()
    fence = "```"
    while fence in source:  # in a text of the program
        fence += "`"
    name = " ".join(candidate.id.split())
    lines = [f"## {name}: {candidate.status if score is None else f'score {score:g}'}"]
    lines += [f"{fence}komuz", source, fence]
    lines += [f"{d.line}:{d.column}: {d.message}" for d in candidate.diagnostics]
    if candidate.status != "ok":
        for failure in candidate.failures:
            short = {key: value for key, value in failure.items() if len(json.dumps(value)) <= LONGEST}
            lines.append(f"first failure: {json.dumps(short)}")
    return "\n".join(lines) + "\n"


def _mistake_of(candidate: Candidate) -> Optional[str]:
    """The code of the first error, or of the trap that it ended in."""
    if candidate.status in ("ok", "wrong") or candidate.duplicate_of is not None:
        return None
    for diagnostic in candidate.diagnostics:
        if diagnostic.severity == "error":
            return diagnostic.code
    for failure in candidate.failures:
        if failure.get("trap"):
            return str(failure["trap"]["code"])
    return None


def _most(wrong: Dict[str, int], common: int) -> List[str]:
    counts: List[Tuple[int, str]] = sorted((-count, code) for code, count in wrong.items() if count >= MANY)
    return ["".join(f"- {-negative} programs: {code}{_meaning(code)}\n" for negative, code in counts[:common])]


def _meaning(code: str) -> str:
    """What the manual says of it first."""
    from ._errors import OptionError
    from ._texts import explain

    try:
        found = explain(code)
    except OptionError:  # such as `refused`
        return ""
    text = " ".join(found.text.split("\n\n")[0].split())
    return f", {found.message}. {text}" if found.message else f": {text}"

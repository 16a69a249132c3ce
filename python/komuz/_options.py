# SPDX-License-Identifier: Apache-2.0
"""Options of `komuz eval` and `komuz search` as keywords: `--first-failure` is `first_failure=True`."""
from __future__ import annotations

import functools
import re
from typing import Any, Dict, List, Mapping, NoReturn, Tuple

from ._errors import Error, OptionError

# What belongs to a terminal or to files, and what takes its place.
NOT_IN_PYTHON = {
    "progress": "give a function, `progress=print`, or `progress=True`",
    "memory": "bound the memory of the process, such as by `resource.setrlimit`",
}


# Options that may be given several times, and so take lists.
REPEATED = frozenset({"category", "ignore", "input", "start"})


def check_flag(name: str, value: Any) -> bool:
    """An argument that is either on or off."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    raise OptionError(f"`{name}` is {value!r}, and it is either on or off", remedy="give True, or leave it out")


@functools.lru_cache(maxsize=None)
def options_of(command: str) -> Dict[str, Tuple[str, str]]:
    """The options of `eval`, `search` or `fit`: what the value of each is called, or nothing for a flag, and its help."""
    from . import _komuz

    return _komuz.options_of(command)


def words_of(command: str, options: Dict[str, Any], elsewhere: Mapping[str, str] = NOT_IN_PYTHON) -> List[str]:
    """The words of a command line that say the same. `elsewhere`: options that have other forms here."""
    words: List[str] = []
    known = options_of(command)
    for name, value in options.items():
        option = name.replace("_", "-")
        if option in elsewhere:
            raise OptionError(f"there is no option `{name}` here", remedy=elsewhere[option])
        if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
            value = value.item()
        if value is None or value is False:
            continue
        # A name that is not known is the engine's matter, which knows similar ones.
        wanted, help = known.get(option, (None, ""))
        if value is True:
            if wanted:
                raise OptionError(f"`{name}` is True, and it takes a value", remedy=f"give {wanted}: {in_python(help)}")
            words.append(f"--{option}")
            continue
        if wanted == "":
            raise OptionError(f"`{name}` is {value!r}, and it is either on or off", remedy="give True, or leave it out")
        if isinstance(value, (list, tuple)) and wanted and option not in REPEATED:
            raise OptionError(f"`{name}` is a {type(value).__name__}, and it takes one value", remedy=f"give {wanted}: {in_python(help)}")
        values = value if isinstance(value, (list, tuple)) else [value]
        for one in values:
            words.append(f"--{option}={_text(name, one)}")
    return words


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:
        value = value.item()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**63 else repr(value)
    if isinstance(value, int) or hasattr(value, "__fspath__"):
        return str(value)
    raise OptionError(f"`{name}` is a {type(value).__name__}", remedy="give a number or a text")


def _keyword(match: "re.Match[str]") -> str:
    name, value = match.group(1).replace("-", "_"), match.group(2)
    if not value:
        return f"`{name}`"
    value = value.strip().lstrip("=").strip()
    return f"`{name}={value}`" if re.fullmatch(r"[A-Z0-9./-]+", value) else f"`{name}={value!r}`"


def _bare_keyword(match: "re.Match[str]") -> str:
    name = match.group(1)
    known = any(name in options_of(command) for command in ("eval", "search", "fit"))
    return f"`{name.replace('-', '_')}`" if known else match.group(0)


def in_python(text: str) -> str:
    """A sentence about options of command lines, with their names in Python.

    >>> in_python("`--first-failure` is for `--score exact`, and --seed for `--samples`")
    "`first_failure` is for `score='exact'`, and `seed` for `samples`"
    """
    pieces = re.sub(r"`--([a-z][a-z-]*)((?:[ =][^`]*)?)`", _keyword, text).split("`")
    # What stands in backticks besides is a command line, or somebody's text.
    pieces[::2] = [re.sub(r"(?<![^ (\[])--([a-z]+(?:-[a-z]+)*)(?![\w-])", _bare_keyword, piece) for piece in pieces[::2]]
    return "`".join(pieces)


def raise_in_python(error: Error) -> NoReturn:
    """Raises the error, which speaks of keywords."""
    error.message, error.remedy = in_python(error.message), in_python(error.remedy)
    error.args = (error.message,)
    raise error from None

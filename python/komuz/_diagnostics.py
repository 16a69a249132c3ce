# SPDX-License-Identifier: Apache-2.0
"""What the compiler says of a text."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence

from ._errors import CompileError


@dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note about a place in a text.

    Lines and columns count from 1, columns in bytes. `fix`, if somebody knows one, is the text that replaces the bytes
    `fix_begin` to `fix_end`.
    """

    code: str
    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    fix: Optional[str] = None
    fix_begin: int = 0
    fix_end: int = 0

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"


def diagnostic_of(row: "dict[str, Any]") -> Diagnostic:
    """The diagnostic of an object of a report."""
    fix = row.get("fix") or {}
    return Diagnostic(
        code=row["code"],
        severity=row["severity"],
        message=row["message"],
        line=row["line"],
        column=row["column"],
        end_line=row["end_line"],
        end_column=row["end_column"],
        fix=fix.get("text"),
        fix_begin=fix.get("begin", 0),
        fix_end=fix.get("end", 0),
    )


def read_diagnostics(text: str) -> List[Diagnostic]:
    """The diagnostics of an array of such objects."""
    return [diagnostic_of(row) for row in json.loads(text)]


def compile_error(diagnostics: Sequence[Diagnostic], name: str = "<text>") -> CompileError:
    """The exception for a program with errors: it speaks of the first one."""
    errors = [d for d in diagnostics if d.severity == "error"]
    if not errors:
        return CompileError("the program does not compile", diagnostics=diagnostics, file=name)
    first = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return CompileError(
        f"{first.severity}[{first.code}]: {first.message}{more}",
        diagnostics=diagnostics,
        file=name,
        line=first.line,
        column=first.column,
    )

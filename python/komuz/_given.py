# SPDX-License-Identifier: Apache-2.0
"""What a run is given, in a form that can be sent to other processes."""
from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

from ._cases import Cases
from ._candidates import Candidates


@dataclass
class Given:
    """A run of `komuz eval` or `komuz search`: its words, and the texts that take the place of files."""

    is_search: bool
    words: List[str]
    candidates: Candidates
    cases: Optional[Cases] = None
    held_out: Optional[Cases] = None

    @property
    def sketch(self) -> Optional[Tuple[str, str]]:
        return self.candidates.sketch

    @property
    def case_text(self) -> Optional[Tuple[str, str]]:
        """The cases as a text, which other processes can read."""
        if self.cases is None or self.cases.table is None:
            return None
        table = self.cases.table
        return self.cases.name, table if isinstance(table, str) else table.csv_text()


@dataclass(repr=False)
class Sent:
    """The same for a worker. Texts are a list, as each part reads all of them."""

    words: List[str]
    texts: Optional[List[Tuple[str, str]]]
    sketch: Optional[Tuple[str, str]]
    cases: Optional[Tuple[str, str]]
    run: str = ""  # a name that no other run has

    def __repr__(self) -> str:  # Dask shows it where a task fails
        return f"<run {self.run}>"

# SPDX-License-Identifier: Apache-2.0
"""Figures beside their targets, as tables of docs/measurements.md."""
import math
import statistics


def median(times):
    return statistics.median(times)


def p99(times):
    return sorted(times)[math.ceil(0.99 * len(times)) - 1]


def number(value):
    return "%.2f" % value if value < 10 else "%.1f" % value if value < 100 else "%.0f" % value


class Target:
    """What own times have to be; `words` say it. It is not known whether it is reached where clangd would have to be there."""

    def __init__(self, words, *conditions):
        self.words, self.conditions = words, conditions

    def is_reached(self, own, clangd):
        found = [condition(own, clangd) for condition in self.conditions]
        return None if None in found else all(found)


def at_most(figure, milliseconds):
    return lambda own, clangd: figure(own) <= milliseconds


def part_of_clangd(figure, parts):
    """Of the median of clangd."""
    return lambda own, clangd: None if clangd is None else figure(own) <= median(clangd) / parts


class Row:
    """Milliseconds of requests by the name of the server, komuz among them."""

    def __init__(self, what, must=None, goal=None):
        self.what, self.must, self.goal, self.times, self.note = what, must, goal, {}, ""

    def verdict(self):
        own = self.times.get("komuz")
        clangd = next((times for name, times in self.times.items() if name.startswith("clangd")), None)
        if not own or self.must is None:
            return ""
        must, goal = (target.is_reached(own, clangd) for target in (self.must, self.goal))
        if must is None:
            return "clangd is not there"
        return "**missed**" if not must else "goal reached" if goal else "must reached"

    def cells(self, names):
        def cell(times):
            return "%s; %s (%s)" % (number(median(times)), number(p99(times)), f"{len(times):,}") if times else ""
        targets = [target.words if target else "" for target in (self.must, self.goal)]
        return [self.what, *(cell(self.times.get(name)) for name in names), *targets, " · ".join(filter(None, (self.verdict(), self.note)))]


class Rest:
    """One figure by the name of the server: memory and rest. `most`: what is the must, and the goal."""

    def __init__(self, what, form, must=None, goal=None):
        self.what, self.form, self.must, self.goal, self.figures, self.note = what, form, must, goal, {}, ""

    def verdict(self):
        own = self.figures.get("komuz")
        if own is None or self.must is None:
            return ""
        return "**missed**" if own > self.must else "goal reached" if self.goal is not None and own <= self.goal else "must reached"

    def cells(self, names):
        figures = [self.form.format(self.figures[name]) if name in self.figures else "" for name in names]
        targets = ["" if target is None else self.form.format(target) for target in (self.must, self.goal)]
        return [self.what, *figures, *targets, " · ".join(filter(None, (self.verdict(), self.note)))]


def table(head, rows, names):
    lines = [[head, *names, "must", "goal", ""], ["---"] * (len(names) + 4), *(row.cells(names) for row in rows)]
    return "".join("| %s |\n" % " | ".join(line) for line in lines)

# SPDX-License-Identifier: Apache-2.0
"""GBNF, the grammar notation of llama.cpp: a reader, a recogniser and a sampler.

The recogniser follows all alternatives at once, a stack of what is still to come for each, as llama.cpp does; so a
grammar that it cannot handle (left recursion, rules that are not there) is refused here, too."""

import functools
import sys


class Grammar:
    """Rules as lists of alternatives; an alternative is a tuple of symbols: a rule's name or a (frozen) set of ranges."""

    def __init__(self, text):
        self.rules = {}
        self.fresh = 0
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, separator, body = line.partition(" ::= ")
            if not separator or name in self.rules:
                raise ValueError(f"line {number}: no rule, or its second one: {line}")
            self.at, self.body, self.name = 0, body, name
            self.rules[name] = None
            self.rules[name] = self.alternatives()
            if self.at != len(body):
                raise ValueError(f"line {number}: cannot read what starts at column {len(name) + 6 + self.at}")
        missing = {s for alternatives in self.rules.values() for a in alternatives for s in a
                   if isinstance(s, str) and s not in self.rules}
        if missing:
            raise ValueError(f"no such rules: {sorted(missing)}")
        self.refuse_left_recursion()

    def alternatives(self):
        found = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            found.append(self.sequence())
        return found

    def peek(self):
        while self.at < len(self.body) and self.body[self.at] == " ":
            self.at += 1
        return self.body[self.at] if self.at < len(self.body) else ""

    def sequence(self):
        symbols = []
        while self.peek() and self.peek() not in "|)":
            item = self.item()
            mark = self.body[self.at] if self.at < len(self.body) else ""
            if mark and mark in "?*+":
                self.at += 1
                item = (self.repeated(item, mark),)
            symbols.extend(item)
        return tuple(symbols)

    def repeated(self, item, mark):
        rule = self.new_rule()
        if mark == "?":
            self.rules[rule] = [item, ()]
        elif mark == "*":
            self.rules[rule] = [item + (rule,), ()]
        else:
            more = self.repeated(item, "*")
            self.rules[rule] = [item + (more,)]
        return rule

    def new_rule(self):
        self.fresh += 1
        return f"{self.name}_{self.fresh}"

    def item(self):
        c = self.body[self.at]
        if c == '"':
            self.at += 1
            symbols = []
            while self.body[self.at] != '"':
                code = self.character()
                symbols.append((False, ((code, code),)))
            self.at += 1
            return tuple(symbols)
        if c == "[":
            return (self.character_set(),)
        if c == "(":
            self.at += 1
            rule = self.new_rule()
            self.rules[rule] = self.alternatives()
            if self.peek() != ")":
                raise ValueError(f"{self.name}: a bracket is not closed")
            self.at += 1
            return (rule,)
        start = self.at
        while self.at < len(self.body) and (self.body[self.at].isalnum() or self.body[self.at] == "-"):
            self.at += 1
        if start == self.at:
            raise ValueError(f"{self.name}: unexpected {c!r}")
        return (self.body[start:self.at],)

    def character(self):
        c = self.body[self.at]
        self.at += 1
        if c != "\\":
            return ord(c)
        c = self.body[self.at]
        self.at += 1
        escapes = {"n": 10, "t": 9, "r": 13, '"': 34, "\\": 92, "[": 91, "]": 93}
        return escapes[c]

    def character_set(self):
        self.at += 1
        negative = self.body[self.at] == "^"
        self.at += negative
        ranges = []
        while self.body[self.at] != "]":
            low = high = self.character()
            if self.body[self.at] == "-" and self.body[self.at + 1] != "]":
                self.at += 1
                high = self.character()
            ranges.append((low, high))
        self.at += 1
        return (negative, tuple(ranges))

    def refuse_left_recursion(self):
        empty = set()
        grown = True
        while grown:
            grown = False
            for name, alternatives in self.rules.items():
                if name not in empty and any(all(s in empty for s in a) for a in alternatives):
                    empty.add(name)
                    grown = True
        starts = {name: set() for name in self.rules}
        for name, alternatives in self.rules.items():
            for a in alternatives:
                for s in a:
                    if isinstance(s, str):
                        starts[name].add(s)
                    if s not in empty:
                        break
        for name in self.rules:
            seen, open_rules = set(), list(starts[name])
            while open_rules:
                rule = open_rules.pop()
                if rule not in seen:
                    seen.add(rule)
                    open_rules.extend(starts[rule])
            if name in seen:
                raise ValueError(f"{name} starts with itself, which llama.cpp refuses")


def takes(symbol, code):
    negative, ranges = symbol
    return any(low <= code <= high for low, high in ranges) != negative


class Recogniser:
    def __init__(self, grammar):
        self.grammar = grammar
        self.expand = functools.lru_cache(maxsize=None)(self.expand_symbols)
        self.most = 0

    def expand_symbols(self, symbols):
        """What may come first in `symbols`: (a set of characters, the symbols behind it), or None: nothing is left."""
        done, open_ones, found = set(), [symbols], []
        while open_ones:
            symbols = open_ones.pop()
            if symbols in done:
                continue
            done.add(symbols)
            if not symbols:
                found.append(None)
            elif isinstance(symbols[0], str):
                open_ones.extend(a + symbols[1:] for a in self.grammar.rules[symbols[0]])
            else:
                found.append((symbols[0], symbols[1:]))
        return tuple(found)

    def firsts(self, stacks):
        """Stacks are linked, (symbols, the stack below), so that those with one end share it."""
        done, open_ones, ready, accepted = set(), list(stacks), set(), False
        while open_ones:
            stack = open_ones.pop()
            if stack in done:
                continue
            done.add(stack)
            if stack is None:
                accepted = True
                continue
            symbols, below = stack
            if not symbols:
                open_ones.append(below)
            elif isinstance(symbols[0], str):
                rest = (symbols[1:], below) if len(symbols) > 1 else below
                open_ones.extend((a, rest) if a else rest for a in self.grammar.rules[symbols[0]])
            else:
                ready.add(stack)
        return ready, accepted

    def accepts(self, text):
        """None if it does, else the number of characters that it takes."""
        ready, accepted = self.firsts([(("root",), None)])
        for at, c in enumerate(text):
            self.most = max(self.most, len(ready))
            code = ord(c)
            after = {(symbols[1:], below) for symbols, below in ready if takes(symbols[0], code)}
            if not after:
                return at
            ready, accepted = self.firsts(after)
        return None if accepted else len(text)


class Sampler:
    """Random sentences. Deeper than `depth`, alternatives are taken that end soonest."""

    def __init__(self, grammar, random):
        self.grammar, self.random = grammar, random
        self.least = {}
        grown = True
        while grown:
            grown = False
            for name, alternatives in grammar.rules.items():
                costs = [self.cost(a) for a in alternatives]
                least = 1 + min(costs)
                if least < self.least.get(name, sys.maxsize):
                    self.least[name] = least
                    grown = True

    def cost(self, symbols):
        return max((self.least.get(s, sys.maxsize // 2) if isinstance(s, str) else 0 for s in symbols), default=0)

    def sentence(self, depth):
        out, stack = [], [("root", depth)]
        while stack:
            symbol, left = stack.pop()
            if not isinstance(symbol, str):
                out.append(self.character(symbol))
                continue
            alternatives = self.grammar.rules[symbol]
            if left <= 0:
                costs = [self.cost(a) for a in alternatives]
                alternatives = [a for a, cost in zip(alternatives, costs) if cost == min(costs)]
            chosen = self.random.choice(alternatives)
            if symbol in ("ws", "gap", "line") or symbol.startswith(("gap_", "line_")):
                if self.random.random() < 0.8:
                    chosen = min(alternatives, key=lambda a: (self.cost(a), len(a)))
            stack.extend((s, left - 1) for s in reversed(chosen))
        return "".join(out)

    def character(self, symbol):
        negative, ranges = symbol
        if negative:
            return self.random.choice([c for c in " ab9+/*(]é" if takes(symbol, ord(c))])
        low, high = self.random.choice(ranges)
        return chr(self.random.randint(low, high))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches of other tools for the formulas of regression_search.py, on the same rows and judged in the same way, for so much processor time.

    /usr/bin/python3 bench/regression_peers.py --peer deap --seconds 8
    PYTHONPATH=… /usr/bin/python3 bench/regression_peers.py --peer gplearn --seconds 8 --seconds 24
    /usr/bin/python3 bench/regression_peers.py --operon …/operon_gp --seconds 8 --seconds 24

DEAP and gplearn have the operations of feynman_search.py and constants, populations of 500, and rank by the correlation, as `--score correlation` does;
the line through what a formula gives is fitted afterwards. What else they have is their default or the example of their documentation.

Operon is run by its command line, with OPERON_OPTIONS and its defaults. It is stopped when its processor time is over. So its program has to print
what it has: the best formula whenever it has become better, in a line that begins with `formula: `, with all digits.
"""
import argparse
import math
import operator
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
import warnings

import numpy

import feynman_search
import regression_search

POPULATION = 500
OPERON_OPTIONS = "--enable-symbols exp,log,square,sqrt,sin,cos,tanh --population-size 200 --pool-size 200 --iterations 5"


def quotient(a, b):
    with numpy.errstate(all="ignore"):
        return numpy.where(b == 0, 0.0, a / numpy.where(b == 0, 1.0, b))


def root(a):
    return numpy.sqrt(numpy.maximum(a, 0.0))


def logarithm(a):
    return numpy.log(numpy.where(a > 0, a, 1.0))


def exponential(a):
    return numpy.exp(numpy.minimum(a, 700.0))


def squared_correlation(values, expected):
    """0 where there is none."""
    values = numpy.broadcast_to(numpy.asarray(values, float), expected.shape)
    if not numpy.all(numpy.isfinite(values)) or numpy.ptp(values) == 0:
        return 0.0
    with numpy.errstate(all="ignore"):
        r = numpy.corrcoef(values, expected)[0, 1]
    return float(r * r) if math.isfinite(r) else 0.0


def fresh_r2(values, expected, fresh_values, fresh_expected):
    """R² on fresh rows of the line that fits the others."""
    values, fresh_values = (numpy.broadcast_to(numpy.asarray(v, float), e.shape)
                            for v, e in ((values, expected), (fresh_values, fresh_expected)))
    with numpy.errstate(all="ignore"):
        ways = values - values.mean()
        slope = numpy.sum(ways * (expected - expected.mean())) / numpy.sum(ways * ways)
        misses = fresh_expected - (expected.mean() + slope * (fresh_values - values.mean()))
        r2 = 1 - numpy.sum(misses ** 2) / numpy.sum((fresh_expected - fresh_expected.mean()) ** 2)
    return float(r2) if math.isfinite(r2) else float("-inf")


def any_constant():
    return random.uniform(-5, 5)


class HereSearch:
    """A search in this process."""

    least_error = 1e-12  # of 1 - R² on the rows of the search; it ends there

    def __init__(self):
        self.begin = time.process_time()

    def seconds(self):
        return time.process_time() - self.begin

    def end(self):
        pass


class Deap(HereSearch):
    """The symbolic regression of its documentation (gp_symbreg), by columns."""

    def __init__(self, columns, expected, seed):
        super().__init__()
        from deap import base, creator, gp, tools
        random.seed(seed)
        self.columns, self.expected, self.gp, self.tools = columns, expected, gp, tools
        primitives = gp.PrimitiveSet("main", len(columns))
        for function in (operator.add, operator.sub, operator.mul, quotient):
            primitives.addPrimitive(function, 2)
        for function in (root, exponential, logarithm, numpy.sin, numpy.cos, numpy.tanh):
            primitives.addPrimitive(function, 1)
        primitives.addEphemeralConstant("constant", any_constant)
        if not hasattr(creator, "FitnessMax"):
            creator.create("FitnessMax", base.Fitness, weights=(1.0,))
            creator.create("Individual", gp.PrimitiveTree, fitness=creator.FitnessMax)
        box = self.box = base.Toolbox()
        box.register("expr", gp.genHalfAndHalf, pset=primitives, min_=1, max_=2)
        box.register("individual", tools.initIterate, creator.Individual, box.expr)
        box.register("select", tools.selTournament, tournsize=3)
        box.register("mate", gp.cxOnePoint)
        box.register("expr_mut", gp.genFull, min_=0, max_=2)
        box.register("mutate", gp.mutUniform, expr=box.expr_mut, pset=primitives)
        for name in ("mate", "mutate"):
            box.decorate(name, gp.staticLimit(key=operator.attrgetter("height"), max_value=17))
        self.primitives = primitives
        self.people = tools.initRepeat(list, box.individual, POPULATION)
        self.best = None
        self.judge()

    def judge(self):
        for one in self.people:
            if not one.fitness.valid:
                with numpy.errstate(all="ignore"):
                    values = self.gp.compile(one, self.primitives)(*self.columns)
                one.fitness.values = (squared_correlation(values, self.expected),)
            if self.best is None or one.fitness > self.best.fitness:
                self.best = self.box.clone(one)

    def step(self):
        from deap import algorithms
        self.people = algorithms.varAnd(self.box.select(self.people, POPULATION), self.box, 0.5, 0.1)
        self.judge()

    def values(self, columns):
        with numpy.errstate(all="ignore"):
            return self.gp.compile(self.best, self.primitives)(*columns)


class Gplearn(HereSearch):
    """SymbolicRegressor, generation by generation."""

    def __init__(self, columns, expected, seed):
        super().__init__()
        from gplearn.fitness import make_fitness
        from gplearn.functions import make_function
        from gplearn.genetic import SymbolicRegressor
        metric = make_fitness(function=lambda y, values, w: squared_correlation(values, y), greater_is_better=True)
        named = {"exp": exponential, "tanh": numpy.tanh, "root": root, "ln": logarithm}
        self.rows, self.expected = numpy.stack(columns, axis=1), expected
        self.model = SymbolicRegressor(
            population_size=POPULATION, generations=1, metric=metric, random_state=seed, warm_start=True, const_range=(-5.0, 5.0),
            function_set=["add", "sub", "mul", "div", "sin", "cos", *(make_function(function=f, name=n, arity=1) for n, f in named.items())])
        self.model.fit(self.rows, expected)

    def step(self):
        self.model.set_params(generations=self.model.generations + 1)
        self.model.fit(self.rows, self.expected)

    def values(self, columns):
        return self.model._program.execute(numpy.stack(columns, axis=1))


class Operon:
    """A process of its command line. It is looked at from time to time."""

    least_error = 1e-9  # it has numbers of single precision
    program, options = None, OPERON_OPTIONS
    functions = {name: getattr(numpy, name) for name in ("exp", "log", "sqrt", "cbrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "abs", "floor", "ceil")}

    def __init__(self, columns, expected, seed):
        self.names = [f"x{k}" for k in range(len(columns))]
        self.folder = tempfile.TemporaryDirectory()
        rows, output = (pathlib.Path(self.folder.name, name) for name in ("rows.csv", "output.txt"))
        numpy.savetxt(rows, numpy.stack([*columns, expected], axis=1), "%.17g", ",", header=",".join([*self.names, "expected"]), comments="")
        self.process = subprocess.Popen(
            [self.program, "--dataset", rows, "--target", "expected", "--train", f"0:{len(expected)}", "--threads", "1", "--seed", str(seed),
             "--generations", "1000000000", "--evaluations", "1000000000000", *shlex.split(self.options)], stdout=output.open("w"))
        self.output, self.formula, self.line, self.generations = output.open(), "0.0", "", -1

    def seconds(self):
        return feynman_search.processor_seconds(self.process.pid)

    def step(self):
        if self.process.poll() is not None:
            sys.exit(f"{self.program} has ended with {self.process.returncode}\n{self.output.read()}")
        time.sleep(0.02)
        for part in self.output:
            self.line += part
            if self.line.endswith("\n"):
                if self.line.startswith("formula: "):
                    self.formula = self.line.removeprefix("formula: ").strip()
                elif self.line.split()[0].isdigit():
                    self.generations = int(self.line.split()[0])
                self.line = ""

    def values(self, columns):
        # Its numbers as NumPy's, so that a division by 0 among them is no error here.
        text = re.sub(r"\b\d+(\.\d+)?", r"number(\g<0>)", self.formula).replace("^", "**")
        with numpy.errstate(all="ignore"):
            return eval(text, {"__builtins__": {}, "number": numpy.float64, **self.functions, **dict(zip(self.names, columns))})

    def end(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


PEERS = {"deap": Deap, "gplearn": Gplearn, "operon": Operon}


def columns_of(path):
    table = numpy.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    return [table[:, k].copy() for k in range(table.shape[1] - 1)], table[:, -1].copy()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", action="append", choices=["deap", "gplearn"], default=[])
    parser.add_argument("--operon", metavar="PROGRAM", help="the command line of Operon, operon_gp, as a peer")
    parser.add_argument("--operon-options", default=OPERON_OPTIONS, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, action="append",
                        help="of processor time for each formula (default: 8); more than once, in rising order: one search is looked at then")
    parser.add_argument("--rows", type=int, default=1000, help="to search on (default: 1,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="formulas with this in their name")
    parser.add_argument("--show", action="store_true", help="print the formulas of Operon, and its generations")
    options = parser.parse_args()
    if options.operon:
        options.peer.append("operon")
        Operon.program, Operon.options = options.operon, options.operon_options
    if not options.peer:
        parser.error("name a --peer, or --operon")
    warnings.filterwarnings("ignore")
    seconds = options.seconds or [8.0]
    counts = {(peer, limit): 0 for peer in options.peer for limit in seconds}
    problems = {name: problem for name, problem in regression_search.PROBLEMS.items() if not options.only or options.only in name}
    with tempfile.TemporaryDirectory() as folder:
        for name, problem in problems.items():
            chance = random.Random(f"{name} {options.seed}")
            training, fresh = (pathlib.Path(folder, part) for part in ("training.csv", "fresh.csv"))
            regression_search.write_rows(training, problem, options.rows, chance)
            regression_search.write_rows(fresh, problem, regression_search.FRESH_ROWS, chance)
            columns, expected = columns_of(training)
            fresh_columns, fresh_expected = columns_of(fresh)
            line = f"{name:16}"
            for peer in options.peer:
                search = PEERS[peer](columns, expected, options.seed)
                for limit in seconds:
                    is_found = False
                    while not is_found and search.seconds() < limit:
                        search.step()
                        is_found = squared_correlation(search.values(columns), expected) > 1 - search.least_error
                    r2 = fresh_r2(search.values(columns), expected, search.values(fresh_columns), fresh_expected)
                    counts[peer, limit] += r2 > feynman_search.LEAST_R2
                    line += f"  {peer} {limit:g} s: {'found' if r2 > feynman_search.LEAST_R2 else '-':5} {r2:.9f}"
                    if options.show and peer == "operon":
                        line += f" ({search.generations} generations)\n{search.formula}\n"
                search.end()
            print(line, flush=True)
    print(f"{len(problems)} formulas: " + ", ".join(f"{peer} in {limit:g} s {count} found" for (peer, limit), count in counts.items()))


if __name__ == "__main__":
    sys.exit(main())

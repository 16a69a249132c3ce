#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the weights of the router (neural/router) to what router_rows has measured, and says how good they are.

Usage: bench/fit_router.py ROWS.jsonl [--write]
       bench/fit_router.py --bin build/release/bin [--scalar 1500] [--general 600] [--rows ROWS.jsonl] [--write]

The first form takes rows that are there, the second one measures first: some 60 ms of one core for each program. --write writes
neural/router/weights.def. Needs Debian's python3-numpy.

A quarter of the programs is held out, by a hash of their origin and number: functions of one text stay together. The
functions that people wrote (tests/neural/programs) are held out as a whole. The tables that are printed, for docs/neural.md,
are about held-out programs alone.

- Chances: logistic regression on standardised features with a small ridge, by Newton's steps.
- Shares of time: linear regression with a ridge, on programs that have cheaper code.
- Costs: the same on their logarithms. Long ones do not count, as whoever looks gives up at a limit.
"""

import argparse
import hashlib
import json
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
WAYS = ["rules", "neural"]
FOUND = {"rules": "cheaper code by rules", "neural": "still cheaper code by the model"}
RIDGE = 1.0  # of standardised features
RIDGES_OF_HEAD = [1.0, 10.0, 100.0, 1000.0]  # the best one by the training's own folds
BINS = 5
LEAST_SHARE, MOST_SHARE = 0.002, 0.95  # as neural/router/router.cpp has it
MOST_LOSS, LEAST_WORK = 0.04, 100_000  # as router.h has it


class Rows:
    def __init__(self, path):
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        self.names = lines[0]["features"]
        rows = [row for row in lines[1:] if row["case_ns"] > 0]
        self.origins = np.array([row["origin"] for row in rows])
        self.features = np.array([row["features"] for row in rows])
        self.encoded = np.array([row["encoded"] for row in rows])
        self.cheaper = {w: np.array([row[w]["cheaper"] for row in rows], float) for w in WAYS}
        self.share = {w: np.array([row[w]["share"] for row in rows]) for w in WAYS}
        # What each way finds beside the one before.
        units = {w: np.array([row[w]["units"] for row in rows]) for w in WAYS}
        self.found = {"rules": self.cheaper["rules"], "neural": (units["neural"] < units["rules"]).astype(float)}
        self.more = {"rules": self.share["rules"], "neural": self.share["neural"] - self.share["rules"]}
        self.cost = {w: np.array([max(row[w]["cost_ns"], 1.0) for row in rows]) for w in WAYS}
        self.folds = np.array([fold_of(row) for row in rows])
        people = self.origins == "people"
        self.train = ~people & (self.folds != 0)
        self.held_out = {"held out": ~people & (self.folds == 0), "of people": people}


def fold_of(row):
    """0 to 3, the same for all functions of a text."""
    text = f"{row['origin']} {row['number']}"
    return hashlib.sha256(text.encode()).digest()[0] % 4


class Scale:
    """Columns with the mean 0 and the deviation 1, and a last one of ones."""

    def __init__(self, x):
        self.mean, self.deviation = x.mean(0), x.std(0)
        self.deviation[self.deviation < 1e-9] = np.inf  # says nothing

    def apply(self, x):
        return np.hstack([(x - self.mean) / self.deviation, np.ones((len(x), 1))])

    def unscaled(self, weights):
        """Weights of the columns as they are, and the constant."""
        of = weights[:-1] / self.deviation
        return of, weights[-1] - of @ self.mean


def logistic(z):
    return 1 / (1 + np.exp(-np.clip(z, -30, 30)))


def fit_logistic(x, y, ridge):
    weights = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 1e-6
    for _ in range(30):
        p = logistic(x @ weights)
        gradient = x.T @ (p - y) + penalty * weights
        hessian = (x * (p * (1 - p) + 1e-9)[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def fit_linear(x, y, ridge):
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 1e-6
    return np.linalg.solve(x.T @ x + np.diag(penalty), x.T @ y)


def log_loss(p, y):
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def auc(p, y):
    """The chance that one with cheaper code gets more than one without; ties count half."""
    ours, others = p[y == 1], p[y == 0]
    if not len(ours) or not len(others):
        return float("nan")
    more = (ours[:, None] > others[None, :]).mean()
    return more + 0.5 * (ours[:, None] == others[None, :]).mean()


def bins_of(p, y):
    """(mean chance, share that has cheaper code, number), in BINS parts of equal size."""
    order = np.argsort(p, kind="stable")
    return [(p[part].mean(), y[part].mean(), len(part)) for part in np.array_split(order, BINS)]


class Fit:
    """What the router is to know, of one set of rows."""

    def __init__(self, rows, which):
        self.scale = Scale(rows.features[which])
        x = self.scale.apply(rows.features[which])
        self.chance, self.share, self.cost = {}, {}, {}
        for way in WAYS:
            found, share, cost = (a[way][which] for a in (rows.found, rows.more, rows.cost))
            self.chance[way] = fit_logistic(x, found, RIDGE)
            has = found == 1
            self.share[way] = fit_linear(x[has], share[has], RIDGE)
            self.cost[way] = fit_linear(x, np.log(cost), RIDGE)

    def predict(self, features, way):
        x = self.scale.apply(features)
        return (logistic(x @ self.chance[way]),
                np.clip(x @ self.share[way], LEAST_SHARE, MOST_SHARE),
                np.exp(np.clip(x @ self.cost[way], 6, 25)))

    def choose(self, features, work, chances=None):
        """For each row: 0, 1, 2 for as it is, rules, neural. `chances`: by way, from elsewhere."""
        net = [np.zeros(len(features))]
        gain = 0
        if work < LEAST_WORK:
            return np.zeros(len(features), int)
        for way in WAYS:
            chance, share, cost = self.predict(features, way)
            if chances is not None:
                chance = chances[way]
            gain = np.minimum(gain + chance * share * work, MOST_SHARE * work)
            net.append(np.where(cost <= MOST_LOSS * work, gain - cost, -np.inf))
        return np.argmax(net, 0)


def head_chances(rows, way):
    """Held-out chances of features and encoder together, each on its own scale and with the better of some ridges."""
    x = np.hstack([rows.features, rows.encoded])
    y = rows.found[way]

    def fit_and_ask(train, ask, ridge):
        scale = Scale(x[train])
        return logistic(scale.apply(x[ask]) @ fit_logistic(scale.apply(x[train]), y[train], ridge))

    def own_loss(ridge):
        losses = []
        for fold in (1, 2, 3):
            train, ask = rows.train & (rows.folds != fold), rows.train & (rows.folds == fold)
            losses.append(log_loss(fit_and_ask(train, ask, ridge), y[ask]))
        return np.mean(losses)

    ridge = min(RIDGES_OF_HEAD, key=own_loss)
    return {name: fit_and_ask(rows.train, which, ridge) for name, which in rows.held_out.items()}


def interval_of_difference(a, b, y):
    """Of the mean difference of the log losses of two predictions: 95 %, over programs."""
    def loss(p):
        p = np.clip(p, 1e-6, 1 - 1e-6)
        return -(y * np.log(p) + (1 - y) * np.log(1 - p))
    d = loss(a) - loss(b)
    return d.mean(), 1.96 * d.std() / np.sqrt(len(d))


def print_tables(rows, fit):
    print(f"{rows.train.sum()} programs to fit, "
          + ", ".join(f"{which.sum()} {name}" for name, which in rows.held_out.items()) + "\n")
    print("| chances of | programs | there is | log loss | of a constant | AUC | log loss with the encoder | better by |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    calibration, with_head = [], {name: {} for name in rows.held_out}
    for way in WAYS:
        base = rows.found[way][rows.train].mean()
        heads = head_chances(rows, way)
        for name, which in rows.held_out.items():
            y = rows.found[way][which]
            p, _, _ = fit.predict(rows.features[which], way)
            better, half = interval_of_difference(p, heads[name], y)
            with_head[name][way] = heads[name]
            print(f"| {FOUND[way]}, {name} | {which.sum()} | {y.mean():.3f} | {log_loss(p, y):.3f} "
                  f"| {log_loss(np.full(len(y), base), y):.3f} | {auc(p, y):.3f} | {log_loss(heads[name], y):.3f} "
                  f"| {better:.3f} ± {half:.3f} |")
            if name == "held out":
                calibration.append((way, bins_of(p, y)))
    print("\n| chance, by fifths of the held-out programs | " + " | ".join("12345") + " |")
    print("| --- |" + " --- |" * BINS)
    for way, bins in calibration:
        print(f"| {FOUND[way]}: expected | " + " | ".join(f"{p:.2f}" for p, _, _ in bins) + " |")
        print(f"| {FOUND[way]}: there is | " + " | ".join(f"{y:.2f}" for _, y, _ in bins) + " |")
    print("\n| work to come, a program | never | rules, always | model, always | router | router with the encoder, which takes no time | best for each | rules and model chosen |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, which in rows.held_out.items():
        for power in range(5, 14):
            print(time_line(rows, fit, name, which, 10.0**power, with_head[name]))


def time_line(rows, fit, name, which, work, with_head):
    """Mean times over the work, of what was measured."""
    times, limited = [np.full(which.sum(), work)], [np.full(which.sum(), work)]
    for way in WAYS:
        share, cost = rows.share[way][which], rows.cost[way][which]
        times.append(work * (1 - share) + cost)
        # Whoever gives up has found nothing.
        limited.append(np.where(cost <= MOST_LOSS * work, times[-1], work + MOST_LOSS * work))
    times, limited = np.array(times) / work, np.array(limited) / work
    chosen = fit.choose(rows.features[which], work)

    def mean_of(ways):
        return limited[ways, np.arange(len(ways))].mean()

    means = [times[0].mean(), times[1].mean(), times[2].mean(), mean_of(chosen),
             mean_of(fit.choose(rows.features[which], work, with_head)), times.min(0).mean()]
    text = f"{work / 1e6:g} ms" if work < 1e9 else f"{work / 1e9:g} s"
    return (f"| {text}, {name} | " + " | ".join(f"{m:.4g}" for m in means)
            + f" | {(chosen == 1).mean():.2f}, {(chosen == 2).mean():.2f} |")


HEAD = """// SPDX-License-Identifier: Apache-2.0
// The weights of the router (router.h), a row for each feature in their order. Columns: logits of the chances of cheaper code by
// rules, and of still cheaper code by the model; the shares of time that each saves then; logarithms of the costs in nanoseconds.
//
// Written by bench/fit_router.py --write, from measurements of %d programs (docs/neural.md).
//
// CONSTANT(chance of rules, of the model, share of rules, of the model, cost of rules, of rules and model)
// WEIGHT(feature, the same)

"""


def write_weights(rows, fit):
    columns = [fit.scale.unscaled(part[way]) for part in (fit.chance, fit.share, fit.cost) for way in WAYS]

    def numbers(values):
        return ", ".join(f"{v:.6g}f" if "." in f"{v:.6g}" or "e" in f"{v:.6g}" else f"{v:.6g}.0f" for v in values)

    text = HEAD % rows.train.sum()
    text += "CONSTANT(" + numbers([constant for _, constant in columns]) + ")\n"
    for k, name in enumerate(rows.names):
        text += f"WEIGHT({name}, " + numbers([of[k] for of, _ in columns]) + ")\n"
    text += "#undef CONSTANT\n#undef WEIGHT\n"
    (ROOT / "neural/router/weights.def").write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows_file", nargs="?", help="rows that were measured before")
    parser.add_argument("--bin", help="the folder of router_rows, which measures first")
    parser.add_argument("--scalar", type=int, default=1500)
    parser.add_argument("--general", type=int, default=600)
    parser.add_argument("--rows", default="build/router_rows.jsonl", help="where what is measured is kept (build/router_rows.jsonl)")
    parser.add_argument("--write", action="store_true", help="write neural/router/weights.def")
    options = parser.parse_args()
    if (options.rows_file is None) == (options.bin is None):
        parser.error("name rows, or measure them by --bin")
    path = options.rows_file or options.rows
    if options.bin is not None:
        with open(path, "w") as file:
            subprocess.run([Path(options.bin).resolve() / "router_rows", str(options.scalar), str(options.general)],
                           stdout=file, check=True, cwd=ROOT)
    rows = Rows(path)
    fit = Fit(rows, rows.train)
    print_tables(rows, fit)
    if options.write:
        write_weights(rows, fit)


main()

# SPDX-License-Identifier: Apache-2.0
"""Texts of the same length and shape in the languages of the servers."""

KOMUZ_SECTION = """\
// The share of what is left at step %(k)d.
const RATE_%(k)d: f64 = 0.%(k)d5;

fn left_%(k)d(amount: f64, steps: i64) -> f64 { amount * pow(1.0 - RATE_%(k)d, f64(steps)) }

fn cost_%(k)d(weight: f64, amount: f64) -> f64 {
    let base = if weight > 2.5 { weight * 1.5 } else { weight + RATE_%(k)d };
    let total = base + left_%(before)d(amount, 3);
    max(total, 0.0)
}
""".splitlines()
C_SECTION = """\
// The share of what is left at step %(k)d.
static const double RATE_%(k)d = 0.%(k)d5;

static double left_%(k)d(double amount, long steps) { return amount * pow(1.0 - RATE_%(k)d, (double)steps); }

double cost_%(k)d(double weight, double amount) {
    double base = weight > 2.5 ? weight * 1.5 : weight + RATE_%(k)d;
    double total = base + left_%(before)d(amount, 3);
    return fmax(total, 0.0);
}
""".splitlines()
TS_SECTION = """\
// The share of what is left at step %(k)d.
const RATE_%(k)d: number = 0.%(k)d5;

function left_%(k)d(amount: number, steps: number): number { return amount * Math.pow(1.0 - RATE_%(k)d, steps); }

export function cost_%(k)d(weight: number, amount: number): number {
    let base = weight > 2.5 ? weight * 1.5 : weight + RATE_%(k)d;
    let total = base + left_%(before)d(amount, 3);
    return Math.max(total, 0.0);
}
""".splitlines()


def section(form, k):
    """Two helpers, and a function that calls them and those of an earlier section."""
    return [line % {"k": k, "before": max(0, k - 3)} for line in form]


class Language:
    def __init__(self, name, ending, form, head, typed):
        self.name, self.ending, self.form, self.head = name, ending, form, head
        self.typed = typed  # behind a line with `base =`

    def text(self, lines):
        all_lines = list(self.head)
        k = 0
        while len(all_lines) + len(self.form) <= lines:
            all_lines += section(self.form, k)
            k += 1
        comment = "// end"
        return "\n".join(all_lines + [comment] * (lines - len(all_lines))) + "\n"


KOMUZ = Language("komuz", ".komuz", KOMUZ_SECTION, [], "let typed = left_1(base, 2);")
C = Language("c", ".c", C_SECTION, ["#include <math.h>"], "double typed = left_1(base, 2);")
TS = Language("typescript", ".ts", TS_SECTION, [], "let typed = left_1(base, 2);")

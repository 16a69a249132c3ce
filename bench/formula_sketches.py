# SPDX-License-Identifier: Apache-2.0
"""Sketches of formulas of real numbers, in which feynman_search.py and regression_search.py search.

    listed  one expression, whose constants are listed
    real    the same, whose constants may also be any number
    sums    sums of terms with fitted factors, polynomials, quotients of these
    all     sums, and one expression with listed constants besides: a deep one, of which a search looks at ten in the time of one fit
"""
LISTED = "?[1.0, 2.0, 0.5, PI, 3.0]"

# The operations of which formulas of physics are made.
EXPRESSION = """pub fn f({parameters}) -> f64 {{ ?e({arguments}) }}

space e({parameters}) -> f64 depth {depth} {{
    {variables},
    ?[1.0, 2.0, 0.5, PI, 3.0],
    e * e,
    div0(e, e),
    e + e,
    e - e,
    {{
        let s = e;
        s * s
    }},
    sqrt0(e),
    ?[exp(e), exp(-e), log(e), sin(e), cos(e), tanh(e), asin(e)],
}}
"""
# Terms; sums of terms and of products, with a factor for each summand; quotients of such sums. All numbers are fitted.
SUMS = """pub fn f({parameters}) -> f64 {{
    ?[?term({arguments}),
      ?sum({arguments}),
      ?polynomial({arguments}),
      div0(?sum({arguments}), ?term({arguments}) + ?sum({arguments})),
      div0(?polynomial({arguments}), ?product({arguments}) + ?polynomial({arguments})),
      ?term({arguments}) * ?term({arguments})]
}}

space product({parameters}) -> f64 depth 3 {{
    1.0,
    {variables},
    product * product,
    {{
        let s = product;
        s * s
    }},
}}

space polynomial({parameters}) -> f64 depth 4 {{
    ?(real) * ?product({arguments}),
    polynomial + polynomial,
}}

space term({parameters}) -> f64 depth 4 {{
    {variables},
    ?(real),
    term * term,
    div0(term, term),
    term + term,
    term - term,
    {{
        let s = term;
        s * s
    }},
    sqrt0(term),
    ?[exp(term), exp(-term), log(term), sin(term), cos(term), tanh(term)],
    ?[exp(?polynomial({arguments})), sin(?polynomial({arguments})), cos(?polynomial({arguments})), div0(1.0, ?(real) + ?polynomial({arguments}))],
}}

space sum({parameters}) -> f64 depth 3 {{
    ?(real) * ?term({arguments}),
    sum + sum,
}}
"""

# Which sketch, and which population suits it.
SKETCHES = {
    "listed": EXPRESSION,
    "real": EXPRESSION.replace(LISTED, LISTED + ",\n    ?(real)"),
    "sums": SUMS,
    "all": SUMS.replace("?[?term(", "?[?e({arguments}),\n      ?term(", 1) + "\n" + EXPRESSION.split("\n\n", 1)[1],
}
POPULATIONS = {"listed": 500, "real": 500, "sums": 200, "all": 300}


def fill(text, names, depth=0):
    return text.format(parameters=", ".join(f"{name}: f64" for name in names), arguments=", ".join(names),
                       variables=",\n    ".join(names), depth=depth)

// SPDX-License-Identifier: Apache-2.0
// Sketches with bound code, of all kinds.
#pragma once

namespace komuz::engine::test {

// Each a `pub fn f(n: i64, x: f64) -> f64`.
inline constexpr const char* kBindable[] = {
    "pub fn f(n: i64, x: f64) -> f64 { ?a[x, x * x, sqrt(x)] + ?b(0.0..1.0, steps: 4) * f64(n) }",
    "pub fn f(n: i64, x: f64) -> f64 { ?a[?b[x, 2.0], ?[1.0, x + 1.0], 3.0] - ?b[1.0, x] }",
    "pub fn f(n: i64, x: f64) -> f64 { f64(?op[n / ?d(-1..=2), n % 4, n * n * "
    "4000000000000000000]) }",
    "pub fn f(n: i64, x: f64) -> f64 {\n    var sum = 0.0;\n    for i in 0..?times(1..=3) {\n"
    "        if ?[n > 2, x < 1.0, true] { sum += ?step[x, f64(i), ?[1.0, 2.0]]; }\n    }\n    "
    "sum\n}",
    "pub fn f(n: i64, x: f64) -> f64 {\n    var k = n;\n    while k > ?(0..2) && ?[true, k % 2 == "
    "1] "
    "limit 50 { k = ?[k / 2, k - 1, 3 * k]; }\n    f64(k) + x\n}",
    "type Shape = Circle(r: f64) | Square(side: f64) | Empty;\n"
    "fn area(s: Shape) -> f64 { match s { Circle(r) => r * r * PI, Square(a) => a * a, Empty => "
    "?e[0.0, -1.0] } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { area(?s[Circle(x), Square(f64(n)), Empty]) + ?e[1.0, x] }",
    "fn g(k: i64) -> i64 { assert_small(k) + ?[1, 2] }\n"
    "fn assert_small(k: i64) -> i64 { if k > ?limit[50, 200] { k / 0 } else { k } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(?[g(n), assert_small(n), n]) }",
    "pub fn f(n: i64, x: f64) -> f64 {\n    let xs = [x, 1.0, 2.0];\n"
    "    xs.map(v => ?m[v, v * v, v / f64(n)]).filter(v => v > ?t(0.0..=1.0, steps: 3)).sum() + "
    "xs[?i[0, n]]\n}",
    "fn wide(n: i32) -> i32 { let k = ?a[1, n]; k + ?b[2, 3] }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(wide(wrap_i32(n))) + f64(f32(x) * ?c(0.1..1.0, steps: "
    "3, log: true)) }",
    "fn pick(o: Option[f64], d: f64) -> f64 { match o { Some(v) => v, None => d } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { pick(?o[None, Some(x), Some(1.0)], ?d[0.0, f64(n)]) }",
    "pub fn f(n: i64, x: f64) -> f64 { let (a, b) = ?p[(x, 1.0), (2.0, x)]; let unused: f64 = x; a "
    "- b + ?later }",
    "fn count(n: i64) -> i64 rec 40 { if n <= 0 { ?base[0, 1] } else { 1 + count(n - ?by(1..=2)) } "
    "}\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(count(n)) }",
    "pub fn f(n: i64, x: f64) -> f64 {\n    ?all[{ let a = x * 2.0; if n > 1 { return a; } a + 1.0 "
    "}, "
    "match n { 0 => 1.0, 1 | 3 => ?[x, 2.0], _ => x }]\n}",
    // Integers that become floats.
    "pub fn f(n: i64, x: f64) -> f64 { let k = ?a[1, -2, 1 / 3, x, 2.5]; k * ?b[3, 4] + ?(0..=1, "
    "steps: 4) - "
    "f64(?c[n, 7 / 2]) }",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
    "space e(a: f64) -> f64 depth 1 { a, 1, 1 / 3, -e, e * 2, ?[7, a], min(e, 3) }\n",
    "pub fn f(n: i64, x: f64) -> f64 { f64(?s(f32(x))) }\n"
    "space s(a: f32) -> f32 depth 1 { a, 1, -2, 1 / 3, s * 2 }\n",
    // Spaces: arguments that are variables or other values, nested spaces, grids and choices in spaces, variables of
    // their own at each depth, loops, jumps, calls and traps.
    "pub fn f(n: i64, x: f64) -> f64 { x + ?e(x * 2.0, f64(n)) }\n"
    "space e(x: f64, y: f64) -> f64 depth 1 { x, y, ?(0.0..1.0, steps: 2), e / e, ?[e, 1.0 / y] "
    "}\n",
    "pub fn f(n: i64, x: f64) -> f64 { let y = f64(n); ?e(x, y) - ?e(y, x) }\n"
    "space e(a: f64, b: f64) -> f64 depth 1 { a, e * b, ?k[1.0, b] + ?k[2.0, a] }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
    "space e(a: f64) -> f64 depth 2 { a, { let b = e; let c = e; b * c - b } }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(?g(x, n)) }\n"
    "space e(a: f64) -> f64 depth 1 { a, -e, { let b = a + 1.0; ?g(b, ?(2..4)) + b } }\n"
    "space g(a: f64, m: i64) -> f64 depth 0 { a / f64(m), f64(m) }\n",
    "fn half(v: f64) -> f64 { v / f64(1000 / i64(v)) }\n"
    "pub fn f(n: i64, x: f64) -> f64 {\n    var s = 0.0;\n    for i in 0..3 { s += ?e(f64(i), s); "
    "}\n"
    "    if s > 2.0 { return ?e(s, x); }\n    s + x\n}\n"
    "space e(a: f64, b: f64) -> f64 depth 1 {\n    if b > 1.0 { a } else { ?[half(a), e] },\n"
    "    match i64(a) { 0 => b, 1 => half(e), _ => 0.5 },\n"
    "    [a, b, e].map(v => v * a).filter(v => v != 0.0 && v < ?(1.0..9.0, steps: 2)).sum(),\n}\n",
    "type Two = Two(a: f64, b: f64);\n"
    "pub fn f(n: i64, x: f64) -> f64 { let p = Two(a: x, b: f64(n)); let q = ?t(p, (n, x)); q.a - "
    "q.b }\n"
    "space t(p: Two, q: (i64, f64)) -> Two depth 1 {\n    p, Two(a: p.b, b: q.1), Two(a: t.b, b: "
    "f64(q.0)), "
    "{ let r = t; Two(a: r.b + t.a, b: r.a) },\n}\n",
    "fn fac(n: i64) -> i64 rec 12 { if n <= 1 { ?s(n) } else { n * fac(n - 1) + ?s(n) } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(fac(n)) + x }\n"
    "space s(k: i64) -> i64 depth 1 { k, s * 2, { let m = s; m + k } }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?one(x) + ?none() }\n"
    "space one(a: f64) -> f64 depth 0 { a * ?(1.0..3.0, steps: 2) }\n"
    "space none() -> f64 depth 1 { 1.0, none + none }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x * x) }\n"
    "space e(a: f64) -> f64 depth 1 { a, if a > 1.0 { e } else { ?[1.0, e] } }\n",
    "pub fn f(n: i64, x: f64) -> f64 {\n    var s = 0.0;\n    for i in 0..3 { s += ?[continue, "
    "break, return 5.0, x] + 1.0; }\n    s + ?[return 1.0, x]\n}",
    // Constants that share a name with variables where the space is used, or that belong to another space.
    "const scale: f64 = 2.0;\n"
    "pub fn f(n: i64, x: f64) -> f64 { let scale = 5.0; ?e(x) + scale }\n"
    "space e(a: f64) -> f64 depth 0 { a * scale, scale, [a].map(scale => scale + 1.0).sum() }\n",
    "const y: f64 = 7.0;\n"
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x + 1.0, f64(n)) + y }\n"
    "space e(a: f64, y2: f64) -> f64 depth 0 { ?g(a * 2.0), y2 * y }\n"
    "space g(y: f64) -> f64 depth 0 { ?h(y), y }\n"
    "space h(q: f64) -> f64 depth 1 { q * y, h + y }\n",
    // Operators of all levels as operands of all levels.
    "pub fn f(n: i64, x: f64) -> f64 { -?e(x, f64(n)) ** 2.0 }\n"
    "space e(a: f64, b: f64) -> f64 depth 1 {\n    a, -b, 2.0, a + b, e * e, e - e, e / e, e ** e, "
    "-e, (e), if a < e { e } else { b },\n}\n",
    "pub fn f(n: i64, x: f64) -> f64 { 2.0 ** ?[x - 1.0, -x, x * 3.0] - ?[x - 1.0, -x, x * 3.0] }",
    "pub fn f(n: i64, x: f64) -> f64 { f64(n & ?a[n | 5, n ^ 3, n << 2, n + 1, -n] ^ ?b[n & 7, n "
    "<< "
    "1, n - 1] >> ?c[2, 1 + 2, n & 1]) }",
    "pub fn f(n: i64, x: f64) -> f64 { if !?t[n < 2, !(x > 1.0), n == 3 && x > 0.0, n < 0 || x < "
    "1.0] && ?u[n > 2 || x > 0.0, x < 2.0] == ?[n > 0, n + 1 > 1] { x } else { x - ?v[x - 1.0, x * "
    "2.0, x ** 2.0, -x] } }",
    // Alternatives that do not return, where a type is wanted from them.
    "pub fn f(n: i64, x: f64) -> f64 {\n    let r = ?r[return x - 1.0, { return 5.0 }, x, if n > 1 "
    "{ return 3.0 } else "
    "{ return 4.0 }];\n    let (p, q) = ?p[(n, 1), return 3.0];\n    for i in 0..?s[3, return 9.0] "
    "{\n"
    "        let z = ?c[break, continue, 1];\n        if ?b[{ break }, n > 1] { return f64(z); }\n "
    "   }\n"
    "    -?m[x, return 2.0] * r + f64(p - q)\n}",
    // The places of traps in arguments.
    "pub fn f(n: i64, x: f64) -> f64 { f64(?e(8 / n, n * n * n * n * n * n * n * n * n * n * ?[n, "
    "1])) }\n"
    "space e(a: i64, b: i64) -> i64 depth 0 { a, b, a + ?(1..3) / b }\n",
    // Many arms open at once, a table that is used repeatedly, records in arrays.
    "pub fn f(n: i64, x: f64) -> f64 { let m = match n { 0 => x, 1 => 2.0, 2 => 3.0, 3 => 4.0, 4 "
    "=> 5.0, "
    "5 => 6.0, 6 => 7.0, 7 => 8.0, 8 => 9.0, 9 => x * x, _ => ?e[0.5, x] }; m * ?s[1.0, x] }\n",
    "const table: [f64; 40] = [1.5; 40];\n"
    "pub fn f(n: i64, x: f64) -> f64 { table[n] + table[n + ?a[1, 2]] * table[n * n] - table[?b[0, "
    "n]] + table.sum() }\n",
    "type P = P(a: f64, b: f64, c: i64);\n"
    "pub fn f(n: i64, x: f64) -> f64 {\n    var ps = [P(a: x, b: 1.0, c: n); 5];\n"
    "    ps[?i[0, 1]] = P(a: 2.0, b: x, c: 3);\n    for k in 0..5 { ps[k] = ps[?k[k, 4 - k]]; }\n"
    "    ps[n].a + ps[2].b * f64(ps[1].c)\n}\n",
};

}  // namespace komuz::engine::test

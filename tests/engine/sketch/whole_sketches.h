// SPDX-License-Identifier: Apache-2.0
// Sketches of all kinds; some have no bound code.
#pragma once
#include <fstream>
#include <string>
#include <vector>

namespace komuz::engine::test {

// Each function of a golden file with the types and spaces beside it.
inline std::vector<std::string> golden_functions() {
  std::ifstream in(KOMUZ_SOURCE_DIR "/tests/golden/sketches/holes.komuz");
  std::string common, line;
  std::vector<std::string> functions;
  bool in_function = false;
  while (std::getline(in, line)) {
    if (line.starts_with("//") || line.empty()) continue;
    const bool starts_item = line[0] != ' ' && line[0] != '}';
    if (starts_item) in_function = line.starts_with("fn ");
    if (starts_item && in_function) {
      // The entry is called f.
      functions.push_back("pub fn f" + line.substr(line.find('(')) + "\n");
    } else {
      (in_function ? functions.back() : common) += line + "\n";
    }
  }
  for (std::string& function : functions) function += common;
  return functions;
}

// Each has a function f.
inline constexpr const char* kWhole[] = {
    // Types that literals get from their context.
    "pub fn f(n: i32) -> i32 { let k = ?a[1, n]; let j = ?[?[-1, 2], n, ?(0..3)]; k + j + ?(-3..3) "
    "}",
    "pub fn f(x: f32) -> f32 { let k = ?[?(0.1..1.0, steps: 3), x, 0.1]; k * ?(-1.0..=1.0, steps: "
    "3) }",
    "pub fn f(n: u64) -> u64 { let k = ?[18446744073709551615, n, "
    "?(18446744073709551614..=18446744073709551615)]; k }",
    "pub fn f(n: i64) -> i64 { let k = ?[-9223372036854775808, n]; "
    "?[?(-9223372036854775808..=-9223372036854775807), k] }",
    "pub fn f(c: u8) -> u8 { let k = ?('a'..='c'); ?m[c, 'x', k, 7] + ?(0..2) }",
    "pub fn f(n: i32) -> i32 { ?[1 + 2, n] + ?[if n > 1 { 1 } else { 2 }, n] + ?[{ let z = n; 3 }, "
    "n] }",
    // The text around a hole.
    "pub fn f(n: i64) -> i64 { -?a[n, -n, 3] - ?(-2..2) * ?b[n + 1, 2] ** ?(0..3) }",
    "pub fn f(n: i64) -> i64 { ?a[n, -n, 3].abs() + ?(1..3).min(n) }",
    "pub fn f(n: i64) -> i64 { var k = 0; while ?t[k < n, k != n, true]limit 10 { k += 1; } k }",
    "pub fn f(n: i64) -> i64 {\n    var k = n\n    for i in 0..?(1..4) { k += i }\n    ?a[-k, k, "
    "[k, n][1]]\n}",
    "pub fn f(n: i64) -> i64 {\n    ?a[n, // one\n        n + // two\n            1, // three\n    "
    "]\n}",
    // Records, sums, lists, Options, chains, blocks.
    "type V = V(x: f64, y: f64);\npub fn f(v: V) -> f64 { ?a[v, V(1.0, 2.0), V(..v, x: 2.0)].x + "
    "?b[v.x, v.y] }",
    "type Op = Inc | Add(n: i64);\npub fn f(n: i64) -> i64 { match ?op[Inc, Add(3), Add(n)] { Inc "
    "=> n + 1, Add(k) if ?g[k > 3, k < 0] => n + k, _ => ?r[2, n] } }",
    "pub fn f(xs: List[i64, 4], ys: List[i64, 4]) -> i64 { let k = ?l[xs, [1, 2, 3], []]; k.len() "
    "+ ?a[xs, ys, [1, 2]][?i(0..2)] }",
    "pub fn f(n: i64) -> i64 { let it = n; let o = ?o[None, Some(it)]; let p = ?p[None, Some(1)]; "
    "o.or(1) + p.or(it) }",
    "pub fn f(b: Bytes[8]) -> Bytes[8] { ?a[b, \"ab\", \"?x[1]\"] }",
    "pub fn f(xs: List[i64, 4]) -> i64 { xs.map(x => ?m[x, x * x, { let y = x; y }]).fold(0, (a, "
    "b) => ?f[a + b, max(a, b)]) }",
    "pub fn f(n: i64) -> i64 { var k = 0; ?u[{ k += 1; }, { k += 2; }]; if ?c[n > 3, { let z = n; "
    "z > 2 }] { k } else { 2 } }",
    // Free holes stay.
    "pub fn f(xs: List[i64, 4], n: i64) -> i64 { let k = ?a[?g, n]; ?b[?h, xs][0] + k }",
    // Spaces, and names that could hide one another.
    "pub fn f(x: f64, y: f64) -> f64 { ?s(y, x) + ?s(y, x + 1.0) }\nspace s(x: f64, y: f64) -> f64 "
    "depth 1 { x - y, s / y }",
    "pub fn f(a: f64) -> f64 { ?s(?c[a, 1.0]) + ?s(?(0.0..1.0, steps: 2)) + ?s(?s(a)) }\nspace "
    "s(x: f64) -> f64 depth 1 { x, s + ?d[x, 1.0] }",
    "pub fn f(a: f64, b: f64) -> f64 { ?s(b, a * 2.0) }\nspace s(a: f64, b: f64) -> f64 depth 1 { "
    "a, ?t(b, a), ?t(a + 1.0, b) - s }\nspace t(b: f64, a: f64) -> f64 depth 0 { a / b, { let c = "
    "a; c * b } }",
    "pub fn f(k: [i64]) -> i64 { ?s(k, 3) + ?s(k[0..1], k.len()) }\nspace s(xs: [i64], k: i64) -> "
    "i64 depth 1 { k + xs.len(), xs[k - k], ?s2(xs[k..xs.len()], k + 1) }\nspace s2(ys: [i64], k: "
    "i64) -> i64 depth 0 { ys.len() + k }",
    "const K: f64 = 2.0;\nfn g(x: f64) -> f64 { x }\npub fn f(g: f64, sqrt: f64) -> f64 { ?s(g) + "
    "?s(sqrt) + ?s(K) }\nspace s(x: f64) -> f64 depth 1 { g(x), sqrt(s), K }",
    "pub fn f(n: i32) -> i32 { let k = ?s(n); k + ?d() }\nspace s(x: i32) -> i32 depth 1 { x, 1, "
    "?(0..3), ?[1, x], max(s, 2) }\nspace d() -> i32 depth 1 { 1, 2, d * 10 + d }",
    "pub fn f(n: i64) -> i64 { ?s([n, 1], (n, 2)).len() + ?o(n).or(0) }\nspace s(xs: List[i64, 4], "
    "p: (i64, i64)) -> List[i64, 4] depth 1 { xs, [], [p.0, 1], [p.1; 2], xs.map(x => x + "
    "p.0).list(4) }\nspace o(x: i64) -> Option[i64] depth 1 { None, Some(x), Some(3), if x > 0 { o "
    "} else { None } }",
    // Fresh names that occur in the sketch, or that words of the sketch begin with.
    "const k: f64 = 2.0;\npub fn f(x: f64, k: f64) -> f64 { let x_1 = x * k; let y_23 = 1.0; let "
    "k_3 = "
    "?s(x_1, y_23 + 1.0); ?s(x, ?s(k_3, 2.0)) }\nspace s(y: f64, x: f64) -> f64 depth 1 { x - k, "
    "y, "
    "{ let a = s; a * y } }",
    "pub fn f(b: bool) -> bool { ?s(true) || ?s(b) }\nspace s(x: bool) -> bool depth 1 { x, !s, s "
    "&& s }",
};

}  // namespace komuz::engine::test

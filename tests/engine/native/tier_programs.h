// SPDX-License-Identifier: Apache-2.0
// What tests of the native tier run.
#pragma once
#include <string>
#include <vector>

#include "tests/engine/evaluations.h"

namespace komuz::engine::test {

// Programs of every class, which trap, end and do not end. With kTierFuel, `slow` has many cases that are slow
// (engine/run/block_budget.h) and end: with ten times the fuel, and cases that take as much, all takes ten times as long and
// shows nothing more.
inline constexpr u64 kTierFuel = kDefaultFuel / 10;
inline const std::vector<Candidate> kTierPrograms = {
    {"fib",
     "fn fib(n: i64) -> i64 rec 40 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }\n"
     "pub fn f(n: i64) -> i64 { fib(n % 12) }",
     {}},
    {"deep", "pub fn f(n: i64) -> i64 rec 20 { if n % 24 == 0 { 0 } else { 1 + f(n - 1) } }", {}},
    {"collatz",
     "pub fn f(n: i64) -> i64 { var x = n + 1; var k = 0;\n"
     "while x != 1 { x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 }; k += 1; } k }",
     {}},
    {"sort",
     "pub fn f(n: i64) -> i64 { var xs: [i64; 8] = [0; 8];\n"
     "for i in 0..8 { xs[i] = (n * 7 + i * 31) % 17; }\n"
     "for i in 1..8 { var k = i; while k > 0 && xs[k - 1] > xs[k] {\n"
     "let t = xs[k]; xs[k] = xs[k - 1]; xs[k - 1] = t; k -= 1; } }\n"
     "xs[n % 9] }",
     {}},
    {"straight", "pub fn f(n: i64) -> i64 { (n * 3 + 7) / (n % 5) }", {}},
    {"overflow", "pub fn f(n: i64) -> i64 { var t = 1; for i in 0..n { t = t * 3 + i; } t }", {}},
    {"assert", "pub fn f(n: i64) -> i64 { for i in 0..n { assert i < 700; } n }", {}},
    {"endless",
     "pub fn f(n: i64) -> i64 { var x = n; while x != -1 { x = (x + 1) % 1000; } x }",
     {}},
    {"slow",
     "pub fn f(n: i64) -> i64 { var t = 0; for i in 0..(n % 40) * 500 { t = (t + i) % 97; } t }",
     {}},
    {"float",
     "pub fn f(n: i64) -> i64 { var y = 0.5; for i in 0..n % 50 { y = sin(y) + sqrt(y * y); }\n"
     "if y > 20.0 { 1 } else { 0 } }",
     {}},
};

inline std::string many_cases(u32 count) {
  std::string csv = "n,expected\n";
  for (u32 k = 0; k < count; ++k) csv += std::to_string(k) + "," + std::to_string(k % 13) + "\n";
  return csv;
}

}  // namespace komuz::engine::test

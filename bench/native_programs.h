// SPDX-License-Identifier: Apache-2.0
// Programs on which native code is measured. In their texts `@` stands for what tells a copy of a program from another,
// which is nothing where there is one, and `#` for a number that differs between copies.
#pragma once
#include <string>

#include "base/ints.h"

namespace komuz::bench {

struct NativeProgram {
  const char* name;
  const char* text;  // its entry is `f`
  u32 cases;         // of a run on many
  u64 least, most;   // arguments are numbers from here to there; those of floats are divided by 128
};

// Run on many cases: straight-line arithmetic; two mathematical functions; pow and sqrt; loops of whole numbers and of
// floats that diverge; a list that is sorted in place; a heuristic of bin packing; recursion in chains and in a tree.
inline constexpr NativeProgram kManyPrograms[] = {
    {"poly", R"(pub fn f@(x: f64, y: f64) -> f64 {
    let a = ((x * 0.25 + 1.5) * x - y) * x + #.75;
    let b = ((y * 0.5 - x) * y + 1.25) * y - 3.0;
    a * b + (a - b) * (x + y)
}
)",
     20'000, 1, 10'000},
    {"pendulum", "pub fn f@(t: f64, w: f64) -> f64 { exp(-0.1 * t) * cos(w * t) + 0.5 * t }\n",
     20'000, 1, 10'000},
    {"lorentz", "pub fn f@(x: f64, u: f64) -> f64 { (x - u) / sqrt(1.0 - (u / 100.0) ** 2.0) }\n",
     20'000, 1, 10'000},
    {"collatz", R"(pub fn f@(n: i64) -> i64 {
    var k = n;
    var steps = 0;
    while k != 1 limit # { k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 }; steps += 1; }
    steps
}
)",
     20'000, 1, 10'000},
    {"newton", R"(pub fn f@(x: f64) -> f64 {
    var y = x + 1.0;
    var z = #.0;
    while abs(y - z) > 0.000001 * y limit 100 { z = y; y = 0.5 * (y + x / y); }
    y
}
)",
     20'000, 1, 10'000},
    {"sort", R"(pub fn f@(seed: i64) -> i64 {
    var xs = [0; 32];
    var s = seed;
    for i in 0..32 { s = (s * 1103 + #) % 65536; xs[i] = s; }
    for i in 1..32 {
        let x = xs[i];
        var j = i;
        while j > 0 && xs[j - 1] > x { xs[j] = xs[j - 1]; j -= 1; }
        xs[j] = x;
    }
    xs[0] + 3 * xs[16] + 7 * xs[31]
}
)",
     20'000, 1, 10'000},
    {"packing", R"(pub fn f@(seed: i64) -> i64 {
    var free = [100; 64];
    var used = 0;
    var s = seed;
    for i in 0..64 {
        s = (s * 1103 + #) % 65536;
        let item = 20 + s % 50;
        var best = used;
        var room = 101;
        for b in 0..used {
            if free[b] >= item && free[b] < room { best = b; room = free[b]; }
        }
        if best == used { used += 1; }
        free[best] -= item;
    }
    used
}
)",
     5'000, 1, 10'000},
    {"chain", R"(pub fn f@(n: i64) -> i64 { down@(n % 400) }
fn down@(n: i64) -> i64 rec 400 { if n == 0 { 0 } else { (down@(n - 1) * 31 + n) % # } }
)",
     2'000, 1, 10'000},
    {"sum", R"(pub fn f@(n: i64) -> i64 { sum@(n % 400) + # }
fn sum@(n: i64) -> i64 rec 400 { if n == 0 { 0 } else { n + sum@(n - 1) } }
)",
     2'000, 1, 10'000},
    {"steps", R"(pub fn f@(n: i64) -> i64 { steps@(n) + # }
fn steps@(n: i64) -> i64 rec 400 {
    if n == 1 { 0 } else if n % 2 == 0 { 1 + steps@(n / 2) } else { 1 + steps@(3 * n + 1) }
}
)",
     2'000, 1, 10'000},
    {"tree", R"(pub fn f@(n: i64) -> i64 { fib@(10 + n % 8) + # }
fn fib@(n: i64) -> i64 rec 20 { if n < 2 { n } else { fib@(n - 1) + fib@(n - 2) } }
)",
     1'000, 1, 10'000},
};

// Run on one case that takes long.
inline constexpr NativeProgram kLongPrograms[] = {
    {"count",
     "pub fn f(n: i64) -> i64 { var t = 0; for i in 0..n { t = (t * 31 + i) % 10007; } t }\n", 1,
     300'000, 300'000},
    {"logistic", R"(pub fn f(n: i64) -> f64 {
    var x = 0.25;
    for _ in 0..n { x = 3.75 * x * (1.0 - x); }
    x
}
)",
     1, 300'000, 300'000},
    {"steps", R"(pub fn f(n: i64) -> i64 {
    var most = 0;
    for i in 1..n {
        var k = i;
        var steps = 0;
        while k != 1 { k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 }; steps += 1; }
        most = max(most, steps);
    }
    most
}
)",
     1, 6'000, 6'000},
    {"histogram", R"(pub fn f(n: i64) -> i64 {
    var counts = [0; 64];
    var s = 1;
    for _ in 0..n { s = (s * 1103 + 12345) % 65536; counts[s % 64] += 1; }
    counts[5]
}
)",
     1, 300'000, 300'000},
    {"best_fit", R"(pub fn f(n: i64) -> i64 {
    var free = [100; 64];
    var lost = 0;
    var s = 1;
    for i in 0..n {
        s = (s * 1103 + 12345) % 65536;
        let item = 20 + s % 50;
        var best = 0;
        var room = 101;
        for b in 0..64 {
            if free[b] >= item && free[b] < room { best = b; room = free[b]; }
        }
        if room == 101 { free[s % 64] = 100; lost += 1; } else { free[best] -= item; }
    }
    lost
}
)",
     1, 8'000, 8'000},
    {"sieve", R"(pub fn f(n: i64) -> i64 {
    var marks = [0; 2000];
    var found = 0;
    for _ in 0..n {
        found = 0;
        marks = [0; 2000];
        for i in 2..2000 {
            if marks[i] != 0 { continue; }
            found += 1;
            var k = i * i;
            while k < 2000 { marks[k] = 1; k += i; }
        }
    }
    found
}
)",
     1, 60, 60},
    {"long_tree", R"(pub fn f(n: i64) -> i64 { fib(n) }
fn fib(n: i64) -> i64 rec 40 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
)",
     1, 25, 25},
    {"long_sum", R"(pub fn f(n: i64) -> i64 { var t = 0; for i in 0..n { t += sum(i % 400); } t }
fn sum(n: i64) -> i64 rec 400 { if n == 0 { 0 } else { n + sum(n - 1) } }
)",
     1, 1'500, 1'500},
};

// The text of copy `copy`; of the only one, if there is none.
inline std::string text_of(const char* text, const std::string& copy, u32 number) {
  std::string out;
  for (const char* at = text; *at != 0; ++at) {
    if (*at == '@')
      out += copy;
    else if (*at == '#')
      out += std::to_string(number);
    else
      out += *at;
  }
  return out;
}
inline std::string text_of(const NativeProgram& program) { return text_of(program.text, "", 1001); }

}  // namespace komuz::bench

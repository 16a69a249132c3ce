// SPDX-License-Identifier: Apache-2.0
// What benchmarks of native code run. ptx_kernels.h has the same in CUDA C.
#pragma once
#include "base/ints.h"

namespace komuz::bench {

// Straight-line arithmetic; two mathematical functions; pow and sqrt; a loop of whole numbers that diverges; a list
// that is sorted in place; a heuristic of bin packing.
struct Program {
  const char* name;
  const char* text;
  u32 cases;
};
inline constexpr Program kPrograms[] = {
    {"poly",
     "pub fn f(x: f64, y: f64) -> f64 {\n"
     "    let a = ((x * 0.25 + 1.5) * x - y) * x + 0.75;\n"
     "    let b = ((y * 0.5 - x) * y + 1.25) * y - 3.0;\n"
     "    a * b + (a - b) * (x + y)\n}\n",
     20'000},
    {"pendulum", "pub fn f(t: f64, w: f64) -> f64 { exp(-0.1 * t) * cos(w * t) + 0.5 * t }\n",
     20'000},
    {"lorentz", "pub fn f(x: f64, u: f64) -> f64 { (x - u) / sqrt(1.0 - (u / 100.0) ** 2.0) }\n",
     20'000},
    {"collatz",
     "pub fn f(n: i64) -> i64 {\n    var k = n;\n    var steps = 0;\n"
     "    while k != 1 limit 1000 { k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 }; steps += 1; }\n"
     "    steps\n}\n",
     20'000},
    {"sort",
     "pub fn f(seed: i64) -> i64 {\n    var xs = [0; 32];\n    var s = seed;\n"
     "    for i in 0..32 { s = (s * 1103 + 12345) % 65536; xs[i] = s; }\n"
     "    for i in 1..32 {\n        let x = xs[i];\n        var j = i;\n"
     "        while j > 0 && xs[j - 1] > x { xs[j] = xs[j - 1]; j -= 1; }\n        xs[j] = x;\n"
     "    }\n    xs[0] + 3 * xs[16] + 7 * xs[31]\n}\n",
     20'000},
    {"packing",
     "pub fn f(seed: i64) -> i64 {\n    var free = [100; 64];\n    var used = 0;\n    var s = "
     "seed;\n"
     "    for i in 0..64 {\n        s = (s * 1103 + 12345) % 65536;\n"
     "        let item = 20 + s % 50;\n        var best = used;\n        var room = 101;\n"
     "        for b in 0..used {\n            if free[b] >= item && free[b] < room "
     "{ best = b; room = free[b]; }\n        }\n"
     "        if best == used { used += 1; }\n        free[best] -= item;\n    }\n    used\n}\n",
     5'000},
};

}  // namespace komuz::bench

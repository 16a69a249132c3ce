// SPDX-License-Identifier: Apache-2.0
// How many questions about programs are decided by proof, and how long that takes, as rows of a table:
//
//   prove_bench [PROGRAMS [SEED]]
//
// The questions are about programs of the generator: each against itself without optimisation, against mutants, in which
// one operation, constant or slot is not the same, and against code in which half of the operations on integers do the
// same in another way. Mutants that 64 cases tell apart are left out: tests are there for those. A program counts as one
// with products if one of its functions multiplies or divides integers by what is no constant.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "gen/gen.h"
#include "tests/neural/changed_code.h"
#include "tests/neural/proof_questions.h"
#include "tests/neural/rewritten_code.h"

namespace komuz::test {
namespace {

struct Row {
  const char* name;
  u32 proved = 0, refuted = 0, unknown = 0, by_terms = 0;
  std::vector<f64> milliseconds = {};
};

void print(Row& row) {
  std::vector<f64>& times = row.milliseconds;
  if (times.empty()) return;
  std::ranges::sort(times);
  const auto at = [&](f64 part) {
    return times[static_cast<size_t>(part * static_cast<f64>(times.size() - 1))];
  };
  const u32 all = row.proved + row.refuted + row.unknown;
  std::printf("| %s | %u | %.2f %% | %u | %u | %u | %.3f | %.3f | %.1f | %.0f |\n", row.name, all,
              100.0 * (row.proved + row.refuted) / all, row.proved, row.by_terms, row.refuted,
              at(0.5), at(0.9), at(0.99), at(1));
}

// Products and quotients of integers, but for those by a constant.
bool has_products(const CodeView& code) {
  for (size_t at = 1; at < code.instructions.size(); ++at) {
    const Instruction i = code.instructions[at];
    switch (i.op) {
      case Op::Mul:
      case Op::MulWrap:
      case Op::Div:
      case Op::Rem:
      case Op::DivFloor:
      case Op::ModFloor:
      case Op::Div0:
      case Op::Pow:
        if (is_integer(i.type) && code.instructions[at - 1].op != Op::LoadConst) return true;
        break;
      default: break;
    }
  }
  return false;
}

void ask(const ProofPair& pair, Row& row) {
  const auto start = std::chrono::steady_clock::now();
  const neural::ProofAnswer answer = prove(pair);
  const std::chrono::duration<f64, std::milli> taken = std::chrono::steady_clock::now() - start;
  row.milliseconds.push_back(taken.count());
  row.by_terms += answer.method == "the same terms" ? 1 : 0;
  switch (answer.proof) {
    case neural::Proof::Proved: ++row.proved; break;
    case neural::Proof::Refuted: ++row.refuted; break;
    case neural::Proof::Unknown: ++row.unknown; break;
  }
}

// Do 64 cases tell them apart?
bool is_told_apart(const ProofPair& pair, u64 seed) {
  const Function& f = pair.a.functions[pair.a_function];
  const auto rows = transposed(gen::generate_values(seed, pair.a.view().parameter_types(f), 64),
                               f.parameter_slots);
  CaseRun a(pair.a, rows, pair.a_function), b(pair.b, rows, pair.b_function);
  a.on(Machine::Portable);
  b.on(Machine::Portable);
  return a.traps != b.traps || a.values != b.values || a.fuel != b.fuel;
}

// Equal by algebra. Each is hard in a way of its own.
constexpr const char* kIdentities[][2] = {
    {"pub fn f(x: i64) -> i64 { x - x / 7 * 7 }", "pub fn f(x: i64) -> i64 { x % 7 }"},
    {"pub fn f(x: i64) -> i64 { x / 2 / 2 }", "pub fn f(x: i64) -> i64 { x / 4 }"},
    {"pub fn f(x: i64) -> i64 { x / 3 / 5 }", "pub fn f(x: i64) -> i64 { x / 15 }"},
    {"pub fn f(x: i64, y: i64, z: i64) -> i64 { x *% y +% x *% z }",
     "pub fn f(x: i64, y: i64, z: i64) -> i64 { x *% (y +% z) }"},
    {"pub fn f(x: i64, y: i64) -> i64 { (x +% y) *% (x +% y) }",
     "pub fn f(x: i64, y: i64) -> i64 { x *% x +% 2 *% x *% y +% y *% y }"},
    {"pub fn f(x: u64, y: u64) -> u64 { x *% y *% (x ^ y) / (y | 1) }",
     "pub fn f(x: u64, y: u64) -> u64 { x *% ((x ^ y) *% y) / (y | 1) }"},
    {"pub fn f(x: i64, y: i64, z: i64) -> i64 { max(x, max(y, z)) }",
     "pub fn f(x: i64, y: i64, z: i64) -> i64 { if x > y { if x > z { x } else { z } } else { if y "
     "> z { y } else "
     "{ z } } }"},
    {"pub fn f(x: i64, y: i64) -> i64 { abs(x - y) }",
     "pub fn f(x: i64, y: i64) -> i64 { if x > y { x - y } else { y - x } }"},
};

int run(u64 programs, u64 first) {
  if (opened_prover() == nullptr) return 1;
  std::printf("%s; seeds %llu to %llu\n\n", opened_prover()->about().c_str(),
              static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + programs - 1));
  Row rows[] = {{"itself, without products"},
                {"itself, with products"},
                {"mutants, without products"},
                {"mutants, with products"},
                {"rewritten, without products"},
                {"rewritten, with products"},
                {"identities"}};
  for (u64 seed = first; seed < first + programs; ++seed) {
    gen::Options options;
    options.functions = static_cast<u32>(1 + seed % 5);
    options.statements = static_cast<u32>(1 + seed % 4);
    options.depth = static_cast<u32>(2 + seed % 3);
    options.tests = false;
    options.containers = seed % 4 == 0;
    const std::string source = gen::generate_program(seed, options);
    const Code code = compiled(source);
    const u32 entry = entry_of(code);
    if (takes_slices(code, entry)) continue;
    const u32 kind = has_products(code.view()) ? 1 : 0;
    ask(ProofPair(code, compiled(source, true), entry), rows[kind]);
    Random random(seed);
    Rewriter rewriter(code, random);
    if (Code other = rewriter.run();
        rewriter.replaced != 0 && !check_code(other.view(), other.functions))
      ask(ProofPair(code, std::move(other), entry), rows[4 + kind]);
    for (u32 turn = 0; turn < 3; ++turn) {
      Code other = code;
      const u32 function = random.below(other.functions.size());
      if (!change_code(other, code.functions[function], random) ||
          check_code(other.view(), other.functions))
        continue;
      const ProofPair pair(code, other, entry);
      if (!is_told_apart(pair, seed)) ask(pair, rows[2 + kind]);
    }
  }
  for (const auto& [one, other] : kIdentities) ask(ProofPair(one, other), rows[6]);
  std::printf(
      "| questions | number | decided | proved | by their terms | refuted | median, ms | p90 | p99 "
      "| most "
      "|\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (Row& row : rows) print(row);
  return 0;
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** words) {
  const auto number = [&](int at, komuz::u64 usual) {
    return count > at ? std::strtoull(words[at], nullptr, 10) : usual;
  };
  return komuz::test::run(number(1, 1000), number(2, 1));
}

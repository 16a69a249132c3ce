// SPDX-License-Identifier: Apache-2.0
// How often wrong code gets through the judge of proposals (neural/optimise/judge.h), as rows of a table:
//
//   judge_bench [MUTANTS [SEED]]       default 20,000 mutants
//
// Windows of generated programs get mutants: one instruction is another one. Each is proposed by itself, and said to be cheaper, once
// where a proof is needed, and once where a risk of 0.001 is taken and no solver is asked. What is taken is then run on many more
// inputs. What these tell apart is wrong. Of a wrong one that was tested, the share of inputs on which it differs must be
// below the risk, but for one in twenty.
#include <cstdio>
#include <cstdlib>

#include "base/random.h"
#include "frontend_gpu/frontend.h"
#include "gen/gen.h"
#include "neural/optimise/judge.h"
#include "neural/windows/windows.h"
#include "tests/neural/changed_code.h"

namespace komuz::neural {
namespace {

constexpr u64 kMoreInputs = 100'000;
constexpr u64 kOtherSeed = 0x6F74'6865'72;

struct Row {
  const char* name;
  JudgeOptions options = {};
  u64 refuted = 0, unproved = 0, taken = 0, wrong = 0;
};

void judge_one(const Code& reference, const Code& mutant, Row& row) {
  const Proposal proposal{mutant, Author::Model, 0};
  const Judgement judged = judge(reference.view(), 1, {&proposal, 1}, row.options);
  row.refuted += judged.refuted;
  row.unproved += judged.unproved;
  if (!judged.choice) return;
  ++row.taken;
  const Result<Equality> compared = compare(
      {reference.view(), 0}, {mutant.view(), 0},
      {.fuel = FuelRule::Same, .inputs = kMoreInputs, .seed = kOtherSeed, .uses_solver = false});
  if (!compared.problem() && compared.value().verdict == Verdict::Refuted) ++row.wrong;
}

int run(u64 mutants, u64 seed) {
  Row rows[] = {{.name = "proof"}, {.name = "tests, risk 0.001"}};
  rows[0].options.resources = 400'000;
  rows[1].options.resources = 0;
  rows[1].options.risk = 0.001;
  u64 made = 0;
  Random random(seed);
  for (; made < mutants; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation program;
    compiler.compile(gen::generate_program(seed), program);
    for (u32 f = 0; f < program.code.functions.size(); ++f)
      for (const CodeWindow& window : find_code_windows(program.code.view(), f)) {
        const Code reference = lone_window(program.code.view(), window).code;
        const std::optional<Code> mutant = test::mutant(reference, 0, random);
        if (!mutant || made == mutants) continue;
        ++made;
        for (Row& row : rows) judge_one(reference, *mutant, row);
      }
  }
  std::printf("| by | mutants | refuted | neither | taken | of these wrong |\n");
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  for (const Row& row : rows)
    std::printf("| %s | %llu | %llu | %llu | %llu | %llu |\n", row.name,
                static_cast<unsigned long long>(made), static_cast<unsigned long long>(row.refuted),
                static_cast<unsigned long long>(row.unproved),
                static_cast<unsigned long long>(row.taken),
                static_cast<unsigned long long>(row.wrong));
  return rows[0].wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace komuz::neural

int main(int argc, char** argv) {
  using komuz::u64;
  const u64 mutants = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const u64 seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return komuz::neural::run(mutants, seed);
}

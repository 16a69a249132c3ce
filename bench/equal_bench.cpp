// SPDX-License-Identifier: Apache-2.0
// How many guided inputs wrong code survives, and what a comparison takes:
//
//   equal_bench [PROGRAMS] [MUTANTS] [FIRST_SEED]
//
// Random programs by their size, and for each random mutants (tests/neural/changed_code.h). A mutant that 100,000 guided
// inputs do not tell from its program counts as equal to it: most are. The other ones are wrong; the table says how many of
// them a number of inputs leaves. Beside it: the same for inputs that know nothing of the programs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/cases/signature.h"
#include "engine/testing/guides.h"
#include "frontend_gpu/frontend.h"
#include "gen/gen.h"
#include "neural/equal/paired_run.h"
#include "tests/neural/changed_code.h"

namespace komuz::test {
namespace {

constexpr u64 kJudge = 100'000, kNever = ~u64{0};
constexpr u64 kMarks[] = {1, 4, 16, 64, 256, 1024, 2048, 10'000};

struct Size {
  const char* name;
  gen::Options options;
};
const Size kSizes[] = {
    {"simple", {.functions = 1, .constants = 1, .statements = 1, .depth = 2, .tests = false}},
    {"medium", {.functions = 1, .constants = 2, .statements = 2, .depth = 3, .tests = false}},
    {"complex", {.functions = 3, .constants = 3, .statements = 4, .depth = 4, .tests = false}},
    {"lists",
     {.functions = 2,
      .constants = 2,
      .statements = 3,
      .depth = 3,
      .tests = false,
      .containers = true}},
};

enum class Inputs { Guided, Unguided };

// The number of the first input, from 1, that tells them apart.
u64 first_difference(const engine::PropertyEntry& a, const engine::PropertyEntry& b,
                     Inputs inputs) {
  const engine::ValueShape shape(a.types());
  engine::ValueSampler sampler(shape, {});
  engine::Guides guides;
  if (inputs == Inputs::Guided) {
    engine::add_guides(a.code(), a.function(), guides);
    engine::add_guides(b.code(), b.function(), guides);
    engine::settle_guides(guides);
  }
  engine::CaseColumns columns(a.slot_types());
  std::vector<u64> cells(a.slot_types().size());
  constexpr u64 kTicks = 20'000;
  neural::PairedRun pair(a, b, neural::FuelRule::Any, kTicks, nullptr, nullptr);
  constexpr u64 kBatch = 4'096;
  for (u64 at = 0; at < kJudge; at += kBatch) {
    columns.clear();
    for (u64 k = 0; k < kBatch; ++k) {
      if (inputs == Inputs::Guided)
        sampler.sample_guided(guides, 1, at + k, cells);
      else  // behind those that are edges alone
        sampler.sample(1, static_cast<u32>(1024 + at + k), cells);
      columns.add(cells);
    }
    pair.run(columns, 0);
    for (u32 row = 0; row < kBatch; ++row)
      if (pair.verdict(row) == neural::CaseVerdict::Differs) return at + row + 1;
  }
  return kNever;
}

void print_row(const char* name, const char* inputs, const std::vector<u64>& deaths) {
  const auto wrong = static_cast<f64>(deaths.size());
  std::printf("| %s | %s | %zu |", name, inputs, deaths.size());
  for (const u64 mark : kMarks) {
    const auto left = std::ranges::count_if(deaths, [&](u64 death) { return death > mark; });
    std::printf(" %.2f |", 100 * static_cast<f64>(left) / wrong);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void measure(const Size& size, u64 programs, u64 mutants, u64 first_seed) {
  std::vector<u64> guided, unguided;
  u64 alike = 0;
  for (u64 seed = first_seed; seed < first_seed + programs; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed, size.options), made);
    const engine::EntryChoice entry = engine::choose_entry(made.code.view(), "");
    if (!made.ok || !entry.refusal.empty()) continue;
    const u32 function = static_cast<u32>(entry.function);
    const engine::PropertyEntry a(made.code.view(), function);
    if (!a.fits() || a.slot_types().empty()) continue;
    Random random(seed);
    for (u64 k = 0; k < mutants; ++k) {
      const std::optional<Code> changed = mutant(made.code, function, random);
      if (!changed) break;
      const engine::PropertyEntry b(changed->view(), function);
      const u64 by_guides = first_difference(a, b, Inputs::Guided);
      const u64 without = first_difference(a, b, Inputs::Unguided);
      if (std::min(by_guides, without) == kNever) {
        ++alike;
        continue;
      }
      guided.push_back(by_guides);
      unguided.push_back(without);
    }
  }
  print_row(size.name, "guided", guided);
  print_row(size.name, "not guided", unguided);
  std::printf("| %s | equal, as far as %llu inputs say: %llu |\n", size.name,
              static_cast<unsigned long long>(kJudge), static_cast<unsigned long long>(alike));
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** words) {
  const auto number = [&](int at, komuz::u64 otherwise) {
    return count > at ? std::strtoull(words[at], nullptr, 10) : otherwise;
  };
  std::printf("| programs | inputs | wrong mutants |");
  for (const komuz::u64 mark : komuz::test::kMarks)
    std::printf(" %% left after %llu |", static_cast<unsigned long long>(mark));
  std::printf("\n");
  for (const komuz::test::Size& size : komuz::test::kSizes)
    komuz::test::measure(size, number(1, 100), number(2, 20), number(3, 1));
  return 0;
}

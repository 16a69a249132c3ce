// SPDX-License-Identifier: Apache-2.0
// What it takes to run programs so and so often: as they are, with cheaper code looked for in any case, and as the router
// decides (neural/router).
//
//   mixes [PROGRAMS]      of each class (default 60)
//
// Programs are generated ones that the router was not fitted to, by class, and one mix has all classes. For each program this
// measures what it costs to find and to prove cheaper code, by rules and with the model, and how long runs take before and after:
// up to 1,000 runs by running so many, in one batch; more runs are calculated from the time of a case in batches of 1,024. The
// hybrid is what the router decides for the work that there is, with the time that deciding takes; where looking for cheaper code
// would take longer than the router's limit, it gives up then, and has found nothing. Compiling counts for all. Times are means
// over the programs of a mix. At last it says how long decisions take, for these programs and for those of examples/ and stdlib/.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/routed_programs.h"
#include "frontend_gpu/frontend.h"
#include "neural/decode/open_model.h"
#include "neural/optimise/guided_cases.h"
#include "vm/vm.h"

namespace komuz::neural {
namespace {

using Clock = std::chrono::steady_clock;

// Numbers of programs that router_rows does not come to.
constexpr u64 kFirst = 1'000'000;
constexpr u64 kTicks = 1'000;         // of a case
constexpr u32 kMostMeasured = 1'000;  // runs
constexpr f64 kSeconds = 0.02;        // for each time of a case
constexpr u32 kPowers = 9;            // runs from 10 to 10^9

template <class Work>
f64 least_ns(u32 rounds, const Work& work) {
  f64 least = 1e18;
  for (u32 k = 0; k < rounds; ++k) {
    const Clock::time_point start = Clock::now();
    work();
    const std::chrono::duration<f64, std::nano> taken = Clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least;
}

// Of so many runs in one batch, with what it takes to prepare the code for them. 0: no case fits.
f64 batch_ns(const CodeView& code, const CodeView& other, u32 entry, u32 runs) {
  GuidedCases cases(other, code, entry, runs, 0);
  if (!cases.fits()) return 0;
  const engine::PropertyEntry& run = cases.b();
  const vm::Job job{run.code(), run.function(), cases.view(), run.budget(kTicks)};
  std::vector<u64> values(size_t{code.functions[entry].result_cells} * runs), fuel(runs);
  std::vector<Trap> traps(runs);
  std::vector<u32> places(runs), depths(runs);
  vm::BatchMachine machine;
  return least_ns(30, [&] { machine.run(job, {values, traps, places, depths, fuel}); });
}

f64 runs_of(u32 power) { return std::pow(10.0, power); }

struct Measured {
  f64 run_ns[kWays][kPowers];  // of 10^(power + 1) runs, by way
  f64 cost_ns[kWays];
  RouterFeatures features;
  f64 compile_ns = 0, decision_ns = 0;
};

f64 decision_ns(const RoutedProgram& program) {
  constexpr u32 kInARow = 100;
  f64 sum = 0;
  const f64 taken = least_ns(20, [&] {
    for (u32 k = 0; k < kInARow; ++k)
      sum += route(features_of(program.code.view(), program.entry), 1e6 + sum * 1e-9, true)
                 .chosen()
                 .gain_ns;
  });
  return taken / kInARow + (std::isnan(sum) ? 1 : 0);
}

f64 compile_ns(const std::string& text) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  return least_ns(20, [&] { compiler.compile(text, made); });
}

std::optional<Measured> measure(const RoutedProgram& program, const Model& model) {
  const MeasuredProgram measured = measure_program(program, model, kSeconds);
  if (measured.case_ns == 0) return std::nullopt;
  Measured out;
  out.cost_ns[0] = 0;
  out.cost_ns[1] = measured.by_rules.cost_ns;
  out.cost_ns[2] = measured.by_model.cost_ns;
  const Code* const codes[kWays] = {&program.code, &measured.by_rules.code,
                                    &measured.by_model.code};
  const f64 shares[kWays] = {0, measured.by_rules.share, measured.by_model.share};
  const bool is_cheaper[kWays] = {false, measured.by_rules.is_cheaper,
                                  measured.by_model.is_cheaper};
  for (u32 way = 0; way < kWays; ++way)
    for (u32 power = 0; power < kPowers; ++power) {
      const f64 runs = runs_of(power + 1);
      f64& ns = out.run_ns[way][power];
      if (way > 0 && !is_cheaper[way])
        ns = out.run_ns[0][power];  // the same code
      else if (runs <= kMostMeasured)
        ns = batch_ns(codes[way]->view(), program.code.view(), program.entry,
                      static_cast<u32>(runs));
      else
        ns = runs * measured.case_ns * (1 - shares[way]);
    }
  out.features = features_of(program.code.view(), program.entry);
  out.compile_ns = compile_ns(program.text);
  out.decision_ns = decision_ns(program);
  return out;
}

std::string time_text(f64 ns) {
  struct Unit {
    f64 ns;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
  for (const Unit& unit : kUnits)
    if (ns >= unit.ns || unit.ns == 1) {
      char text[32];
      std::snprintf(text, sizeof text, "%.3g %s", ns / unit.ns, unit.name);
      return text;
    }
  return {};
}

// Of the hybrid over the better one of the two ways that do not look: the largest of a mix.
f64 print_mix(const char* name, const std::vector<Measured>& programs) {
  f64 worst = 0;
  for (u32 power = 0; power < kPowers; ++power) {
    f64 always[kWays] = {}, hybrid = 0;
    u32 chosen[kWays] = {};
    for (const Measured& p : programs) {
      for (u32 way = 0; way < kWays; ++way)
        always[way] += p.compile_ns + p.cost_ns[way] + p.run_ns[way][power];
      const f64 work = p.run_ns[0][power];
      const Route routed = route(p.features, work, true);
      const u32 way = static_cast<u32>(routed.way);
      ++chosen[way];
      hybrid += p.compile_ns + (work >= kLeastWorkNs ? p.decision_ns : 0);
      hybrid += p.cost_ns[way] <= routed.limit_ns ? p.cost_ns[way] + p.run_ns[way][power]
                                                  : routed.limit_ns + p.run_ns[0][power];
    }
    const f64 n = static_cast<f64>(programs.size());
    const f64 ratio = hybrid / std::min(always[0], always[2]);
    worst = std::max(worst, ratio);
    std::printf("| %s | 10^%u%s | %s | %s | %s | %s | %.3f | %u, %u, %u |\n", name, power + 1,
                runs_of(power + 1) <= kMostMeasured ? "" : ", calculated",
                time_text(always[0] / n).c_str(), time_text(always[1] / n).c_str(),
                time_text(always[2] / n).c_str(), time_text(hybrid / n).c_str(), ratio, chosen[0],
                chosen[1], chosen[2]);
  }
  return worst;
}

void print_decisions(const char* name, std::vector<f64> ns) {
  if (ns.empty()) return;
  std::ranges::sort(ns);
  const auto at = [&](f64 part) {
    return ns[static_cast<size_t>(part * static_cast<f64>(ns.size() - 1))];
  };
  std::printf("| %s | %zu | %.0f | %.0f | %.0f |\n", name, ns.size(), at(0.5), at(0.99), at(1));
}

int run(u64 most) {
  const Result<const Model*> model = open_model();
  if (model.problem()) {
    std::fprintf(stderr, "%s\n", model.problem().text().c_str());
    return 1;
  }
  std::vector<Measured> classes[std::size(kProgramClasses)], all;
  const auto is_full = [&](u32 of) { return classes[of].size() == most; };
  for (u64 number = kFirst; !(is_full(0) && is_full(1) && is_full(2)); ++number)
    each_program(Origin::Scalar, number, 1, [&](const RoutedProgram& program) {
      const u32 of = program_class(program);
      if (is_full(of)) return;
      if (const std::optional<Measured> measured = measure(program, *model.value())) {
        classes[of].push_back(*measured);
        all.push_back(*measured);
      }
    });
  std::printf(
      "| mix | runs | traditional | rules, always | neural, always | hybrid | over the better of "
      "traditional and neural | as it is, rules, neural |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  f64 worst = 0;
  for (u32 of = 0; of < std::size(kProgramClasses); ++of)
    worst = std::max(worst, print_mix(kProgramClasses[of].data(), classes[of]));
  worst = std::max(worst, print_mix("all", all));
  std::printf("\nthe hybrid takes at most %.3f of the better one\n", worst);

  std::printf(
      "\n| decisions, ns | programs | median | p99 | longest |\n| --- | --- | --- | --- | --- |\n");
  const auto decisions = [](const std::vector<Measured>& programs) {
    std::vector<f64> ns;
    for (const Measured& p : programs) ns.push_back(p.decision_ns);
    return ns;
  };
  for (u32 of = 0; of < std::size(kProgramClasses); ++of)
    print_decisions(kProgramClasses[of].data(), decisions(classes[of]));
  std::vector<f64> written;
  each_program(Origin::Written, 0, 0,
               [&](const RoutedProgram& program) { written.push_back(decision_ns(program)); });
  print_decisions("examples and standard library", written);
  return 0;
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  return komuz::neural::run(count > 1 ? std::strtoull(words[1], nullptr, 10) : 60);
}

// SPDX-License-Identifier: Apache-2.0
// From text to ranking: candidate expressions as JSONL and cases as CSV go through the engine on one thread. LuaJIT
// and libtcc, if the build found them, compile and score the same expressions on the same cases in the same run, in
// turn.
//
//   end_to_end [CANDIDATES [CASES [ROUNDS [alone]]]]      10000, 256, 5; alone: Komuz, for a profiler
//
// KOMUZ_EXPRTK may name a file of expressions over a b c x y z w, one a line. Without it they are generated.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

#include "bench/peers.h"
#include "bench/programs.h"
#include "engine/engine.h"
#include "frontend_gpu/frontend.h"

namespace komuz::bench {
namespace {

using Scores = std::vector<f64>;

// The processor time of all threads, so that the machine's other work counts little. On one core, it is the time
// that passes.
f64 seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<f64>(std::clock() - start) / CLOCKS_PER_SEC;
}
f64 median(std::vector<f64> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}
[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "end_to_end: %s\n", why.c_str());
  std::exit(1);
}

// Values between 1 and 3 with three decimals, with the value of (x + y) * z - w / a for them.
RegressionCases make_cases(u32 count) {
  RegressionCases cases;
  u64 state = 7;
  for (u32 k = 0; k < count; ++k) {
    f64 row[kVariables.size()];
    for (size_t v = 0; v < kVariables.size(); ++v) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      row[v] = 1.0 + static_cast<f64>(state >> 40 & 0x7FF) / 1000.0;
      cases.columns[v].push_back(row[v]);
    }
    const auto [a, b, c, x, y, z, w] = row;
    cases.expected.push_back((x + y) * z - w / a);
  }
  return cases;
}
std::string csv_of(const RegressionCases& cases) {
  std::string text;
  for (const char* name : kVariables) text += std::string(name) + ",";
  text += "expected\n";
  char number[32];
  for (u32 k = 0; k < cases.count(); ++k) {
    for (const auto& column : cases.columns) {
      std::snprintf(number, sizeof number, "%.17g,", column[k]);
      text += number;
    }
    std::snprintf(number, sizeof number, "%.17g\n", cases.expected[k]);
    text += number;
  }
  return text;
}
std::string jsonl_of(const std::vector<std::string>& expressions) {
  std::string text;
  for (size_t k = 0; k < expressions.size(); ++k)
    text += "{\"id\": \"e" + std::to_string(k) + "\", \"source\": \"" +
            expression_program(expressions[k], "f64") + "\"}\n";
  return text;
}

// The whole way: from both texts to a ranking.
void evaluate_by_komuz(const std::string& jsonl, const std::string& csv, engine::Results& results) {
  size_t at = 0;
  engine::JsonlCandidates candidates("candidates.jsonl", [&](std::span<char> buffer) {
    const size_t n = std::min(buffer.size(), jsonl.size() - at);
    std::memcpy(buffer.data(), jsonl.data() + at, n);
    at += n;
    return n;
  });
  engine::CasesTable cases;
  if (const auto error = engine::read_csv_cases("cases.csv", csv, {}, cases))
    give_up("the cases cannot be read");
  engine::EvaluateOptions options;
  options.ranking.score = engine::ScoreKind::SquaredError;
  options.machines.threads = 1;
  results = {};
  if (const auto error = engine::evaluate(candidates, cases, options, results))
    give_up("the cases do not fit");
}

void compile_all(const Sources& sources) {
  frontend::Compiler compiler;
  frontend::Compilation out;
  for (const std::string& text : sources.texts) {
    compiler.compile(text, out);
    if (!out.ok) give_up("a candidate does not compile: " + text);
  }
}

// The number of a peer's scores that Komuz also has. Sums in another order differ in their last digits.
size_t agreeing(const Scores& scores, const engine::Results& results) {
  size_t same = 0;
  for (size_t k = 0; k < scores.size(); ++k) {
    const engine::ResultRow& row = results.rows[k];
    const f64 ours = row.scored ? row.score : NAN;
    if (std::isnan(scores[k]) || std::isnan(ours))
      same += std::isnan(scores[k]) == std::isnan(ours);
    else
      same += scores[k] == ours || std::abs(scores[k] - ours) <= 1e-9 * std::abs(ours);
  }
  return same;
}

void run(u32 count, u32 case_count, u32 rounds, bool is_alone) {
  std::vector<std::string> all =
      std::getenv("KOMUZ_EXPRTK") != nullptr ? expressions() : make_expressions(count, 1);
  if (all.size() > count) all.resize(count);
  const RegressionCases cases = make_cases(case_count);
  const std::string jsonl = jsonl_of(all), csv = csv_of(cases);
  const Sources sources = make_expression_programs(all, "f64");
  const f64 n = static_cast<f64>(all.size());
  std::printf(
      "%zu expressions (%s) of %.0f bytes as programs, %u cases of f64, one thread, medians of %u "
      "rounds\n",
      all.size(), expressions_origin(), static_cast<f64>(sources.bytes) / n, case_count, rounds);

  engine::Results results;
  std::vector<f64> komuz_times, compile_times;
  const std::vector<Peer> found = is_alone ? std::vector<Peer>() : peers();
  std::vector<std::vector<f64>> peer_times(found.size()), ratios(found.size());
  std::vector<Scores> scores(found.size());
  for (u32 round = 0; round < rounds; ++round) {
    const f64 ours = seconds_of([&] { evaluate_by_komuz(jsonl, csv, results); });
    komuz_times.push_back(ours);
    compile_times.push_back(seconds_of([&] { compile_all(sources); }));
    for (size_t p = 0; p < found.size(); ++p) {
      const std::span<const std::string> some(all.data(),
                                              std::min<size_t>(found[p].candidates, all.size()));
      const f64 theirs = seconds_of([&] {
        if (!found[p].score(some, cases, scores[p])) give_up("a peer refused an expression");
      });
      const f64 scaled = theirs * n / static_cast<f64>(some.size());
      peer_times[p].push_back(scaled);
      ratios[p].push_back(scaled / ours);
    }
  }

  size_t scored = 0, duplicates = 0;
  for (const engine::ResultRow& row : results.rows) {
    scored += row.scored;
    duplicates += row.duplicate_of != engine::kNone;
  }
  std::printf("%zu candidates scored, %zu of them duplicates of others; best: %s\n\n", scored,
              duplicates, std::string(results.id(results.ranking.front())).c_str());
  std::printf("%-34s %12s %18s %16s\n", "", "ms", "candidates/s", "times Komuz");
  const auto line = [&](const std::string& name, f64 seconds, f64 ratio) {
    std::printf("%-34s %12.1f %18.0f %16.2f\n", name.c_str(), seconds * 1e3, n / seconds, ratio);
  };
  const f64 ours = median(komuz_times), compiling = median(compile_times);
  line("Komuz, JSONL text to ranking", ours, 1);
  line("  its front end alone", compiling, compiling / ours);
  for (size_t p = 0; p < found.size(); ++p)
    line(std::string(found[p].name) + ", compile and score", median(peer_times[p]),
         median(ratios[p]));
  for (size_t p = 0; p < found.size(); ++p)
    std::printf(
        "%s: measured on %zu candidates, scaled to %zu; %zu of its scores agree with Komuz\n",
        found[p].name, scores[p].size(), all.size(), agreeing(scores[p], results));
  if (*peers_left_out() != 0) std::printf("%s\n", peers_left_out());
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  const auto argument = [&](int k, komuz::u32 otherwise) {
    return argc > k ? static_cast<komuz::u32>(std::strtoul(argv[k], nullptr, 10)) : otherwise;
  };
  const komuz::u32 candidates = argument(1, 10'000), cases = argument(2, 256),
                   rounds = argument(3, 5);
  const bool is_alone = argc == 5 && std::strcmp(argv[4], "alone") == 0;
  if (candidates == 0 || cases == 0 || rounds == 0 || (argc > 4 && !is_alone)) {
    std::fprintf(stderr, "usage: end_to_end [CANDIDATES [CASES [ROUNDS [alone]]]]\n");
    return 2;
  }
  komuz::bench::run(candidates, cases, rounds, is_alone);
  return 0;
}

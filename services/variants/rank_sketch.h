// SPDX-License-Identifier: Apache-2.0
// A sketch and a file of cases → its variants, ranked as `komuz eval` ranks them: for editors, while the sketch is being written. It
// is done in steps, each a whole evaluation of more variants than the one before; the last one takes all, or a sample with a fixed
// seed. What a step gives follows from the question alone. Knows no files and no clock, and runs on the thread that calls it.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "engine/cases/cases_table.h"
#include "engine/results/results.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::services {

// Modules whose texts have been read before.
class KeptModules final : public engine::ModuleFiles {
 public:
  std::map<std::string, engine::ModuleText, std::less<>> texts;  // by path, `lib.packing`

  [[nodiscard]] std::optional<engine::ModuleText> read(std::string_view path) override;
  [[nodiscard]] std::vector<std::string> list() override;
};

// Of cases, unpacked: what takes an editor no time.
inline constexpr size_t kMostQuestionBytes = size_t{64} << 20;

struct RankingQuestion {
  std::string text;   // the sketch
  std::string items;  // compiled behind it (services/session/session_items.h); they have no holes
  std::string cases;  // the name of the file, for messages; empty: there is none
  std::shared_ptr<const std::string> bytes;  // of that file
  std::string output;                        // the column of what is expected; empty: `expected`
  engine::TableForm form = {};
  std::vector<std::string> inputs = {};  // as engine::CaseFields has them
  engine::ScoreKind score = engine::ScoreKind::Exact;
  f64 tolerance = 0;  // as RankingOptions has them
  std::optional<f64> measure = {};
  KeptModules modules;
  // A program that scores candidates, of which the sketch is one; empty: there is none. Then `score` is a value score.
  std::string harness, harness_text;
};

// A case, and what a variant makes of it. Values are texts, as in results of `komuz eval`.
struct WorstCase {
  u64 number = 0;                      // from 1
  u64 line = 0;                        // of the file
  std::vector<std::string> arguments;  // "x = 1.5"
  std::string expected, actual;
};

// Nobody changes it once it is there: threads may look at it together.
struct RankedSketch {
  std::string problem;      // why there is no ranking; empty: there is one
  bool has_errors = false;  // … which is that the text has errors: they are told elsewhere
  std::shared_ptr<const engine::SketchProgram> sketch;  // null: it has errors
  u32 own_size = 0;  // bytes of the sketch's source that are the text; items behind it follow
  engine::VariantCount variants;
  engine::Results results;  // every variant that was evaluated has a row
  std::optional<WorstCase>
      worst;            // of the best one; none: every case is as expected, or nothing is
  bool is_last = true;  // there is no further step

  [[nodiscard]] bool is_ranked() const { return problem.empty(); }
  // It is one program, which has a score as a variant has: a sketch that has been filled, say.
  [[nodiscard]] bool has_no_holes() const {
    return sketch != nullptr && sketch->plan.sketch().holes.empty();
  }
  [[nodiscard]] bool is_sample() const {
    return !variants.is_exact || results.candidates() < variants.exact;
  }
  // The row of the best variant; none: none has a score.
  [[nodiscard]] std::optional<u32> best() const;
};
using RankedRef = std::shared_ptr<const RankedSketch>;

// How many variants a step takes at most: the first few are there at once, and the rest is bound by what it takes to run them.
inline constexpr u64 kFirstStep = 1024, kMostVariants = 100'000, kMostRuns = 50'000'000;

struct ReadCases;

// Does steps, one after the other.
class SketchRanker {
 public:
  // `before`: what the step before gave for the same question; null: this is the first. Null: stopped.
  [[nodiscard]] RankedRef rank(const RankingQuestion& question, const RankedRef& before,
                               const std::stop_token& stop);

 private:
  // Those of the last question: a sketch changes more often than its cases.
  std::shared_ptr<const ReadCases> cases_;
};

}  // namespace komuz::services

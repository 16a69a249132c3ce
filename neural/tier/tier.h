// SPDX-License-Identifier: Apache-2.0
// The door of the tier: which candidates of a run get cheaper code, and from whom.
//
//   a program that runs, or waits ──router──▶ as it is
//                                        └──▶ its windows ──cache──▶ rules, model ──judge──▶ proved ones put back ──checker──▶ code
//
// Only what is proved with equal fuel takes the place of a window, so values, traps and ticks are those of the code as it is. A proof about
// a window holds wherever the window stands, and is kept for all programs of the run.
#pragma once
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/native/cheaper_code.h"
#include "neural/proof/prover.h"
#include "neural/tier/window_cache.h"

namespace komuz::neural {

class Model;
struct ProgramWindow;

enum class TierChoice : u8 {
  Traditional,  // every program runs as it is
  Neural,  // every program is looked at before its first case, by rules and the model, whatever that costs
  Hybrid,  // the router decides, where enough is still to come
};
// The names that users type, in the order of the enumerators.
inline constexpr std::string_view kTierNames[] = {"traditional", "neural", "hybrid"};

enum class TierReason : u8 {
#define REASON(Name, ...) Name,
#include "neural/tier/reasons.def"
};
struct TierReasonRow {
  std::string_view one, many;
  bool is_asked = false, runs_cheaper = false;
};
inline constexpr TierReasonRow kTierReasons[] = {
#define REASON(Name, one, many, is_asked, runs_cheaper) {one, many, is_asked, runs_cheaper},
#include "neural/tier/reasons.def"
};
inline constexpr size_t kTierReasonCount = std::size(kTierReasons);

// When a tier acts. Tests choose other rules, to act at every place.
struct TierRules {
  // Programs with less to come are not looked at: nanoseconds.
  f64 notice_ns = 2e6;
  // Of the solver, for each proposal; where the router decides, and where the cost does not matter.
  u64 hybrid_resources = 20'000, resources = kProofResources;
  bool uses_model = true;
  // For tests: whatever is asked about is looked at, by the rules.
  bool takes_rules_always = false;
};

// What the tier has done. Times are of the processor.
struct TierTotals {
  std::array<u64, kTierReasonCount> programs = {};  // by TierReason
  u64 windows = 0, known = 0;  // that were looked at, and of which something was known already
  u64 cheaper = 0;             // different ones for which cheaper code was proved
  u64 by_terms = 0;            // of these, by the same terms
  u64 unproved = 0;            // with a cheaper proposal that nobody refuted
  f64 seconds = 0;             // of all that
  u64 cheaper_cases = 0;       // on cheaper code
  f64 cheaper_seconds = 0;
  // What these cases would have taken as they are, at the pace of earlier cases of the same program; of programs that had none nothing
  // is known, and their time is not counted on either side.
  f64 as_it_is_seconds = 0, known_cheaper_seconds = 0;
  u64 faults = 0;  // programs whose cheaper code was wrong, which is a fault of Komuz
};

// A program that was looked at.
struct TierRow {
  std::string id;
  TierReason reason = TierReason::Short;
  engine::CheaperUse use;
};

class Tier final : public engine::CheaperCode {
 public:
  // The most rows that it keeps: those of the first programs that were looked at, in input order.
  static constexpr size_t kMostRows = 16;

  explicit Tier(TierChoice choice, TierRules rules = {});

  [[nodiscard]] TierChoice choice() const { return choice_; }
  [[nodiscard]] TierTotals totals() const;
  [[nodiscard]] std::vector<TierRow> rows() const;
  // What it did without, and why: a solver, a model. Empty as long as none was wanted.
  [[nodiscard]] std::vector<std::string> missing() const;
  // Whether the model was to be asked.
  [[nodiscard]] bool wanted_model() const { return wanted_model_; }

  [[nodiscard]] bool is_for_all() const override { return choice_ == TierChoice::Neural; }
  [[nodiscard]] f64 notice_ns() const override { return rules_.notice_ns; }
  [[nodiscard]] engine::CheaperAnswer find(const engine::RunToCome& run,
                                           const std::stop_token& stop) override;
  void note_fault(const engine::RunToCome& run) override;
  void tell(std::string_view id, const engine::CheaperUse& use) override;

 private:
  // How far a program is looked at.
  struct Plan {
    bool takes_known = false;  // what is known is taken; else nothing is
    bool asks_all = false;     // whatever it costs, up to `most`
    Asked most = Asked::Rules;
    f64 work_ns = 0;                     // that is waiting
    f64 gain_ns = 0, model_gain_ns = 0;  // expected of the rules, and of the model besides
  };
  // What one question has come to.
  struct Made {
    TierTotals totals;
    f64 reserved_ns = 0;
  };
  [[nodiscard]] Plan plan(const engine::RunToCome& run);
  [[nodiscard]] const Model* model();
  // What may still be spent, with the mutex.
  [[nodiscard]] f64 left_ns() const;
  // Spends so much beforehand, so that threads do not spend the same; false: there is not so much left.
  [[nodiscard]] bool reserve(f64 ns);
  // `share`: of the program's time that is spent in the window.
  void look_at(ProgramWindow& row, const Plan& plan, f64 share, const std::stop_token& stop,
               Made& made);
  void ask(ProgramWindow& row, Asked whom, const std::stop_token& stop, Made& made);

  const TierChoice choice_;
  const TierRules rules_;
  WindowCache cache_;
  std::atomic<bool> is_broken_ = false;  // nothing that it makes is to be trusted
  std::atomic<bool> has_rules_ = false;  // they take milliseconds to be read, once
  std::atomic<bool> wanted_solver_ = false, wanted_model_ = false;
  mutable std::mutex mutex_;  // of what follows
  TierTotals totals_;
  std::vector<TierRow> rows_;
  // Of `hybrid`: what it has spent, the work that it was asked about, and what is expected to be gained of that, in nanoseconds.
  f64 spent_ns_ = 0, work_ns_ = 0, gained_ns_ = 0;
};

}  // namespace komuz::neural

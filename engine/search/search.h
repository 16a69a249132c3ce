// SPDX-License-Identifier: Apache-2.0
// Searches for good variants of a sketch, generation by generation. A method proposes lists of decisions and learns
// from their results; it knows neither cases nor programs. A method depends only on its seed and on results in input
// order, so a search gives the same for any number of threads and on any device.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "base/random.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/search/fitness.h"
#include "engine/search/loss_model.h"
#include "engine/search/migration.h"
#include "engine/search/way_weights.h"
#include "engine/sketch/variants.h"
#include "engine/support/hash_slots.h"

namespace komuz::engine {

class NumberFits;

// A variant that another method has proposed, and its result.
struct Learnt {
  const Decisions& decisions;
  const Found& found;
};

class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  // Makes the next generation: `count` lists, which replace those in `out`.
  virtual void propose(size_t count, std::vector<Decisions>& out) = 0;
  // Learns from the results, in order, and from variants with tuned constants, which were made from the method's own
  // earlier proposals.
  virtual void learn(std::span<const Decisions> proposed, std::span<const Found> found,
                     std::span<const Learnt> tuned) = 0;
};

enum class SearchKind : u8 {
  Evolve,    // tournaments, crossover and mutation, in layers of age
  Local,     // many climbers: each moves to better neighbours, and starts anew if there are none
  Random,    // the baseline
  Lexicase,  // evolution that selects parents and survivors by cases in random order
};
// The names that users type.
inline constexpr std::string_view kSearchNames[] = {"evolve", "local", "random", "lexicase"};

struct SearchOptions {
  SearchKind kind = SearchKind::Evolve;
  u64 seed = 0;
  u32 population = 500;                  // variants of a generation
  std::optional<u64> generations = 100;  // none: as many as the time allows
  // For evolve and lexicase: a part of each generation tunes the points of grids (tuned_search.h).
  bool tunes_constants = true;
  // If the losses of cases are distances: tunes by least squares with weights that give the sum of distances
  // (constant_tuner.h). Needs the losses of cases.
  bool tunes_distances = false;
  // Constants that are any number are fitted by the errors of cases (real_tuner.h). Needs the losses of cases.
  bool fits_reals = false;
  // Where they are fitted by squares, and code has derivatives: what fits those of proposals at once.
  std::shared_ptr<NumberFits> fits = {};
  // What is known of losses that are neither squares nor distances, once there are cases; null: they are.
  std::shared_ptr<LossModel> loss_model = {};
  u32 threads = 0;  // for breeding, without effect on results; 0: one for each processor
  // How often each way of a decision is drawn, in place of all alike; null: all alike. With weights the host searches,
  // whatever device runs the variants.
  std::shared_ptr<const WayWeights> weights = {};
  // Variants that the first generation begins with, as many as it has room for; null: none. The host searches then,
  // too.
  std::shared_ptr<const std::vector<Decisions>> starts = {};
  // Variants that come from other searches, and go to them; null: none. The host searches then, too.
  std::shared_ptr<const Migration> migration = {};
  // The search ends with the generation that finds a score as good as this.
  std::optional<f64> target = {};
  // The search ends then, even within a generation; zero: no limit. Only how far the search comes depends on the
  // time.
  std::chrono::milliseconds time{0};
  // Checked wherever work takes long. Proposals made after a requested stop are meaningless.
  std::stop_token stop = {};
};

// True if it learns from case_losses; evaluate() then has to keep case scores for its sink.
[[nodiscard]] inline bool learns_from_cases(const SearchOptions& options) {
  return options.kind == SearchKind::Lexicase || options.tunes_distances || options.fits_reals;
}
// True if a part of each generation is for constants.
[[nodiscard]] bool tunes_constants(const SearchOptions& options, const VariantPlan& plan);
// Makes search and evaluation agree: on what constants are tuned by, and on kept case scores and rows.
void settle(const VariantPlan& plan, SearchOptions& search, EvaluateOptions& evaluation);

// `plan` outlives the method.
[[nodiscard]] std::unique_ptr<SearchMethod> make_search(const SearchOptions& options,
                                                        const VariantPlan& plan);

// Counts the generations, and says when they end.
class Generations {
 public:
  explicit Generations(const SearchOptions& options) : options_(options) {}

  // True if another generation begins.
  [[nodiscard]] bool goes_on();
  // Ends a generation. `is_exhausted`: all variants have been proposed. `has_reached_target`: a score is as good as
  // wanted.
  void end_one(bool is_exhausted, bool has_reached_target) {
    ++ended_;
    is_exhausted_ = is_exhausted;
    has_reached_target_ = has_reached_target;
  }
  // Starts all over, in the time that is left.
  void begin_anew() {
    ended_ = 0;
    is_exhausted_ = is_late_ = has_reached_target_ = false;
  }
  // The time before this call does not count.
  void start_clock() { start_ = std::chrono::steady_clock::now(); }
  // Other threads may call it, too.
  [[nodiscard]] std::chrono::nanoseconds time_left() const {
    return options_.time - (std::chrono::steady_clock::now() - start_.load());
  }
  // The time was up within a generation.
  void end_late() { is_late_ = true; }

  [[nodiscard]] u64 ended() const { return ended_; }
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  [[nodiscard]] bool is_late() const { return is_late_; }
  [[nodiscard]] bool has_reached_target() const { return has_reached_target_; }

 private:
  SearchOptions options_;
  std::atomic<std::chrono::steady_clock::time_point> start_ = std::chrono::steady_clock::now();
  u64 ended_ = 0;
  bool is_exhausted_ = false, is_late_ = false, has_reached_target_ = false;
};

// The generations as candidates. It is also the sink of their results: evaluate() gets it as both, with epochs of one
// generation.
class SearchCandidates final : public CandidateSource, public ResultSink {
 public:
  // `source` and `plan` outlive it; `sink` is told of each result, too.
  SearchCandidates(std::string_view source, const VariantPlan& plan, const SearchOptions& options,
                   ResultSink* sink = nullptr);

  // Called by evaluate(), before anything is read.
  void begin(const EvaluateOptions& evaluation);
  void read(CandidateBatch& batch, size_t most) override;
  void set_stop(const std::stop_token& stop) override { options_.stop = stop; }
  [[nodiscard]] std::optional<u64> total() const override {
    if (!options_.generations) return std::nullopt;
    return *options_.generations * options_.population;
  }
  [[nodiscard]] SearchCandidates* search() override { return this; }
  void on_result(const Results& results, u32 row) override;
  // If a device searches, only the best are reported.
  [[nodiscard]] bool needs_best_alone() const override {
    return sink_ == nullptr || sink_->needs_best_alone();
  }
  // While it returns true, the results are those of an earlier run, and no time counts.
  void set_replay(std::function<bool()> is_replayed) {
    is_replayed_ = std::move(is_replayed);
    look_at_replay();
  }
  // The number of generations that have been read to their end.
  [[nodiscard]] u64 generations() const { return generations_.ended(); }
  // True if the search ended because there are no other variants.
  [[nodiscard]] bool is_exhausted() const { return generations_.is_exhausted(); }
  // True if it ended because its time was up.
  [[nodiscard]] bool is_late() const { return generations_.is_late(); }
  // The time left of its limit. Other threads may call it, too.
  [[nodiscard]] std::chrono::nanoseconds time_left() const {
    return is_replaying_ ? std::chrono::nanoseconds::max() : generations_.time_left();
  }
  // True if it ended because it found what was wanted.
  [[nodiscard]] bool has_reached_target() const { return generations_.has_reached_target(); }

  // Its time was up within a generation.
  void end_late() { generations_.end_late(); }

  // For code that handles generations elsewhere (device_search.h).
  [[nodiscard]] const SearchOptions& options() const { return options_; }
  [[nodiscard]] const VariantPlan& plan() const { return plan_; }
  [[nodiscard]] Generations& all_generations() { return generations_; }
  // True if one generation has room for all variants.
  [[nodiscard]] bool has_room_for_all() const;
  // The number of variants, if there are so few that all may be proposed; else 0.
  [[nodiscard]] u64 few_variants() const;

 private:
  [[nodiscard]] bool begin_generation();
  void learn();
  // False: the search is to end.
  [[nodiscard]] bool migrate();
  void look_at_replay();
  // For a sketch with few variants: true if all have been proposed.
  [[nodiscard]] bool has_proposed_all();

  std::string_view source_;
  const VariantPlan& plan_;
  SearchOptions options_;
  ResultSink* sink_;
  std::unique_ptr<SearchMethod> method_;  // made on first use, with the token that stops it
  std::function<bool()> is_replayed_;
  std::atomic<bool> is_replaying_ = false;
  Generations generations_;
  HashSet known_;  // proposals so far, if variants are few
  std::vector<Decisions> proposed_;
  bool is_cut_short_ = false;  // the proposals are no whole generation
  size_t next_ = 0;            // of these
  u64 refused_ = 0;            // proposals that are no variants
  std::vector<Found> found_;
  bool has_reached_target_ = false;
  BestVariants best_;                  // who may leave
  std::vector<Decisions> immigrants_;  // of the next generation
  size_t came_ = 0;                    // the last so many proposals have come from elsewhere
};

}  // namespace komuz::engine

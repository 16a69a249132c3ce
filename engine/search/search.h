// SPDX-License-Identifier: Apache-2.0
// Search for good variants of a sketch, generation by generation. A method proposes lists of decisions and learns what
// came of them; it knows neither cases nor programs. What it does follows from its seed and from results in input order
// alone, so that a search gives the same for any number of threads and any device.
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
#include "engine/sketch/variants.h"
#include "engine/support/hash_slots.h"

namespace komuz::engine {

// A variant that another method has proposed, and what came of it.
struct Learnt {
  const Decisions& decisions;
  const Found& found;
};

class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  // The next generation: `count` lists, replacing what is in `out`.
  virtual void propose(size_t count, std::vector<Decisions>& out) = 0;
  // What came of them, in order; and variants with constants that have been tuned, made of earlier proposals of its
  // own.
  virtual void learn(std::span<const Decisions> proposed, std::span<const Found> found,
                     std::span<const Learnt> tuned) = 0;
};

enum class SearchKind : u8 {
  Evolve,  // tournaments, crossover and mutation, in layers of age
  Local,  // many climbers, each of which goes where a change makes it better, and starts anew where none does
  Random,    // the baseline
  Lexicase,  // evolution, whose parents and survivors are the best on cases in random order
};
// As a user names them.
inline constexpr std::string_view kSearchNames[] = {"evolve", "local", "random", "lexicase"};

struct SearchOptions {
  SearchKind kind = SearchKind::Evolve;
  u64 seed = 0;
  u32 population = 500;                  // variants of a generation
  std::optional<u64> generations = 100;  // none: as many as there is time for
  // Of evolve and lexicase: a part of each generation tunes the points of grids (tuned_search.h).
  bool tunes_constants = true;
  // … where the losses of cases are distances, by least squares with weights that make them the sum of distances
  // (constant_tuner.h). It takes the losses of cases.
  bool tunes_distances = false;
  u32 threads = 0;  // that breed, which changes nothing but the time; 0: one for each processor
  // It ends with the generation that finds a score as good as this.
  std::optional<f64> target = {};
  // It ends then, in the midst of a generation, too; zero: no limit. How far the search comes is all that depends on
  // it.
  std::chrono::milliseconds time{0};
  // Looked at wherever it takes long. What is made from then on does not matter.
  std::stop_token stop = {};
};

// Does it learn from case_losses? Then evaluate() has to keep case scores for its sink.
[[nodiscard]] inline bool learns_from_cases(const SearchOptions& options) {
  return options.kind == SearchKind::Lexicase || options.tunes_distances;
}
// Is a part of each generation for constants?
[[nodiscard]] bool tunes_constants(const SearchOptions& options, const VariantPlan& plan);
// What search and evaluation must know of each other: whether distances are tuned, are case scores kept, and rows.
void settle(const VariantPlan& plan, SearchOptions& search, EvaluateOptions& evaluation);

// `plan` outlives it.
[[nodiscard]] std::unique_ptr<SearchMethod> make_search(const SearchOptions& options,
                                                        const VariantPlan& plan);

// Which generations there are.
class Generations {
 public:
  explicit Generations(const SearchOptions& options) : options_(options) {}

  // Does another one begin?
  [[nodiscard]] bool goes_on();
  // One has come to its end: are there no variants that have not been proposed, and is there one as good as was wanted?
  void end_one(bool is_exhausted, bool has_reached_target) {
    ++ended_;
    is_exhausted_ = is_exhausted;
    has_reached_target_ = has_reached_target;
  }
  // All over again, in the time that is left.
  void begin_anew() {
    ended_ = 0;
    is_exhausted_ = is_late_ = has_reached_target_ = false;
  }
  // No time has counted so far.
  void start_clock() { start_ = std::chrono::steady_clock::now(); }
  // Asked by another thread, too.
  [[nodiscard]] std::chrono::nanoseconds time_left() const {
    return options_.time - (std::chrono::steady_clock::now() - start_.load());
  }
  // The time was up in the midst of one.
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

// The generations as candidates. It is also the sink of their results: evaluate() is given it as both, with epochs of
// one generation.
class SearchCandidates final : public CandidateSource, public ResultSink {
 public:
  // `source` and `plan` outlive it; `sink` is told of each result, too.
  SearchCandidates(std::string_view source, const VariantPlan& plan, const SearchOptions& options,
                   ResultSink* sink = nullptr);

  void read(CandidateBatch& batch, size_t most) override;
  void set_stop(const std::stop_token& stop) override { options_.stop = stop; }
  [[nodiscard]] std::optional<u64> total() const override {
    if (!options_.generations) return std::nullopt;
    return *options_.generations * options_.population;
  }
  [[nodiscard]] SearchCandidates* search() override { return this; }
  void on_result(const Results& results, u32 row) override;
  // Where a device searches, all that is left to be told of.
  [[nodiscard]] bool needs_best_alone() const override {
    return sink_ == nullptr || sink_->needs_best_alone();
  }
  // While it is true the results are those of an earlier run, and no time counts.
  void set_replay(std::function<bool()> is_replayed) {
    is_replayed_ = std::move(is_replayed);
    look_at_replay();
  }
  // Generations that have been read to their end.
  [[nodiscard]] u64 generations() const { return generations_.ended(); }
  // Did it end because there are no other variants?
  [[nodiscard]] bool is_exhausted() const { return generations_.is_exhausted(); }
  // Or because its time was up?
  [[nodiscard]] bool is_late() const { return generations_.is_late(); }
  // Of the time that it has. Asked by another thread, too.
  [[nodiscard]] std::chrono::nanoseconds time_left() const {
    return is_replaying_ ? std::chrono::nanoseconds::max() : generations_.time_left();
  }
  // Or because it has found what was wanted?
  [[nodiscard]] bool has_reached_target() const { return generations_.has_reached_target(); }

  // Its time was up in the midst of a generation.
  void end_late() { generations_.end_late(); }

  // For who takes the generations elsewhere (device_search.h).
  [[nodiscard]] const SearchOptions& options() const { return options_; }
  [[nodiscard]] const VariantPlan& plan() const { return plan_; }
  [[nodiscard]] Generations& all_generations() { return generations_; }
  // Has one generation room for all variants?
  [[nodiscard]] bool has_room_for_all() const;
  // How many variants there are, where these are so few that all may come to be proposed; else 0.
  [[nodiscard]] u64 few_variants() const;

 private:
  [[nodiscard]] bool begin_generation();
  void look_at_replay();
  // Of a sketch with few variants: have all been proposed?
  [[nodiscard]] bool has_proposed_all();

  std::string_view source_;
  const VariantPlan& plan_;
  SearchOptions options_;
  ResultSink* sink_;
  std::unique_ptr<SearchMethod> method_;  // made when it is needed first, with what stops it
  std::function<bool()> is_replayed_;
  std::atomic<bool> is_replaying_ = false;
  Generations generations_;
  HashSet known_;  // what has been proposed, where variants are few
  std::vector<Decisions> proposed_;
  bool is_cut_short_ = false;  // what is proposed is no generation
  size_t next_ = 0;            // of these
  u64 refused_ = 0;            // proposals that are no variants
  std::vector<Found> found_;
  bool has_reached_target_ = false;
};

}  // namespace komuz::engine

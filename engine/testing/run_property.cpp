// SPDX-License-Identifier: Apache-2.0
// Shrinking works on the choices that made the failing arguments (engine/testing/value_sampler.h), after the idea of
// David MacIver's Hypothesis. A round makes a list of simpler choices, runs the resulting arguments as one batch, and
// goes on from the simplest that fails as before. Choices are simpler if they are fewer, or if they are as many and
// the first difference is smaller; so shrinking ends.
#include "engine/testing/run_property.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "engine/cases/case_columns.h"
#include "engine/native/tiered_machine.h"
#include "engine/testing/value_sampler.h"
#include "vm/vm.h"

namespace komuz::engine {
namespace {

constexpr u32 kMaxRounds = 512;
// The cases of a batch; fewer if each has many cells, which bounds the batch's memory, but some at least.
constexpr u64 kMostCases = 4096, kLeastCases = 64, kMaxBatchCells = 1u << 22;
// The replays that a round may try.
constexpr u32 kMaxReplays = 1u << 16;
// The reach of a choice to neighbours that are lowered by the same amount.
constexpr u32 kPairReach = 64;

// The outcome of each case of a batch.
struct Ends {
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  std::vector<u64> fuel;
};

class PropertyRun {
 public:
  PropertyRun(const PropertyEntry& entry, const PropertyOptions& options)
      : entry_(entry),
        options_(options),
        shape_(entry.types()),
        sampler_(shape_, entry.domains()),
        columns_(entry.slot_types()),
        cells_(entry.slot_types().size()),
        machine_(options.native) {}

  PropertyOutcome run() {
    PropertyOutcome out;
    const u32 batch = batch_size();
    while (out.samples < options_.samples && !out.failed && !stopped()) {
      const u32 count = std::min(batch, options_.samples - out.samples);
      columns_.clear();
      for (u32 k = 0; k < count; ++k) {
        sampler_.sample(options_.seed, out.samples + k, cells_);
        columns_.add(cells_);
      }
      left_ = options_.samples - out.samples - count;
      run_batch();
      for (u32 k = 0; k < count; ++k) {
        out.fuel += ends_.fuel[k];
        if (out.failed || ends_.traps[k] == Trap::None) continue;
        out.failed = true;
        trap_ = ends_.traps[k];
        place_ = ends_.places[k];
        sampler_.sample(options_.seed, out.samples + k, cells_);
        best_ = sampler_.choices();
        out.arguments = cells_;
      }
      out.samples += count;
    }
    if (!out.failed || stopped()) return out;
    left_ = TieredMachine::kUnknown;
    for (u32 round = 0; round < kMaxRounds && !stopped() && shrink(); ++round) {
    }
    sampler_.replay(best_.numbers, cells_);
    out.arguments = cells_;
    return out;
  }

 private:
  [[nodiscard]] u32 batch_size() const {
    const u64 cells = std::max<u64>(cells_.size(), 1);
    return static_cast<u32>(std::clamp(kMaxBatchCells / cells, kLeastCases, kMostCases));
  }
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->stop_requested();
  }

  void run_batch() {
    const u32 count = columns_.count();
    ends_.traps.resize(count);
    ends_.places.resize(count);
    ends_.depths.resize(count);
    ends_.fuel.resize(count);
    const OutcomesView outcomes{{}, ends_.traps, ends_.places, ends_.depths, ends_.fuel};
    machine_.run({entry_.code(), entry_.function(), columns_.view(), entry_.budget(options_.fuel),
                  options_.stop},
                 left_, outcomes);
    entry_.hide(outcomes);
  }
  // True if it fails like the first failing sample. The place where fuel ends does not matter.
  [[nodiscard]] bool fails_likewise(u32 k) const {
    return ends_.traps[k] == trap_ && (trap_ == Trap::Fuel || ends_.places[k] == place_);
  }

  // Makes one round. False: nothing simpler fails.
  bool shrink() {
    replays_ = 0;
    simplest_.reset();
    columns_.clear();
    remove_elements();
    clear_runs();
    lower_numbers();
    lower_pairs();
    try_candidates();
    if (!simplest_) return false;
    best_ = std::move(*simplest_);
    return true;
  }
  static bool is_simpler(const std::vector<u64>& a, const std::vector<u64>& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
  // Makes the value of the choices a case of the round, if it is simpler. A batch with a failure is the last one.
  void propose(const std::vector<u64>& numbers) {
    if (simplest_ || replays_ == kMaxReplays) return;
    ++replays_;
    sampler_.replay(numbers, cells_);
    if (!is_simpler(sampler_.choices().numbers, best_.numbers)) return;
    candidates_.push_back(sampler_.choices());
    columns_.add(cells_);
    if (candidates_.size() == batch_size()) try_candidates();
  }
  void try_candidates() {
    if (candidates_.empty()) return;
    run_batch();
    for (u32 k = 0; k < candidates_.size(); ++k)
      if (fails_likewise(k) &&
          (!simplest_ || is_simpler(candidates_[k].numbers, simplest_->numbers)))
        simplest_ = candidates_[k];
    candidates_.clear();
    columns_.clear();
  }

  // Removes runs of neighbouring elements of one list, long runs first.
  void remove_elements() {
    const std::vector<ElementSpan>& spans = best_.elements;
    for (size_t run = std::bit_floor(spans.size()); run != 0; run /= 2)
      for (size_t first = 0; first + run <= spans.size() && !simplest_; ++first) {
        const ElementSpan &begin = spans[first], &end = spans[first + run - 1];
        const bool are_neighbours = std::all_of(
            spans.begin() + static_cast<i64>(first), spans.begin() + static_cast<i64>(first + run),
            [&](const ElementSpan& span) { return span.list == begin.list; });
        if (!are_neighbours) continue;
        std::vector<u64> fewer(best_.numbers.begin(), best_.numbers.begin() + begin.begin);
        fewer.insert(fewer.end(), best_.numbers.begin() + end.end, best_.numbers.end());
        propose(fewer);
      }
  }
  // Clears many numbers at once: an array's elements cannot be fewer.
  void clear_runs() {
    for (size_t run = std::bit_floor(best_.numbers.size()); run > 1; run /= 2)
      for (size_t first = 0; first < best_.numbers.size() && !simplest_; first += run) {
        std::vector<u64> numbers = best_.numbers;
        const auto begin = numbers.begin() + static_cast<i64>(first);
        std::fill_n(begin, std::min(run, numbers.size() - first), 0);
        propose(numbers);
      }
  }
  // Lowers a choice to 0, then by half as much each time, down to its predecessor. Also tries the number below each,
  // since numbers of positive and negative integers alternate.
  template <class Put>
  void lower(u64 number, Put put) {
    for (u64 less = number; less != 0 && !simplest_; less /= 2) {
      put(number - less);
      if (less > 1) put(number - less + 1);
    }
  }
  void lower_numbers() {
    std::vector<u64> numbers = best_.numbers;
    for (size_t k = 0; k < numbers.size(); ++k) {
      const u64 number = numbers[k];
      lower(number, [&](u64 smaller) {
        numbers[k] = smaller;
        propose(numbers);
      });
      lower_fraction(numbers, k, number);
      numbers[k] = number;
    }
  }
  // A fraction's number is far above that of a small integer, so small integers are worth a try.
  void lower_fraction(std::vector<u64>& numbers, size_t k, u64 number) {
    constexpr u64 kIntegers = 64;
    if (number >> 63 == 0) return;
    for (u64 smaller = 1; smaller < kIntegers; ++smaller) {
      numbers[k] = smaller;
      propose(numbers);
    }
  }
  // Two numbers may have to stay equal or, which is tried last, equally far apart: neither can then be lowered alone,
  // or only by very small steps.
  void lower_pairs() {
    for (const bool are_equal : {true, false}) {
      std::vector<u64> numbers = best_.numbers;
      for (size_t k = 0; k < numbers.size() && !simplest_; ++k) {
        const size_t end = std::min(numbers.size(), k + 1 + kPairReach);
        for (size_t other = k + 1; other < end; ++other)
          if ((numbers[k] == numbers[other]) == are_equal) lower_both(numbers, k, other);
      }
    }
  }
  void lower_both(std::vector<u64>& numbers, size_t k, size_t other) {
    const u64 first = numbers[k], second = numbers[other], least = std::min(first, second);
    lower(least, [&](u64 smaller) {
      numbers[k] = first - (least - smaller);
      numbers[other] = second - (least - smaller);
      propose(numbers);
    });
    numbers[k] = first;
    numbers[other] = second;
  }

  const PropertyEntry& entry_;
  PropertyOptions options_;
  ValueShape shape_;
  ValueSampler sampler_;
  CaseColumns columns_;
  std::vector<u64> cells_;
  TieredMachine machine_;
  u64 left_ = 0;  // samples behind the batch
  Ends ends_;
  Trap trap_ = Trap::None;
  u32 place_ = 0;  // an instruction
  Choices best_;
  std::vector<Choices> candidates_;
  std::optional<Choices> simplest_;  // of the round
  u32 replays_ = 0;                  // of the round
};

}  // namespace

PropertyOutcome run_property(const PropertyEntry& entry, const PropertyOptions& options) {
  return PropertyRun(entry, options).run();
}

std::vector<std::vector<u64>> property_samples(const PropertyEntry& entry, u64 seed, u32 count) {
  const ValueShape shape(entry.types());
  ValueSampler sampler(shape, entry.domains());
  std::vector<std::vector<u64>> samples(count, std::vector<u64>(entry.slot_types().size()));
  for (u32 k = 0; k < count; ++k) sampler.sample(seed, k, samples[k]);
  return samples;
}

}  // namespace komuz::engine

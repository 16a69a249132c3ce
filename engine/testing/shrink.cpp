// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/shrink.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace komuz::engine {
namespace {

constexpr u32 kMaxRounds = 512;
// The cases of a batch.
constexpr u64 kMostCases = 4096, kLeastCases = 64, kMaxBatchCells = 1u << 22;
// The replays that a round may try.
constexpr u32 kMaxReplays = 1u << 16;
// The cells that all replays may make together. It bounds the work on large values, whose rounds are many and long.
constexpr u64 kMostCells = u64{1} << 26;
// A batch of large values is smaller than others: one that fails ends its round, and what lies behind it was in vain.
constexpr u64 kBatchCells = u64{1} << 18, kLeastBatch = 32;
// The reach of a choice to neighbours that are lowered by the same amount.
constexpr u32 kPairReach = 64;

bool is_simpler(const std::vector<u64>& a, const std::vector<u64>& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

u32 sample_batch(size_t cells) {
  return static_cast<u32>(
      std::clamp(kMaxBatchCells / std::max<u64>(cells, 1), kLeastCases, kMostCases));
}

Shrinker::Shrinker(ValueSampler& sampler, std::span<const u8> slot_types, FailingCases run,
                   const std::stop_token* stop)
    : sampler_(sampler),
      columns_(slot_types),
      cells_(slot_types.size()),
      batch_(std::min(
          sample_batch(cells_.size()),
          static_cast<u32>(std::max(kBatchCells / std::max<u64>(cells_.size(), 1), kLeastBatch)))),
      run_(std::move(run)),
      stop_(stop) {}

Choices Shrinker::shrink(Choices failing) {
  best_ = std::move(failing);
  made_cells_ = 0;
  for (u32 k = 0; k < kMaxRounds && !is_stopped() && round(); ++k) {
  }
  return std::move(best_);
}

bool Shrinker::is_stopped() const { return stop_ != nullptr && stop_->stop_requested(); }

bool Shrinker::is_settled() const {
  return simplest_ || replays_ == kMaxReplays || made_cells_ >= kMostCells || is_stopped();
}

// False: nothing simpler fails.
bool Shrinker::round() {
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

// Makes the value of the choices a case of the round, if it is simpler. A batch with a failure is the last one.
void Shrinker::propose(const std::vector<u64>& numbers) {
  if (is_settled()) return;
  ++replays_;
  made_cells_ += cells_.size() + 1;
  sampler_.replay(numbers, cells_);
  if (!is_simpler(sampler_.choices().numbers, best_.numbers)) return;
  candidates_.push_back(sampler_.choices());
  columns_.add(cells_);
  if (candidates_.size() == batch_) try_candidates();
}

void Shrinker::try_candidates() {
  if (candidates_.empty() || is_stopped()) return;
  run_(columns_, fails_);
  for (u32 k = 0; k < candidates_.size(); ++k)
    if (fails_[k] && (!simplest_ || is_simpler(candidates_[k].numbers, simplest_->numbers)))
      simplest_ = candidates_[k];
  candidates_.clear();
  columns_.clear();
}

// Removes runs of neighbouring elements of one list, long runs first.
void Shrinker::remove_elements() {
  const std::vector<ElementSpan>& spans = best_.elements;
  for (size_t run = std::bit_floor(spans.size()); run != 0; run /= 2)
    for (size_t first = 0; first + run <= spans.size() && !is_settled(); ++first) {
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
void Shrinker::clear_runs() {
  for (size_t run = std::bit_floor(best_.numbers.size()); run > 1; run /= 2)
    for (size_t first = 0; first < best_.numbers.size() && !is_settled(); first += run) {
      const size_t count = std::min(run, best_.numbers.size() - first);
      const auto of_run = std::span(best_.numbers).subspan(first, count);
      if (std::ranges::all_of(of_run, [](u64 number) { return number == 0; })) continue;
      std::vector<u64> numbers = best_.numbers;
      std::fill_n(numbers.begin() + static_cast<i64>(first), count, 0);
      propose(numbers);
    }
}

// Lowers a choice to 0, then by half as much each time, down to its predecessor. Also tries the number below each,
// since numbers of positive and negative integers alternate.
template <class Put>
void Shrinker::lower(u64 number, Put put) {
  for (u64 less = number; less != 0 && !is_settled(); less /= 2) {
    put(number - less);
    if (less > 1) put(number - less + 1);
  }
}

void Shrinker::lower_numbers() {
  std::vector<u64> numbers = best_.numbers;
  for (size_t k = 0; k < numbers.size() && !is_settled(); ++k) {
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
void Shrinker::lower_fraction(std::vector<u64>& numbers, size_t k, u64 number) {
  constexpr u64 kIntegers = 64;
  if (number >> 63 == 0) return;
  for (u64 smaller = 1; smaller < kIntegers; ++smaller) {
    numbers[k] = smaller;
    propose(numbers);
  }
}

// Two numbers may have to stay equal or, which is tried last, equally far apart: neither can then be lowered alone,
// or only by very small steps.
void Shrinker::lower_pairs() {
  for (const bool are_equal : {true, false}) {
    std::vector<u64> numbers = best_.numbers;
    for (size_t k = 0; k < numbers.size() && !is_settled(); ++k) {
      const size_t end = std::min(numbers.size(), k + 1 + kPairReach);
      for (size_t other = k + 1; other < end; ++other)
        if ((numbers[k] == numbers[other]) == are_equal) lower_both(numbers, k, other);
    }
  }
}

void Shrinker::lower_both(std::vector<u64>& numbers, size_t k, size_t other) {
  const u64 first = numbers[k], second = numbers[other], least = std::min(first, second);
  lower(least, [&](u64 smaller) {
    numbers[k] = first - (least - smaller);
    numbers[other] = second - (least - smaller);
    propose(numbers);
  });
  numbers[k] = first;
  numbers[other] = second;
}

}  // namespace komuz::engine

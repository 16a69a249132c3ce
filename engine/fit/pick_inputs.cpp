// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/pick_inputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace komuz::engine {
namespace {

constexpr u32 kMostRows = 2000, kBins = 16, kLevels = 3, kTrees = 60;
// More inputs are cut down by what each is worth alone.
constexpr size_t kMostTogether = 512;
constexpr f64 kRate = 0.3;  // the share of a tree's correction that is made
// A leaf has at least so many rows.
constexpr u32 kLeastLeaf = 5;

struct BinSums {
  f64 errors[kBins] = {};
  u32 rows[kBins] = {};
};

struct Split {
  f64 gain = 0;
  u32 input = 0, bin = 0;  // rows of bins up to this one go left
};

class BoostedTrees {
 public:
  // Of at most kMostRows of the rows, at equal distances.
  BoostedTrees(const FitData& data, std::span<const u32> rows) : worth_(data.inputs.size()) {
    const size_t count = std::min<size_t>(rows.size(), kMostRows);
    for (size_t k = 0; k < count; ++k) rows_.push_back(rows[k * rows.size() / count]);
    take_errors(data);
    inputs_.resize(data.inputs.size());
    std::iota(inputs_.begin(), inputs_.end(), 0);
  }

  // Each input alone: the squares that the means of its bins take off.
  void keep_best_alone(const FitData& data, const Watch& watch) {
    std::vector<f64> gains(inputs_.size());
    std::vector<u8> bins;
    for (const u32 input : inputs_) {
      if (watch.is_stopped()) return;
      take_bins(data, input, bins);
      BinSums sums;
      for (size_t k = 0; k < rows_.size(); ++k) add(sums, bins[k], errors_[k]);
      for (u32 bin = 0; bin < kBins; ++bin)
        gains[input] += squares_of(sums.errors[bin], sums.rows[bin]);
    }
    std::ranges::stable_sort(inputs_, std::greater(), [&](u32 input) { return gains[input]; });
    inputs_.resize(kMostTogether);
    std::ranges::sort(inputs_);
  }

  void grow(const FitData& data, const Watch& watch) {
    bins_.resize(inputs_.size());
    for (size_t k = 0; k < inputs_.size(); ++k) take_bins(data, inputs_[k], bins_[k]);
    for (u32 tree = 0; tree < kTrees && !watch.is_stopped(); ++tree) {
      std::vector<u32> all(rows_.size());
      std::iota(all.begin(), all.end(), 0);
      grow_tree(std::move(all));
    }
  }

  [[nodiscard]] std::vector<u32> best(u32 most) const {
    std::vector<u32> picked = inputs_;
    std::ranges::stable_sort(picked, std::greater(), [&](u32 input) { return worth_[input]; });
    picked.resize(std::min<size_t>(picked.size(), most));
    return picked;
  }

  [[nodiscard]] bool has_too_many() const { return inputs_.size() > kMostTogether; }

 private:
  // Far values, of which squares would be made, are moved to the 1 % of rows at each end.
  void take_errors(const FitData& data) {
    for (const u32 row : rows_) errors_.push_back(data.expected[row]);
    std::vector<f64> sorted = errors_;
    std::ranges::sort(sorted);
    const size_t end = sorted.size() / 100;
    const f64 least = sorted[end], most = sorted[sorted.size() - 1 - end];
    if (least < most)
      for (f64& error : errors_) error = std::clamp(error, least, most);
    f64 mean = 0;
    for (const f64 error : errors_) mean += error / static_cast<f64>(errors_.size());
    for (f64& error : errors_) error -= mean;
  }

  void take_bins(const FitData& data, u32 input, std::vector<u8>& out) const {
    const std::vector<f64>& column = data.columns[input];
    std::vector<f64> sorted;
    for (const u32 row : rows_) sorted.push_back(column[row]);
    std::ranges::sort(sorted);
    std::vector<f64> bounds;
    for (u32 bin = 1; bin < kBins; ++bin) bounds.push_back(sorted[sorted.size() * bin / kBins]);
    out.clear();
    for (const u32 row : rows_)
      out.push_back(
          static_cast<u8>(std::ranges::upper_bound(bounds, column[row]) - bounds.begin()));
  }

  static void add(BinSums& sums, u8 bin, f64 error) {
    sums.errors[bin] += error;
    ++sums.rows[bin];
  }
  // What a mean takes off the squares of so many rows with this sum.
  static f64 squares_of(f64 sum, u32 rows) { return rows == 0 ? 0 : sum * sum / rows; }

  [[nodiscard]] Split best_split(std::span<const u32> rows) const {
    Split best;
    for (size_t k = 0; k < inputs_.size(); ++k) {
      BinSums sums;
      for (const u32 row : rows) add(sums, bins_[k][row], errors_[row]);
      f64 all = 0;
      for (const f64 error : sums.errors) all += error;
      f64 left = 0;
      u32 left_rows = 0;
      const auto count = static_cast<u32>(rows.size());
      for (u32 bin = 0; bin + 1 < kBins; ++bin) {
        left += sums.errors[bin];
        left_rows += sums.rows[bin];
        if (left_rows < kLeastLeaf || count - left_rows < kLeastLeaf) continue;
        const f64 gain = squares_of(left, left_rows) + squares_of(all - left, count - left_rows) -
                         squares_of(all, count);
        if (gain > best.gain) best = {gain, static_cast<u32>(k), bin};
      }
    }
    return best;
  }

  // Level by level; what a leaf's rows have in common is taken off their errors.
  void grow_tree(std::vector<u32> all) {
    std::vector<std::vector<u32>> nodes = {std::move(all)}, leaves;
    for (u32 level = 0; level < kLevels; ++level) {
      std::vector<std::vector<u32>> next;
      for (std::vector<u32>& rows : nodes) {
        const Split split = best_split(rows);
        if (!(split.gain > 0)) {
          leaves.push_back(std::move(rows));
          continue;
        }
        worth_[inputs_[split.input]] += split.gain;
        const auto right = std::stable_partition(rows.begin(), rows.end(), [&](u32 row) {
          return bins_[split.input][row] <= split.bin;
        });
        next.emplace_back(rows.begin(), right);
        next.emplace_back(right, rows.end());
      }
      nodes = std::move(next);
    }
    for (std::vector<u32>& rows : nodes) leaves.push_back(std::move(rows));
    for (const std::vector<u32>& rows : leaves) {
      if (rows.empty()) continue;
      f64 sum = 0;
      for (const u32 row : rows) sum += errors_[row];
      const f64 step = kRate * sum / static_cast<f64>(rows.size());
      for (const u32 row : rows) errors_[row] -= step;
    }
  }

  std::vector<u32> rows_;              // of the data
  std::vector<f64> errors_;            // of these, as the trees so far leave them
  std::vector<u32> inputs_;            // that are looked at
  std::vector<std::vector<u8>> bins_;  // of each of these, by row
  std::vector<f64> worth_;             // of all inputs
};

}  // namespace

std::vector<u32> pick_inputs(const FitData& data, std::span<const u32> rows, u32 most,
                             const Watch& watch) {
  std::vector<u32> all(data.inputs.size());
  std::iota(all.begin(), all.end(), 0);
  if (all.size() <= most) return all;
  BoostedTrees trees(data, rows);
  if (trees.has_too_many()) trees.keep_best_alone(data, watch);
  trees.grow(data, watch);
  return trees.best(most);
}

}  // namespace komuz::engine

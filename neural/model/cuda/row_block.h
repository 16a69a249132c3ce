// SPDX-License-Identifier: Apache-2.0
// What a block of threads calculates for a few rows of a model: products, norms and attention, with the bits of the
// host's kernels (kernels.h). A cell of a product is one chain of fused multiply-adds, of one thread. Sums over a row are
// 16 sums, of a thread each, which every thread that needs them folds by itself.
//
// Written over a Machine (base/group/coop.h), of which lane() and barrier() are used: a block of a GPU, or warps of the
// emulator. Rows lie side by side in the memory that the threads share, [number][rows], so one read gives a thread the
// same number of several rows. Rows behind the last one are calculated, and go nowhere.
#pragma once
#include "base/group/site.h"
#include "neural/model/cuda/model_launch.h"
#include "neural/model/exponential.h"

namespace komuz::neural {

// Numbers that one instruction reads.
template <u32 count>
struct alignas(count * sizeof(f32)) Pack {
  f32 of[count];
};

// Keys and values of places, with `stride` numbers from one cell to the next.
struct Past {
  const f32* keys = nullptr;
  const f32* values = nullptr;
  size_t stride = 0;
  u32 places = 0;
};

template <class Machine, u32 most_rows>
class RowBlock {
 public:
  static constexpr u32 kRows = most_rows;

  // `memory`: block_numbers(model, most_rows) numbers, at a multiple of 16 bytes. `count`: rows that are meant.
  HD RowBlock(Machine machine, const ModelThere& model, f32* memory, u32 count)
      : m_(machine), model_(model), lane_(machine.lane()), count_(count) {
    stream = memory;
    normed = stream + size_t{model.d} * kRows;
    mixed = normed + size_t{model.d} * kRows;
    wide = mixed + size_t{model.d} * kRows;
    scores_ = wide + size_t{wide_of(model)} * kRows;
    parts_ = scores_ + size_t{kRows} * model.heads * model.most_places;
    more_parts_ = parts_ + size_t{kRows} * model.heads * kPanel;
  }

  // Each [d][kRows], `wide` as wide as the widest product.
  f32 *stream, *normed, *mixed, *wide;

  HD void barrier(Site site = Site::here()) { m_.barrier(site); }

  // f(row, i) for all rows and i below n.
  template <class F>
  HD void each(u32 n, F f, Site site = Site::here()) {
    for (u32 item = lane_; item < count_ * n; item += kLanes) f(item / n, item % n);
    m_.barrier(site);
  }
  [[nodiscard]] HD static size_t at(u32 row, u32 i) { return size_t{i} * kRows + row; }

  // finish(row, column, sum) for each cell of rows × matrix. All rows of `x`, those that are not meant, too.
  template <class Finish>
  HD void multiply(const f32* x, u32 matrix, u32 inner, u32 columns, Finish finish,
                   Site site = Site::here()) {
    // Narrow products have more threads for a column, each with some of the rows.
    if (kRows >= 4 && columns * 4 <= kLanes)
      multiply_by<kRows >= 4 ? kRows / 4 : 1>(x, matrix, inner, columns, finish);
    else if (kRows >= 2 && columns * 2 <= kLanes)
      multiply_by<kRows >= 2 ? kRows / 2 : 1>(x, matrix, inner, columns, finish);
    else
      multiply_by<kRows>(x, matrix, inner, columns, finish);
    m_.barrier(site);
  }

  // normed: each row of the stream, less its mean, over its spread, times the gain.
  HD void normalise(u32 gain_at, Site site = Site::here()) {
    const u32 d = model_.d;
    const f32 count = static_cast<f32>(d);
    const f32* const gain = model_.weights + gain_at;
    each(
        kPanel,
        [&](u32 row, u32 lane) {
          f32 sum = 0;
          for (u32 i = lane; i < d; i += kPanel) sum = sum + stream[at(row, i)];
          parts_[row * kPanel + lane] = sum;
        },
        site.at("normalise", 0));
    each(
        kPanel,
        [&](u32 row, u32 lane) {
          const f32 mean = sum_of(parts_ + row * kPanel) / count;
          f32 sum = 0;
          for (u32 i = lane; i < d; i += kPanel) {
            const f32 off = stream[at(row, i)] - mean;
            sum = fma_lanes(off, off, sum);
          }
          more_parts_[row * kPanel + lane] = sum;
        },
        site.at("normalise", 1));
    each(
        kPanel,
        [&](u32 row, u32 lane) {
          const f32 mean = sum_of(parts_ + row * kPanel) / count;
          const f32 spread = sqrt_lanes(sum_of(more_parts_ + row * kPanel) / count + 1e-5f);
          const f32 factor = 1.0f / spread;
          for (u32 i = lane; i < d; i += kPanel)
            normed[at(row, i)] = (stream[at(row, i)] - mean) * factor * gain[i];
        },
        site.at("normalise", 2));
  }

  // mixed: what the queries, the first d numbers of `wide`, find in the past. cell_of(row, place) says where a row's places lie.
  template <class CellOf>
  HD void attend(const Past& past, CellOf cell_of, Site site = Site::here()) {
    const u32 heads = model_.heads, width = model_.d / heads;
    const u32 whole = (past.places + kPanel - 1) / kPanel * kPanel;
    // Rows side by side: those that share a past read the same keys.
    for (u32 item = lane_; item < count_ * heads * past.places; item += kLanes) {
      const u32 row = item % count_, head = item / count_ % heads, place = item / count_ / heads;
      const f32* const key = past.keys + cell_of(row, place) * past.stride + head * width;
      const f32* const query = wide + at(row, head * width);
      f32 sum = 0;
      for (u32 k = 0; k < width; k += kPanel) {
        Pack<4> fours[kPanel / 4];
        for (u32 i = 0; i < kPanel / 4; ++i)
          fours[i] = *reinterpret_cast<const Pack<4>*>(key + k + 4 * i);
        for (u32 i = 0; i < kPanel; ++i)
          sum = fma_lanes(query[size_t{k + i} * kRows], fours[i / 4].of[i % 4], sum);
      }
      scores_of(row, head)[place] = sum * model_.score_scale;
    }
    m_.barrier(site.at("attend", 0));
    each(
        heads * kPanel,
        [&](u32 row, u32 i) {
          f32* const scores = scores_of(row, i / kPanel);
          for (u32 place = past.places; place < whole; ++place)
            if (place % kPanel == i % kPanel) scores[place] = -__builtin_inff();
          f32 largest = scores[i % kPanel];
          for (u32 place = i % kPanel + kPanel; place < whole; place += kPanel)
            largest = larger(largest, scores[place]);
          part_of(parts_, row, i) = largest;
        },
        site.at("attend", 1));
    each(
        heads * kPanel,
        [&](u32 row, u32 i) {
          f32* const scores = scores_of(row, i / kPanel);
          const f32 largest = largest_of(&part_of(parts_, row, i / kPanel * kPanel));
          f32 sum = 0;
          for (u32 place = i % kPanel; place < whole; place += kPanel) {
            const f32 made = exponential(scores[place] - largest);
            scores[place] = made;
            sum = sum + made;
          }
          part_of(more_parts_, row, i) = sum;
        },
        site.at("attend", 2));
    each(
        heads * kPanel,
        [&](u32 row, u32 i) {
          f32* const scores = scores_of(row, i / kPanel);
          const f32 sum = sum_of(&part_of(more_parts_, row, i / kPanel * kPanel));
          for (u32 place = i % kPanel; place < past.places; place += kPanel)
            scores[place] = scores[place] / sum;
        },
        site.at("attend", 3));
    each(
        model_.d,
        [&](u32 row, u32 column) {
          const f32* const shares = scores_of(row, column / width);
          f32 sum = 0;
          for (u32 place = 0; place < past.places; place += kAhead) {
            f32 values[kAhead];
            for (u32 i = 0; i < kAhead; ++i)
              values[i] = place + i < past.places
                              ? past.values[cell_of(row, place + i) * past.stride + column]
                              : 0;
            for (u32 i = 0; i < kAhead && place + i < past.places; ++i)
              sum = fma_lanes(shares[place + i], values[i], sum);
          }
          mixed[at(row, column)] = sum;
        },
        site.at("attend", 4));
  }

 private:
  static constexpr u32 kLanes = 32 * Machine::kWarps;
  // How far weights and values are read ahead. All inner widths of products are multiples of it.
  static constexpr u32 kAhead = 8;
  static_assert(kPanel % kAhead == 0);

  template <u32 rows, class Finish>
  HD void multiply_by(const f32* x, u32 matrix, u32 inner, u32 columns, Finish finish) {
    constexpr u32 kPack = rows < 4 ? rows : 4;
    for (u32 item = lane_; item < columns * (kRows / rows); item += kLanes) {
      const u32 column = item % columns, first = item / columns * rows;
      const f32* const weights =
          model_.weights + matrix + size_t{column / kPanel} * inner * kPanel + column % kPanel;
      f32 sums[rows] = {};
      for (u32 k = 0; k < inner; k += kAhead) {
        f32 weight[kAhead];
        for (u32 i = 0; i < kAhead; ++i) weight[i] = weights[(k + i) * kPanel];
        for (u32 i = 0; i < kAhead; ++i)
          for (u32 r = 0; r < rows; r += kPack) {
            const auto numbers =
                *reinterpret_cast<const Pack<kPack>*>(x + size_t{k + i} * kRows + first + r);
            for (u32 p = 0; p < kPack; ++p)
              sums[r + p] = fma_lanes(numbers.of[p], weight[i], sums[r + p]);
          }
      }
      for (u32 r = 0; r < rows; ++r) finish(first + r, column, sums[r]);
    }
  }

  // Of 16 numbers, in halves.
  template <class Join>
  HD static f32 fold(const f32* of, Join join) {
    f32 numbers[kPanel / 2];
    for (u32 i = 0; i < kPanel / 2; ++i) numbers[i] = join(of[i], of[i + kPanel / 2]);
    for (u32 i = 0; i < 4; ++i) numbers[i] = join(numbers[i], numbers[i + 4]);
    for (u32 i = 0; i < 2; ++i) numbers[i] = join(numbers[i], numbers[i + 2]);
    return join(numbers[0], numbers[1]);
  }
  HD static f32 sum_of(const f32* parts) {
    return fold(parts, [](f32 a, f32 b) { return a + b; });
  }
  HD static f32 largest_of(const f32* parts) {
    return fold(parts, [](f32 a, f32 b) { return a > b ? a : b; });
  }

  [[nodiscard]] HD f32* scores_of(u32 row, u32 head) const {
    return scores_ + (size_t{row} * model_.heads + head) * model_.most_places;
  }
  [[nodiscard]] HD f32& part_of(f32* parts, u32 row, u32 i) const {
    return parts[size_t{row} * model_.heads * kPanel + i];
  }

  Machine m_;
  const ModelThere& model_;
  u32 lane_, count_;
  f32* scores_;               // [kRows][heads][most_places]
  f32 *parts_, *more_parts_;  // [kRows][heads][kPanel]
};

}  // namespace komuz::neural

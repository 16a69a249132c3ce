// SPDX-License-Identifier: Apache-2.0
// The definition of all kernels (kernels.h), which kernels_*.cpp compile for an instruction set each.
//
// Work is done on 16 numbers at a time: one register of AVX-512, two of AVX2, four without either. So the same sums have
// the same parts everywhere.
#pragma once
#include <algorithm>
#include <array>
#include <utility>

#include "neural/model/exponential.h"
#include "neural/model/kernels.h"

namespace komuz::neural {
inline namespace KOMUZ_ISA_NAMESPACE {

using Lanes = Vector<f32, kRegisterBytes>;
inline constexpr u32 kLanes = lane_count<Lanes>;
inline constexpr u32 kParts = kPanel / kLanes;  // registers for 16 numbers

// How many rows and panels a product has in registers at once. There are 32 registers with AVX-512, else 16.
#if defined(__AVX512F__)
inline constexpr u32 kMostRows = 8, kMostPanels = 2, kFewRows = 4;
#elif defined(__AVX2__)
inline constexpr u32 kMostRows = 6, kMostPanels = 1, kFewRows = 3;
#else
inline constexpr u32 kMostRows = 2, kMostPanels = 1, kFewRows = 1;
#endif

// act(0), act(1), … as constants, so that what they name stays in registers.
template <u32 count, class Act>
[[gnu::always_inline]] inline void each(const Act& act) {
  [&]<u32... i>(std::integer_sequence<u32, i...>) __attribute__((always_inline)) {
    (act(std::integral_constant<u32, i>{}), ...);
  }
  (std::make_integer_sequence<u32, count>{});
}

[[gnu::always_inline]] inline Lanes load(const f32* from) {
  Lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
[[gnu::always_inline]] inline void store(f32* to, Lanes lanes) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}

// The sum, or what `join` makes, of 16 numbers, in halves.
template <class Join>
f32 fold(const std::array<Lanes, kParts>& parts, const Join& join) {
  f32 numbers[kPanel];
  for (u32 p = 0; p < kParts; ++p) store(numbers + p * kLanes, parts[p]);
  for (u32 half = kPanel / 2; half > 0; half /= 2)
    for (u32 i = 0; i < half; ++i) numbers[i] = join(numbers[i], numbers[i + half]);
  return numbers[0];
}
inline f32 sum_of(const std::array<Lanes, kParts>& parts) {
  return fold(parts, [](f32 a, f32 b) { return a + b; });
}

// Products.

template <u32 rows, u32 panels>
void multiply_block(const Product& product, u32 first_row, u32 first_panel) {
  constexpr u32 kColumns = panels * kParts;  // in registers
  const f32* const x = product.rows + first_row * product.row_stride;
  const size_t panel_size = size_t{product.inner} * kPanel;
  const f32* const weights = product.panels + first_panel * panel_size;
  Lanes sums[rows][kColumns] = {};
  for (u32 k = 0; k < product.inner; ++k) {
    Lanes weight[kColumns];
    each<kColumns>([&](auto c) {
      weight[c] = load(weights + (c / kParts) * panel_size + k * kPanel + (c % kParts) * kLanes);
    });
    each<rows>([&](auto r) {
      const Lanes number = splat<Lanes>(x[r * product.row_stride + k]);
      each<kColumns>([&](auto c) { sums[r][c] = fma_lanes(number, weight[c], sums[r][c]); });
    });
  }
  each<rows>([&](auto r) {
    f32* const out = product.out + (first_row + r) * product.out_stride + first_panel * kPanel;
    each<kColumns>([&](auto c) {
      Lanes made = sums[r][c];
      if (product.finish == Finish::Add) made = load(out + c * kLanes) + made;
      if (product.finish == Finish::Relu) made = larger(made, Lanes{});
      store(out + c * kLanes, made);
    });
  });
}

// The last rows, fewer than `rows` + 1 of them.
template <u32 rows, u32 panels>
void multiply_rest(const Product& product, u32 first_row, u32 first_panel, u32 left) {
  if constexpr (rows > 0) {
    if (left == rows) return multiply_block<rows, panels>(product, first_row, first_panel);
    multiply_rest<rows - 1, panels>(product, first_row, first_panel, left);
  }
}

template <u32 panels>
void multiply_panels(const Product& product, u32 first_panel) {
  u32 row = 0;
  for (; row + kMostRows <= product.row_count; row += kMostRows)
    multiply_block<kMostRows, panels>(product, row, first_panel);
  multiply_rest<kMostRows - 1, panels>(product, row, first_panel, product.row_count - row);
}

// A few rows leave registers for more columns: a chain of additions alone would wait for each of them.
template <u32 panels>
u32 multiply_few(const Product& product) {
  u32 panel = 0;
  for (; (panel + panels) * kPanel <= product.columns; panel += panels)
    multiply_rest<kFewRows, panels>(product, 0, panel, product.row_count);
  return panel;
}

inline void multiply(const Product& product) {
  u32 panel = 0;
  if (product.row_count <= kFewRows) panel = multiply_few<2 * kMostPanels>(product);
  for (; (panel + kMostPanels) * kPanel <= product.columns; panel += kMostPanels)
    multiply_panels<kMostPanels>(product, panel);
  for (; panel * kPanel < product.columns; ++panel) multiply_panels<1>(product, panel);
}

// Rows.

inline void normalise(const f32* rows, u32 row_count, u32 d, const f32* gain, f32* out) {
  for (u32 r = 0; r < row_count; ++r, rows += d, out += d) {
    std::array<Lanes, kParts> parts = {};
    for (u32 i = 0; i < d; i += kPanel)
      each<kParts>([&](auto p) { parts[p] = parts[p] + load(rows + i + p * kLanes); });
    const Lanes mean = splat<Lanes>(sum_of(parts) / static_cast<f32>(d));
    parts = {};
    for (u32 i = 0; i < d; i += kPanel)
      each<kParts>([&](auto p) {
        const Lanes off = load(rows + i + p * kLanes) - mean;
        parts[p] = fma_lanes(off, off, parts[p]);
      });
    const f32 spread = __builtin_sqrtf(sum_of(parts) / static_cast<f32>(d) + 1e-5f);
    const Lanes factor = splat<Lanes>(1.0f / spread);
    for (u32 i = 0; i < d; i += kLanes)
      store(out + i, (load(rows + i) - mean) * factor * load(gain + i));
  }
}

inline f32 exponentials(f32* numbers, u32 count) {
  std::array<Lanes, kParts> parts;
  each<kParts>([&](auto p) { parts[p] = load(numbers + p * kLanes); });
  for (u32 i = kPanel; i < count; i += kPanel)
    each<kParts>([&](auto p) { parts[p] = larger(parts[p], load(numbers + i + p * kLanes)); });
  const Lanes largest = splat<Lanes>(fold(parts, [](f32 a, f32 b) { return a > b ? a : b; }));
  parts = {};
  for (u32 i = 0; i < count; i += kPanel)
    each<kParts>([&](auto p) {
      const Lanes made = exponential(load(numbers + i + p * kLanes) - largest);
      store(numbers + i + p * kLanes, made);
      parts[p] = parts[p] + made;
    });
  return sum_of(parts);
}

inline void shares(f32* rows, size_t stride, u32 row_count, u32 count, f32 scale) {
  const u32 whole = (count + kPanel - 1) / kPanel * kPanel;
  for (u32 r = 0; r < row_count; ++r, rows += stride) {
    for (u32 i = 0; i < whole; i += kLanes) store(rows + i, load(rows + i) * splat<Lanes>(scale));
    for (u32 i = count; i < whole; ++i) rows[i] = -__builtin_inff();
    const Lanes sum = splat<Lanes>(exponentials(rows, whole));
    for (u32 i = 0; i < whole; i += kLanes) store(rows + i, load(rows + i) / sum);
  }
}

// The scores of `panels` panels of places. Several are done at once, as each waits for its own last addition.
template <u32 panels>
void score_places(const HeadQuery& query, u32 panel) {
  Lanes sums[panels * kParts] = {};
  const f32* const keys = query.keys + panel * query.panel_stride;
  for (u32 k = 0; k < query.width; ++k) {
    const Lanes number = splat<Lanes>(query.query[k]);
    each<panels * kParts>([&](auto i) {
      sums[i] = fma_lanes(
          number,
          load(keys + (i / kParts) * query.panel_stride + k * kPanel + (i % kParts) * kLanes),
          sums[i]);
    });
  }
  each<panels * kParts>(
      [&](auto i) { store(query.scores + panel * kPanel + i * kLanes, sums[i]); });
}

// `panels` panels of a head's values, each place's share of them.
template <u32 panels>
void mix_values(const HeadQuery& query, u32 panel) {
  Lanes sums[panels * kParts] = {};
  for (u32 place = 0; place < query.places; ++place) {
    const Lanes share = splat<Lanes>(query.scores[place]);
    const f32* const values = query.values + place * query.value_stride + panel * kPanel;
    each<panels * kParts>(
        [&](auto i) { sums[i] = fma_lanes(share, load(values + i * kLanes), sums[i]); });
  }
  each<panels * kParts>([&](auto i) { store(query.out + panel * kPanel + i * kLanes, sums[i]); });
}

inline void attend(const HeadQuery& query) {
  const u32 panels = (query.places + kPanel - 1) / kPanel;
  u32 panel = 0;
  for (; panel + 3 <= panels; panel += 3) score_places<3>(query, panel);
  if (panels - panel == 2) score_places<2>(query, panel);
  if (panels - panel == 1) score_places<1>(query, panel);
  shares(query.scores, size_t{panels} * kPanel, 1, query.places, query.scale);
  panel = 0;
  for (; (panel + 2) * kPanel <= query.width; panel += 2) mix_values<2>(query, panel);
  if (panel * kPanel < query.width) mix_values<1>(query, panel);
}

inline constexpr Kernels kKernels = {.multiply = multiply,
                                     .normalise = normalise,
                                     .shares = shares,
                                     .exponentials = exponentials,
                                     .attend = attend};

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// The loops in which a model spends its time, once for each instruction set. All are compiled from one definition
// (kernel_bodies.h), and give the same bits:
//
//   - A product's cell is one chain of fused multiply-adds, over the inner index, from zero.
//   - A sum over a row is 16 sums, of every 16th number each, which are folded in halves.
//   - Exponentials are a polynomial of fused multiply-adds.
//
// All numbers are f32. A *panel* is 16 columns of a matrix, one row after the other: what one step of a product needs
// lies together. Rows and panels begin anywhere.
#pragma once
#include "base/ints.h"
#include "base/simd_level.h"

namespace komuz::neural {

inline constexpr u32 kPanel = 16;  // columns

// What becomes of a product: it is stored, added to what is there, or stored where it is positive, else zero.
enum class Finish : u8 { Store, Add, Relu };

struct Product {
  const f32* rows = nullptr;  // [row_count][row_stride], of which the first `inner` are taken
  size_t row_stride = 0;
  u32 row_count = 0;
  const f32* panels = nullptr;  // [columns / kPanel][inner][kPanel]
  u32 inner = 0;
  u32 columns = 0;     // a multiple of kPanel
  f32* out = nullptr;  // [row_count][out_stride]
  size_t out_stride = 0;
  Finish finish = Finish::Store;
};

// One query of one head against keys that come in one after another. 16 places share a panel of keys.
struct HeadQuery {
  const f32* query = nullptr;  // [width]
  const f32* keys =
      nullptr;  // [places / kPanel][panel_stride]: [width][kPanel], then those of other heads
  const f32* values = nullptr;  // [places][value_stride]
  size_t panel_stride = 0, value_stride = 0;
  u32 places = 0;         // that are looked at
  u32 width = 0;          // of a head, a multiple of kPanel
  f32 scale = 1;          // of scores
  f32* scores = nullptr;  // [places, in whole panels], for the work
  f32* out = nullptr;     // [width]
};

struct Kernels {
  void (*multiply)(const Product& product);
  // Each row of d numbers (a multiple of 16), less its mean, over its spread, times the gain.
  void (*normalise)(const f32* rows, u32 row_count, u32 d, const f32* gain, f32* out);
  // The first `count` numbers of each row become shares of one, those up to the next multiple of 16 zero.
  void (*shares)(f32* rows, size_t stride, u32 row_count, u32 count, f32 scale);
  // `count` numbers, a multiple of 16, become their exponentials less the largest one's; the sum of these. Of -infinity
  // that is zero. The largest number is finite.
  f32 (*exponentials)(f32* numbers, u32 count);
  void (*attend)(const HeadQuery& query);
};

// Those of a level that this processor has.
[[nodiscard]] const Kernels& kernels(SimdLevel level);

[[nodiscard]] const Kernels& kernels_portable();
[[nodiscard]] const Kernels& kernels_avx2();
[[nodiscard]] const Kernels& kernels_avx512();

}  // namespace komuz::neural

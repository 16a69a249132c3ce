// SPDX-License-Identifier: Apache-2.0
// What encoder and decoder share.
#pragma once
#include <cmath>

#include "neural/model/kernels.h"
#include "neural/model/weights.h"

namespace komuz::neural {

inline u32 whole_panels(u32 count) { return (count + kPanel - 1) / kPanel * kPanel; }

// The vector of a word in its place.
inline void add_word(const WordTables& tables, u8 word, u8 type, u32 place, u32 d, f32* out) {
  const f32 *const words = &tables.words[size_t{word} * d],
                   *const types = &tables.types[size_t{type} * d],
                   *const places = &tables.places[size_t{place} * d];
  for (u32 i = 0; i < d; ++i) out[i] = words[i] + types[i] + places[i];
}

// Rows, one behind the other, times a matrix.
inline void multiply(const Kernels& run, const f32* rows, u32 row_count, const Matrix& matrix,
                     f32* out, Finish finish) {
  run.multiply({.rows = rows,
                .row_stride = matrix.inputs,
                .row_count = row_count,
                .panels = matrix.panels.data(),
                .inner = matrix.inputs,
                .columns = matrix.outputs,
                .out = out,
                .out_stride = matrix.outputs,
                .finish = finish});
}

inline f32 score_scale(u32 width) { return 1.0f / std::sqrt(static_cast<f32>(width)); }

// Many queries of one head against the same keys and values, which are packed (EncodedSource).
struct HeadQueries {
  const f32* queries = nullptr;  // [count][query_stride]
  size_t query_stride = 0;
  u32 count = 0;
  const f32* keys = nullptr;
  const f32* values = nullptr;
  u32 places = 0, width = 0;
  f32* scores = nullptr;  // [count][places in whole panels], for the work
  f32* out = nullptr;     // [count][out_stride]
  size_t out_stride = 0;
};
inline void attend_all(const Kernels& run, const HeadQueries& head) {
  const u32 whole = whole_panels(head.places);
  run.multiply({.rows = head.queries,
                .row_stride = head.query_stride,
                .row_count = head.count,
                .panels = head.keys,
                .inner = head.width,
                .columns = whole,
                .out = head.scores,
                .out_stride = whole});
  run.shares(head.scores, whole, head.count, head.places, score_scale(head.width));
  run.multiply({.rows = head.scores,
                .row_stride = whole,
                .row_count = head.count,
                .panels = head.values,
                .inner = head.places,
                .columns = head.width,
                .out = head.out,
                .out_stride = head.out_stride});
}

}  // namespace komuz::neural

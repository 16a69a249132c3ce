// SPDX-License-Identifier: Apache-2.0
// What the kernels of a model are given: where weights, words and caches lie. All numbers are f32.
//
// Weights are one array. Layers of a kind lie one behind the other, each with the same parts in the same order. Matrices
// are in panels, as those of the host (kernels.h).
#pragma once
#include <type_traits>

#include "neural/model/kernels.h"

namespace komuz::neural {

// The parts of a layer, in numbers from its beginning.
struct LayerParts {
  u32 self_norm = 0, self_query_key_value = 0, self_out = 0;
  u32 cross_norm = 0, cross_query = 0, cross_out = 0;  // of decoders
  u32 feed_norm = 0, up = 0, down = 0;
  u32 size = 0;
};

// Of one side. Parts in numbers from the beginning of all weights.
struct SideParts {
  u32 words = 0, types = 0, places = 0;
  u32 first_layer = 0, norm = 0;
  LayerParts layer;
};

struct ModelThere {
  const f32* weights = nullptr;
  u32 d = 0, heads = 0, ff = 0;
  u32 encoder_layers = 0, decoder_layers = 0;
  u32 words = 0;
  u32 most_places = 0;  // that a row looks at: the longer of source and target, in whole panels
  f32 score_scale = 1;
  SideParts source, target;
  u32 cross_key_value = 0;  // [decoder_layers][a matrix of 2 d outputs and d inputs]
  u32 logits = 0;
};

// A row of a step.
struct RowInput {
  u32 from;  // the row that it continues
  u8 word, type, unused[2];
};
static_assert(sizeof(RowInput) == 8);

// One phase of encoding: a layer for all words. Words look at all words, so a phase ends everywhere before the next
// one begins. Phase 0 only makes what layer 0 looks at; the last one makes what decoders ask of the source.
struct EncodeLaunch {
  ModelThere model;
  const u8* words;
  const u8* types;
  u32 count;      // of words
  u32 phase;      // 0 … encoder_layers
  f32* stream;    // [count][d]
  const f32* at;  // [count][3 d]: query, key and value of each word for the layer of this phase
  f32* next;      // … of the next one
  f32* source;    // [decoder_layers][count][2 d]: key and value of each word
};

// One word more for each row.
//
// Keys and values that a step makes stay where they are: in the cells `place · most + row`. Which cells a row looks at
// is a table, and a row that continues another one takes over its cells by number.
struct StepLaunch {
  ModelThere model;
  const RowInput* inputs;  // [rows]
  u32 rows, most;
  u32 place;   // of the words: how many each row had
  u32 target;  // the most places
  const f32* source;
  u32 source_words;
  f32* cache;             // [decoder_layers][target · most][2 d]
  const u32* cells_from;  // [most][target], by the rows that are continued
  u32* cells_to;
  f32* logits;  // [rows][words]
};

// Rows that a block may calculate at a time: f(an integral constant) for one of these numbers.
inline constexpr u32 kRowsOfABlock[] = {1, 2, 4, 8};
template <class F>
auto with_rows(u32 rows, const F& f) {
  switch (rows) {
    case 1: return f(std::integral_constant<u32, 1>{});
    case 2: return f(std::integral_constant<u32, 2>{});
    case 4: return f(std::integral_constant<u32, 4>{});
    default: return f(std::integral_constant<u32, 8>{});
  }
}

// The numbers of shared memory that a block takes for so many rows.
[[nodiscard]] HD constexpr u32 wide_of(const ModelThere& model) {
  return 3 * model.d > model.ff ? 3 * model.d : model.ff;
}
[[nodiscard]] HD constexpr size_t block_numbers(const ModelThere& model, u32 rows) {
  return size_t{rows} * (size_t{3} * model.d + wide_of(model) +
                         size_t{model.heads} * (model.most_places + 2 * kPanel));
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// Encoder and decoder on a device: what a block of threads does for the rows [first, first + kRows) of a launch. The
// host's are encode.cpp and prefix_batch.cpp.
#pragma once
#include "neural/model/cuda/row_block.h"

namespace komuz::neural {

// The stream becomes the vectors of words; word(row) and type(row) say which.
template <class Block, class Word, class Type>
HD void take_words(Block& block, const ModelThere& model, const SideParts& side, Word word,
                   Type type, u32 place, u32 place_step) {
  block.each(model.d, [&](u32 row, u32 i) {
    const f32* const weights = model.weights + i;
    block.stream[Block::at(row, i)] =
        weights[side.words + size_t{word(row)} * model.d] +
        weights[side.types + size_t{type(row)} * model.d] +
        weights[side.places + size_t{place + row * place_step} * model.d];
  });
}

// The stream and what is mixed, times a matrix; then the feed-forward part of a layer.
template <class Block>
HD void add_product(Block& block, const f32* x, u32 matrix, u32 inner, u32 d) {
  block.multiply(x, matrix, inner, d, [&](u32 row, u32 column, f32 sum) {
    f32& number = block.stream[Block::at(row, column)];
    number = number + sum;
  });
}
template <class Block>
HD void feed_forward(Block& block, const ModelThere& model, u32 layer, const LayerParts& parts) {
  block.normalise(layer + parts.feed_norm);
  block.multiply(block.normed, layer + parts.up, model.d, model.ff,
                 [&](u32 row, u32 column, f32 sum) {
                   block.wide[Block::at(row, column)] = larger(sum, 0.0f);
                 });
  add_product(block, block.wide, layer + parts.down, model.ff, model.d);
}

template <u32 most_rows, class Machine>
HD void encode_rows(const EncodeLaunch& launch, u32 first, f32* memory, Machine machine) {
  using Block = RowBlock<Machine, most_rows>;
  const ModelThere& model = launch.model;
  const SideParts& side = model.source;
  const u32 d = model.d;
  const u32 count = launch.count - first < most_rows ? launch.count - first : most_rows;
  Block block(machine, model, memory, count);
  if (launch.phase == 0) {
    take_words(
        block, model, side, [&](u32 row) { return launch.words[first + row]; },
        [&](u32 row) { return launch.types[first + row]; }, first, 1);
  } else {
    const u32 layer = side.first_layer + (launch.phase - 1) * side.layer.size;
    block.each(d, [&](u32 row, u32 i) {
      block.stream[Block::at(row, i)] = launch.stream[size_t{first + row} * d + i];
      block.wide[Block::at(row, i)] = launch.at[size_t{first + row} * 3 * d + i];
    });
    block.attend({launch.at + d, launch.at + 2 * d, size_t{3} * d, launch.count},
                 [](u32, u32 place) { return size_t{place}; });
    add_product(block, block.mixed, layer + side.layer.self_out, d, d);
    feed_forward(block, model, layer, side.layer);
  }
  const auto store = [&](f32* to, u32 columns) {
    return [=](u32 row, u32 column, f32 sum) {
      if (row < count) to[size_t{first + row} * columns + column] = sum;
    };
  };
  if (launch.phase == model.encoder_layers) {
    block.normalise(side.norm);
    for (u32 i = 0; i < model.decoder_layers; ++i)
      block.multiply(block.normed, model.cross_key_value + i * 2 * d * d, d, 2 * d,
                     store(launch.source + size_t{i} * launch.count * 2 * d, 2 * d));
    return;
  }
  const u32 next = side.first_layer + launch.phase * side.layer.size;
  block.each(d, [&](u32 row, u32 i) {
    launch.stream[size_t{first + row} * d + i] = block.stream[Block::at(row, i)];
  });
  block.normalise(next + side.layer.self_norm);
  block.multiply(block.normed, next + side.layer.self_query_key_value, d, 3 * d,
                 store(launch.next, 3 * d));
}

template <u32 most_rows, class Machine>
HD void step_rows(const StepLaunch& launch, u32 first, f32* memory, Machine machine) {
  using Block = RowBlock<Machine, most_rows>;
  const ModelThere& model = launch.model;
  const SideParts& side = model.target;
  const u32 d = model.d, place = launch.place;
  const u32 count = launch.rows - first < most_rows ? launch.rows - first : most_rows;
  const RowInput* const inputs = launch.inputs + first;
  const size_t all_cells = size_t{launch.target} * launch.most;
  Block block(machine, model, memory, count);
  // The cells of the row that is continued, and the new one.
  block.each(place + 1, [&](u32 row, u32 i) {
    launch.cells_to[size_t{first + row} * launch.target + i] =
        i == place ? place * launch.most + first + row
                   : launch.cells_from[size_t{inputs[row].from} * launch.target + i];
  });
  take_words(
      block, model, side, [&](u32 row) { return inputs[row].word; },
      [&](u32 row) { return inputs[row].type; }, place, 0);
  for (u32 i = 0; i < model.decoder_layers; ++i) {
    const u32 layer = side.first_layer + i * side.layer.size;
    f32* const cache = launch.cache + i * all_cells * 2 * d;
    block.normalise(layer + side.layer.self_norm);
    block.multiply(block.normed, layer + side.layer.self_query_key_value, d, 3 * d,
                   [&](u32 row, u32 column, f32 sum) {
                     if (column < d)
                       block.wide[Block::at(row, column)] = sum;
                     else if (row < count)
                       cache[(size_t{place} * launch.most + first + row) * 2 * d + column - d] =
                           sum;
                   });
    block.attend({cache, cache + d, size_t{2} * d, place + 1}, [&](u32 row, u32 at) {
      return size_t{launch.cells_to[size_t{first + row} * launch.target + at]};
    });
    add_product(block, block.mixed, layer + side.layer.self_out, d, d);
    block.normalise(layer + side.layer.cross_norm);
    block.multiply(block.normed, layer + side.layer.cross_query, d, d,
                   [&](u32 row, u32 column, f32 sum) { block.wide[Block::at(row, column)] = sum; });
    const f32* const source = launch.source + size_t{i} * launch.source_words * 2 * d;
    block.attend({source, source + d, size_t{2} * d, launch.source_words},
                 [](u32, u32 at) { return size_t{at}; });
    add_product(block, block.mixed, layer + side.layer.cross_out, d, d);
    feed_forward(block, model, layer, side.layer);
  }
  block.normalise(side.norm);
  block.multiply(block.normed, model.logits, d, model.words, [&](u32 row, u32 column, f32 sum) {
    if (row < count) launch.logits[size_t{first + row} * model.words + column] = sum;
  });
}

}  // namespace komuz::neural

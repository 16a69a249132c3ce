// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "neural/model/layers.h"
#include "neural/model/model.h"

namespace komuz::neural {
namespace {

// Columns of rows (`stride` apart) as the panels of a product: [columns / kPanel][count][kPanel].
void pack_values(const f32* rows, size_t stride, u32 count, u32 columns, f32* panels) {
  for (u32 panel = 0; panel < columns / kPanel; ++panel)
    for (u32 row = 0; row < count; ++row, panels += kPanel)
      std::copy_n(rows + row * stride + panel * kPanel, kPanel, panels);
}
// Rows as columns: [count in panels][columns][kPanel]. What is behind the last row stays zero.
void pack_keys(const f32* rows, size_t stride, u32 count, u32 columns, f32* panels) {
  for (u32 row = 0; row < count; ++row)
    for (u32 column = 0; column < columns; ++column)
      panels[(size_t{row / kPanel} * columns + column) * kPanel + row % kPanel] =
          rows[row * stride + column];
}

}  // namespace

EncodedSource::EncodedSource(const Model& model, std::span<const u8> words,
                             std::span<const u8> types, SimdLevel level)
    : length_(static_cast<u32>(words.size())), heads_(model.size().heads) {
  const ModelSize& size = model.size();
  const Weights& weights = model.weights();
  const u32 d = size.d, width = size.head_width(), places = whole_panels(length_);
  const Kernels& run = kernels(level);
  keys_size_ = size_t{places} * width;
  values_size_ = size_t{length_} * width;

  Numbers stream(size_t{length_} * d), normed(stream.size()), mixed(stream.size());
  Numbers wide(size_t{length_} * std::max(3 * d, size.ff)), scores(size_t{length_} * places);
  Numbers keys(keys_size_), values(values_size_);
  for (u32 i = 0; i < length_; ++i)
    add_word(weights.source, words[i], types[i], i, d, &stream[size_t{i} * d]);
  for (const EncoderLayer& layer : weights.encoder) {
    run.normalise(stream.data(), length_, d, layer.attention_norm.data(), normed.data());
    multiply(run, normed.data(), length_, layer.query_key_value, wide.data(), Finish::Store);
    for (u32 head = 0; head < heads_; ++head) {
      const f32* const query = &wide[head * width];
      pack_keys(query + d, 3 * d, length_, width, keys.data());
      pack_values(query + 2 * d, 3 * d, length_, width, values.data());
      attend_all(run, {.queries = query,
                       .query_stride = 3 * d,
                       .count = length_,
                       .keys = keys.data(),
                       .values = values.data(),
                       .places = length_,
                       .width = width,
                       .scores = scores.data(),
                       .out = &mixed[head * width],
                       .out_stride = d});
    }
    multiply(run, mixed.data(), length_, layer.out, stream.data(), Finish::Add);
    run.normalise(stream.data(), length_, d, layer.feed_norm.data(), normed.data());
    multiply(run, normed.data(), length_, layer.up, wide.data(), Finish::Relu);
    multiply(run, wide.data(), length_, layer.down, stream.data(), Finish::Add);
  }
  run.normalise(stream.data(), length_, d, weights.encoder_norm.data(), normed.data());

  const size_t heads = weights.decoder.size() * heads_;
  keys_.resize(heads * keys_size_);
  values_.resize(heads * values_size_);
  size_t at = 0;
  for (const DecoderLayer& layer : weights.decoder) {
    multiply(run, normed.data(), length_, layer.cross_key_value, wide.data(), Finish::Store);
    for (u32 head = 0; head < heads_; ++head, ++at) {
      pack_keys(&wide[head * width], 2 * d, length_, width, &keys_[at * keys_size_]);
      pack_values(&wide[d + head * width], 2 * d, length_, width, &values_[at * values_size_]);
    }
  }
}

const f32* EncodedSource::keys(u32 layer, u32 head) const {
  return &keys_[(size_t{layer} * heads_ + head) * keys_size_];
}
const f32* EncodedSource::values(u32 layer, u32 head) const {
  return &values_[(size_t{layer} * heads_ + head) * values_size_];
}

}  // namespace komuz::neural

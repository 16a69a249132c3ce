// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "neural/model/layers.h"
#include "neural/model/model.h"

namespace komuz::neural {

PrefixBatch::PrefixBatch(const Model& model, const EncodedSource& source, u32 most, SimdLevel level)
    : model_(model),
      source_(source),
      kernels_(kernels(level)),
      most_(most),
      places_(whole_panels(model.size().target)) {
  const ModelSize& size = model.size();
  layer_size_ = size_t{2} * places_ * size.d;
  cache_.resize(most);
  for (u32 slot = most; slot-- > 0;) free_slots_.push_back(slot);
  stream_.resize(size_t{most} * size.d);
  normed_.resize(stream_.size());
  mixed_.resize(stream_.size());
  wide_.resize(size_t{most} * std::max(3 * size.d, size.ff));
  scores_.resize(std::max<size_t>(places_, size_t{most} * whole_panels(source.length())));
  logits_.resize(size_t{most} * size.words);
  slots_.push_back(free_slots_.back());
  free_slots_.pop_back();
}

f32* PrefixBatch::keys(u32 slot, u32 layer) {
  Numbers& cache = cache_[slot];
  if (cache.empty()) cache.resize(layer_size_ * model_.size().decoder_layers);
  return &cache[layer * layer_size_];
}
f32* PrefixBatch::values(u32 slot, u32 layer) {
  return keys(slot, layer) + size_t{places_} * model_.size().d;
}

void PrefixBatch::keep(std::span<const u32> from) {
  const ModelSize& size = model_.size();
  std::vector<u8> is_taken(slots_.size());
  std::vector<u32> kept(from.size());
  // The first row that continues another one takes its slot; the others need copies.
  std::vector<u32> copies;
  for (u32 i = 0; i < from.size(); ++i) {
    if (is_taken[from[i]] != 0) {
      copies.push_back(i);
      continue;
    }
    is_taken[from[i]] = 1;
    kept[i] = slots_[from[i]];
  }
  for (u32 row = 0; row < slots_.size(); ++row)
    if (is_taken[row] == 0) free_slots_.push_back(slots_[row]);
  const u32 whole = whole_panels(length_);
  for (const u32 i : copies) {
    kept[i] = free_slots_.back();
    free_slots_.pop_back();
    for (u32 layer = 0; layer < size.decoder_layers; ++layer) {
      const f32* const from_keys = keys(slots_[from[i]], layer);
      f32* const to_keys = keys(kept[i], layer);
      std::copy_n(from_keys, size_t{whole} * size.d, to_keys);
      std::copy_n(values(slots_[from[i]], layer), size_t{length_} * size.d, values(kept[i], layer));
    }
  }
  slots_ = std::move(kept);
}

void PrefixBatch::step(std::span<const u8> words, std::span<const u8> types) {
  const ModelSize& size = model_.size();
  const Weights& weights = model_.weights();
  const u32 d = size.d, count = rows();
  for (u32 i = 0; i < count; ++i)
    add_word(weights.target, words[i], types[i], length_, d, &stream_[size_t{i} * d]);
  ++length_;
  for (u32 layer = 0; layer < weights.decoder.size(); ++layer) {
    const DecoderLayer& of = weights.decoder[layer];
    kernels_.normalise(stream_.data(), count, d, of.self_norm.data(), normed_.data());
    multiply(kernels_, normed_.data(), count, of.self_query_key_value, wide_.data(), Finish::Store);
    look_back(layer);
    multiply(kernels_, mixed_.data(), count, of.self_out, stream_.data(), Finish::Add);
    kernels_.normalise(stream_.data(), count, d, of.cross_norm.data(), normed_.data());
    multiply(kernels_, normed_.data(), count, of.cross_query, wide_.data(), Finish::Store);
    look_at_source(layer);
    multiply(kernels_, mixed_.data(), count, of.cross_out, stream_.data(), Finish::Add);
    kernels_.normalise(stream_.data(), count, d, of.feed_norm.data(), normed_.data());
    multiply(kernels_, normed_.data(), count, of.up, wide_.data(), Finish::Relu);
    multiply(kernels_, wide_.data(), count, of.down, stream_.data(), Finish::Add);
  }
  kernels_.normalise(stream_.data(), count, d, weights.decoder_norm.data(), normed_.data());
  multiply(kernels_, normed_.data(), count, weights.logits, logits_.data(), Finish::Store);
}

// wide_: query, key and value of each row. Each row has its own past.
void PrefixBatch::look_back(u32 layer) {
  const u32 d = model_.size().d, width = model_.size().head_width();
  for (u32 row = 0; row < rows(); ++row) {
    const f32* const query = &wide_[size_t{row} * 3 * d];
    f32* const own_keys = keys(slots_[row], layer);
    f32* const own_values = values(slots_[row], layer);
    f32* const panel = own_keys + size_t{(length_ - 1) / kPanel} * kPanel * d;
    for (u32 k = 0; k < d; ++k) panel[k * kPanel + (length_ - 1) % kPanel] = query[d + k];
    std::copy_n(query + 2 * d, d, own_values + size_t{length_ - 1} * d);
    for (u32 at = 0; at < d; at += width)
      kernels_.attend({.query = query + at,
                       .keys = own_keys + at * kPanel,
                       .values = own_values + at,
                       .panel_stride = size_t{kPanel} * d,
                       .value_stride = d,
                       .places = length_,
                       .width = width,
                       .scale = score_scale(width),
                       .scores = scores_.data(),
                       .out = &mixed_[size_t{row} * d + at]});
  }
}

// wide_: a query of each row. All rows look at the same keys.
void PrefixBatch::look_at_source(u32 layer) {
  const u32 d = model_.size().d, width = model_.size().head_width();
  for (u32 head = 0; head < model_.size().heads; ++head)
    attend_all(kernels_, {.queries = &wide_[head * width],
                          .query_stride = d,
                          .count = rows(),
                          .keys = source_.keys(layer, head),
                          .values = source_.values(layer, head),
                          .places = source_.length(),
                          .width = width,
                          .scores = scores_.data(),
                          .out = &mixed_[head * width],
                          .out_stride = d});
}

std::span<const f32> PrefixBatch::logits(u32 row) const {
  return std::span(logits_).subspan(size_t{row} * model_.size().words, model_.size().words);
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// The door of the model: a file of weights goes in, and then words of a source; out come the logits of the word behind
// each prefix of a target. It is a transformer of an encoder and a decoder (docs/neural.md); neural/train/model.py is the
// same in PyTorch. The numbers are the same, to the bit, at every SIMD level. It knows no word but PAD and BEGIN.
//
//   const EncodedSource encoded(model, words, types, level);   // once for a program
//   PrefixBatch prefixes(model, encoded, 16, level);           // many targets for it, a word at a time
//   prefixes.step(words, types);
//   prefixes.logits(i);
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/problem.h"
#include "base/simd_level.h"
#include "neural/model/prefixes.h"
#include "neural/model/weights.h"
#include "neural/safetensors/read_safetensors.h"

namespace komuz::neural {

inline constexpr u64 kMostModelBytes = 8'000'000;

// What a model has to know to be of use: the hash of all words, and how many words and types there are.
struct ModelVocabulary {
  u64 hash = 0;
  u32 words = 0, types = 0;
};

class Model {
 public:
  Model(ModelSize size, Weights weights, u64 vocabulary,
        std::map<std::string, std::string, std::less<>> metadata)
      : size_(size),
        weights_(std::move(weights)),
        vocabulary_(vocabulary),
        metadata_(std::move(metadata)) {}

  [[nodiscard]] const ModelSize& size() const { return size_; }
  [[nodiscard]] const Weights& weights() const { return weights_; }
  // The hash of the words that it knows.
  [[nodiscard]] u64 vocabulary() const { return vocabulary_; }
  // All that the file says of itself, such as how it was trained and its held-out figures.
  [[nodiscard]] const auto& metadata() const { return metadata_; }

 private:
  ModelSize size_;
  Weights weights_;
  u64 vocabulary_;
  std::map<std::string, std::string, std::less<>> metadata_;
};

// Takes the tensors of a file with this name. A model of another vocabulary is refused, as are sizes that do not fit, tensors that are missing or belong nowhere, and weights that are not finite.
[[nodiscard]] Result<Model> read_model(const TensorFile& tensors, const std::string& file,
                                       const ModelVocabulary& vocabulary);
[[nodiscard]] Result<Model> read_model_file(const std::string& file,
                                            const ModelVocabulary& vocabulary);

// What the decoder asks of a source: keys and values of its words, for each layer and head. All prefixes share it.
class EncodedSource {
 public:
  // At least one word, at most as many as the model has places; words and types are numbers that its tables have.
  EncodedSource(const Model& model, std::span<const u8> words, std::span<const u8> types,
                SimdLevel level);

  [[nodiscard]] u32 length() const { return length_; }
  // [length in panels][head width][kPanel], and [head width in panels][length][kPanel].
  [[nodiscard]] const f32* keys(u32 layer, u32 head) const;
  [[nodiscard]] const f32* values(u32 layer, u32 head) const;

 private:
  u32 length_ = 0, heads_ = 0;
  size_t keys_size_ = 0, values_size_ = 0;  // of a head
  Numbers keys_, values_;
};

// Prefixes that the host calculates.
class PrefixBatch final : public Prefixes {
 public:
  // At most `most` rows; the batch begins with one row without words. Model and source live longer.
  PrefixBatch(const Model& model, const EncodedSource& source, u32 most, SimdLevel level);

  [[nodiscard]] u32 rows() const override { return static_cast<u32>(slots_.size()); }
  // The words that each row has.
  [[nodiscard]] u32 length() const { return length_; }
  void keep(std::span<const u32> from) override;
  void step(std::span<const u8> words, std::span<const u8> types) override;
  [[nodiscard]] std::span<const f32> logits(u32 row) const override;

 private:
  [[nodiscard]] f32* keys(u32 slot, u32 layer);
  [[nodiscard]] f32* values(u32 slot, u32 layer);
  void look_back(u32 layer);
  void look_at_source(u32 layer);

  const Model& model_;
  const EncodedSource& source_;
  const Kernels& kernels_;
  u32 most_, length_ = 0;
  std::vector<u32> slots_;  // of each row: where its keys and values are
  std::vector<u32> free_slots_;
  size_t layer_size_ = 0;
  u32 places_ = 0;  // the model's, in whole panels
  // Of each slot and layer: keys, [places / kPanel][d][kPanel], then values, [places][d]. Memory comes with the first
  // use of a slot.
  std::vector<Numbers> cache_;
  Numbers stream_, normed_, wide_, mixed_, scores_, logits_;
};

}  // namespace komuz::neural

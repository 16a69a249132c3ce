// SPDX-License-Identifier: Apache-2.0
// Model files with random weights, of any size: they know nothing, and calculate as others do.
#pragma once
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "neural/model/model.h"
#include "tests/neural/tensor_bytes.h"

namespace komuz::neural {

// Sizes of which none is another one, nor a power of two.
inline constexpr ModelSize kOddModel = {.d = 96,
                                        .heads = 2,
                                        .ff = 112,
                                        .encoder_layers = 2,
                                        .decoder_layers = 2,
                                        .source = 40,
                                        .target = 37,
                                        .words = 80,
                                        .types = 9};

// The words that the tests' models know.
inline constexpr ModelVocabulary kTestVocabulary = {
    .hash = 0x0123'4567'89AB'CDEF, .words = 16, .types = 2};
inline constexpr ModelSize kSmallModel = {.d = 128,
                                          .heads = 4,
                                          .ff = 512,
                                          .encoder_layers = 3,
                                          .decoder_layers = 2,
                                          .source = 96,
                                          .target = 96,
                                          .words = 256,
                                          .types = 32};

inline std::string random_model_bytes(const ModelSize& size, u64 seed) {
  std::map<std::string, std::vector<u64>> shapes;
  const u64 d = size.d, ff = size.ff;
  for (const auto& [side, length] : {std::pair{"source", size.source}, {"target", size.target}}) {
    shapes[std::string(side) + ".words"] = {size.words, d};
    shapes[std::string(side) + ".types"] = {size.types, d};
    shapes[std::string(side) + ".places"] = {length, d};
  }
  const auto layer = [&](const std::string& at, bool decodes) {
    shapes[at + "feed_norm"] = {d};
    shapes[at + "up"] = {ff, d};
    shapes[at + "down"] = {d, ff};
    for (const std::string& looks :
         decodes ? std::vector<std::string>{"self_", "cross_"} : std::vector<std::string>{""}) {
      shapes[at + looks + "out"] = {d, d};
      shapes[at + (looks.empty() ? "attention_" : looks) + "norm"] = {d};
    }
    shapes[at + (decodes ? "self_" : "") + "query_key_value"] = {3 * d, d};
    if (decodes) shapes[at + "cross_query"] = {d, d};
    if (decodes) shapes[at + "cross_key_value"] = {2 * d, d};
  };
  for (u32 i = 0; i < size.encoder_layers; ++i) layer("encoder." + std::to_string(i) + ".", false);
  for (u32 i = 0; i < size.decoder_layers; ++i) layer("decoder." + std::to_string(i) + ".", true);
  shapes["encoder_norm"] = shapes["decoder_norm"] = {d};

  Random random(seed);
  std::string header = "{", numbers;
  for (const auto& [name, shape] : shapes) {
    const size_t begin = numbers.size();
    const u64 count = shape[0] * (shape.size() > 1 ? shape[1] : 1);
    // Norms near 1, rows of length about 1.
    const f32 middle = shape.size() > 1 ? 0.0f : 1.0f;
    const f32 spread = 2.0f / std::sqrt(static_cast<f32>(shape.size() > 1 ? shape[1] : 64));
    for (u64 i = 0; i < count; ++i) {
      const f32 number =
          middle + spread * (static_cast<f32>(random.below(1 << 16)) / (1 << 16) - 0.5f);
      numbers.append(reinterpret_cast<const char*>(&number), 4);
    }
    header += (header.size() > 1 ? ",\"" : "\"") + name + R"(":{"dtype":"F32","shape":[)" +
              std::to_string(shape[0]) +
              (shape.size() > 1 ? "," + std::to_string(shape[1]) : std::string()) +
              R"(],"data_offsets":[)" + std::to_string(begin) + "," +
              std::to_string(numbers.size()) + "]}";
  }
  header += R"(,"__metadata__":{"komuz.model":"1","vocabulary":"0123456789abcdef")";
  for (const auto& [name, number] : {std::pair{"d", size.d},
                                     {"heads", size.heads},
                                     {"ff", size.ff},
                                     {"encoder_layers", size.encoder_layers},
                                     {"decoder_layers", size.decoder_layers},
                                     {"source", size.source},
                                     {"target", size.target},
                                     {"words", size.words},
                                     {"types", size.types}})
    header += std::string(",\"") + name + "\":\"" + std::to_string(number) + "\"";
  return tensor_bytes(header + "}}", numbers);
}

inline Model random_model(const ModelSize& size, u64 seed) {
  const Result<TensorFile> file = read_safetensors(random_model_bytes(size, seed), "random");
  return read_model(file.value(), "random", kTestVocabulary).value();
}

}  // namespace komuz::neural

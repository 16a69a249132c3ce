// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "neural/model/model.h"
#include "neural/model/weight_reader.h"

namespace komuz::neural {
namespace {

// The sizes in the metadata, with what they may be.
struct SizeRow {
  const char* name;
  u32 ModelSize::*size;
  u32 most;
};
constexpr SizeRow kSizes[] = {
    {"d", &ModelSize::d, 1024},
    {"heads", &ModelSize::heads, 64},
    {"ff", &ModelSize::ff, 4096},
    {"encoder_layers", &ModelSize::encoder_layers, 32},
    {"decoder_layers", &ModelSize::decoder_layers, 32},
    {"source", &ModelSize::source, 1024},
    {"target", &ModelSize::target, 1024},
    {"words", &ModelSize::words, 256},
    {"types", &ModelSize::types, 256},
};

Weights read_weights(WeightReader& in, const ModelSize& size) {
  const u32 d = size.d;
  const auto tables = [&](const std::string& side, u32 length) {
    return WordTables{.words = in.numbers(side + ".words", {size.words, d}),
                      .types = in.numbers(side + ".types", {size.types, d}),
                      .places = in.numbers(side + ".places", {length, d})};
  };
  Weights weights;
  weights.source = tables("source", size.source);
  weights.target = tables("target", size.target);
  for (u32 i = 0; i < size.encoder_layers; ++i) {
    const std::string at = "encoder." + std::to_string(i) + ".";
    weights.encoder.push_back({.attention_norm = in.numbers(at + "attention_norm", {d}),
                               .query_key_value = in.matrix(at + "query_key_value", 3 * d, d),
                               .out = in.matrix(at + "out", d, d),
                               .feed_norm = in.numbers(at + "feed_norm", {d}),
                               .up = in.matrix(at + "up", size.ff, d),
                               .down = in.matrix(at + "down", d, size.ff)});
  }
  weights.encoder_norm = in.numbers("encoder_norm", {d});
  for (u32 i = 0; i < size.decoder_layers; ++i) {
    const std::string at = "decoder." + std::to_string(i) + ".";
    weights.decoder.push_back(
        {.self_norm = in.numbers(at + "self_norm", {d}),
         .self_query_key_value = in.matrix(at + "self_query_key_value", 3 * d, d),
         .self_out = in.matrix(at + "self_out", d, d),
         .cross_norm = in.numbers(at + "cross_norm", {d}),
         .cross_query = in.matrix(at + "cross_query", d, d),
         .cross_key_value = in.matrix(at + "cross_key_value", 2 * d, d),
         .cross_out = in.matrix(at + "cross_out", d, d),
         .feed_norm = in.numbers(at + "feed_norm", {d}),
         .up = in.matrix(at + "up", size.ff, d),
         .down = in.matrix(at + "down", d, size.ff)});
  }
  weights.decoder_norm = in.numbers("decoder_norm", {d});
  return weights;
}

template <class Number>
bool read_number(const std::string& text, Number& number, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && at == end;
}

std::string read_size(const TensorFile& file, ModelSize& size) {
  for (const SizeRow& row : kSizes) {
    const auto found = file.metadata.find(row.name);
    if (found == file.metadata.end()) return std::string("it does not say `") + row.name + "`";
    if (!read_number(found->second, size.*row.size) || size.*row.size == 0 ||
        size.*row.size > row.most)
      return std::string("its `") + row.name + "` is no number from 1 to " +
             std::to_string(row.most);
  }
  if (size.d % (size.heads * kPanel) != 0 || size.ff % kPanel != 0 || size.words % kPanel != 0)
    return "its sizes are no multiples of " + std::to_string(kPanel);
  return {};
}

}  // namespace

Result<Model> read_model(const TensorFile& tensors, const std::string& file,
                         const ModelVocabulary& vocabulary) {
  const auto refused = [&](std::string why) {
    return input_problem({.file = file}, "this is no sound model: " + std::move(why),
                         "name another file, or train a model by neural/train/train.py");
  };
  const auto version = tensors.metadata.find("komuz.model");
  if (version == tensors.metadata.end()) return refused("it does not say `komuz.model`");
  if (version->second != "1") return refused("it is of another version of models than 1");
  const auto words = tensors.metadata.find("vocabulary");
  u64 known = 0;
  if (words == tensors.metadata.end() || words->second.size() != 16 ||
      !read_number(words->second, known, 16))
    return refused("it does not say its `vocabulary`");
  if (known != vocabulary.hash)
    return input_problem({.file = file},
                         "this model was trained for other instructions than this Komuz has",
                         "take the model of this version, or train one by neural/train/train.py");
  ModelSize size;
  if (std::string why = read_size(tensors, size); !why.empty()) return refused(std::move(why));
  if (size.words < vocabulary.words || size.types < vocabulary.types)
    return refused("it has fewer words or types than its vocabulary");
  WeightReader in(tensors);
  Weights weights = read_weights(in, size);
  if (std::string why = in.why(); !why.empty()) return refused(std::move(why));
  weights.logits = packed(weights.target.words, size.words, size.d);
  return Model(size, std::move(weights), known, tensors.metadata);
}

Result<Model> read_model_file(const std::string& file, const ModelVocabulary& vocabulary) {
  const Result<TensorFile> tensors = read_safetensors_file(file, kMostModelBytes);
  if (tensors.problem()) return Problem(tensors.problem());
  return read_model(tensors.value(), file, vocabulary);
}

}  // namespace komuz::neural

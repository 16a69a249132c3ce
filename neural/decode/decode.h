// SPDX-License-Identifier: Apache-2.0
// The door of decoding: a program as words goes in, and the model's candidates come out, as words. Each word is one that
// the mask allows (neural/tokens/decoding.h), so all candidates are code that the checker takes. It judges none of them.
//
// Prefixes that several candidates share are computed once, and a prefix that has ended leaves the batch. What comes out
// depends on the model, the program and the options alone: not on the machine.
#pragma once
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/simd_level.h"
#include "neural/model/cuda/model_device.h"
#include "neural/model/model.h"
#include "neural/tokens/decoding.h"
#include "neural/tokens/write_words.h"

namespace komuz::neural {

enum class DecodeMethod : u8 {
#define DECODE_METHOD(Name, spelling, meaning) Name,
#include "neural/decode/methods.def"
};
struct DecodeMethodRow {
  std::string_view spelling, meaning;
};
inline constexpr DecodeMethodRow kDecodeMethods[] = {
#define DECODE_METHOD(Name, spelling, meaning) {spelling, meaning},
#include "neural/decode/methods.def"
};

inline constexpr u32 kMostCandidates = 4096;
// Temperatures between 0 and this are refused where people state them: logits over less leave the range of an f32.
inline constexpr f64 kLeastTemperature = 0.001;

struct DecodeOptions {
  DecodeMethod method = DecodeMethod::Unique;
  u32 count = 16;  // of candidates, from 1 to kMostCandidates
  // Of Unique and Sample. Probabilities are taken to the power of 1 / temperature; at 0 only the most probable word is
  // drawn.
  f64 temperature = 0;
  // Of Sample: words are drawn from the most probable ones that have this share together, in (0, 1].
  f64 nucleus = 1;
  u64 seed = 0;
  SimdLevel level = best_simd_level();
  // Ends it between two words, without candidates; null for none.
  const std::stop_token* stop = nullptr;
};

struct Candidate {
  std::vector<u8> words;    // END last
  f64 log_probability = 0;  // by the model, at temperature 1
  u32 times = 1;            // that it was drawn (Sample); else 1
};

// The candidates of a source that `write_source` wrote: most probable first, those of Sample in the order in which they
// first ended. There may be fewer than asked for, if there are no more. There is none if the line is longer than the
// model's sources, or the model's targets have less than four words. The model knows the words of this version (read_model).
[[nodiscard]] std::vector<Candidate> decode(const Model& model, const Source& source,
                                            const WordLine& line, const DecodeOptions& options);

// The same candidates, with logits that a device calculates. It has been opened for this model. A problem: it failed.
[[nodiscard]] Result<std::vector<Candidate>> decode_on(ModelDevice& device, const Model& model,
                                                       const Source& source, const WordLine& line,
                                                       const DecodeOptions& options);

// The same, with logits from anywhere: `prefixes` has room for options.count rows, and one row without words. The source
// is one that the model takes.
[[nodiscard]] std::vector<Candidate> decode_with(Prefixes& prefixes, const ModelSize& size,
                                                 const Source& source,
                                                 const DecodeOptions& options);

// What models have to know here.
[[nodiscard]] ModelVocabulary model_vocabulary();

}  // namespace komuz::neural

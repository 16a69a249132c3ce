// SPDX-License-Identifier: Apache-2.0
// The corpus: pairs of a window's code as the compiler wrote it and the cheapest code that is known for it, as words. A model
// learns from it (neural/train).
//
//   seed ──gen──▶ program ──front end──▶ code ──windows──▶ source ──teacher──▶ target
//
// Programs are numbered from 0 on, and each is a function of the seed and its number. Pairs come in the order of the
// numbers, so a corpus has the same bytes for any number of threads.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/support/watch.h"
#include "gen/gen.h"
#include "neural/model/model.h"
#include "neural/safetensors/write_safetensors.h"
#include "neural/tokens/word_set.h"
#include "neural/tokens/write_words.h"

namespace komuz::neural {

enum class Teaching : u8 {
  None,    // the target is what the compiler wrote
  Rules,   // rewritten by proved rules: microseconds
  Search,  // what the whole teacher finds: seconds
  Model,   // the cheapest that is proved, of what rules and the model make: some ten milliseconds
};
// The names that users type, in the order of the enumerators.
inline constexpr std::string_view kTeachingNames[] = {"compiler", "rules", "teacher", "model"};

enum class PairClass : u8 { Simple, Medium, Complex };
inline constexpr std::string_view kPairClassNames[] = {"simple", "medium", "complex"};
// By instructions of the source, from 3 on.
[[nodiscard]] constexpr PairClass class_of(u32 instructions) {
  if (instructions < 8) return PairClass::Simple;
  return instructions < 16 ? PairClass::Medium : PairClass::Complex;
}

enum class Split : u8 {
  Train,
  Skeletons,  // one in twenty of those of the training, by skeleton
  Families,   // what the training does not have: splits.h
  Longer,     // more than 64 words
};
inline constexpr std::string_view kSplitNames[] = {"train", "skeletons", "families", "longer"};

struct CorpusOptions {
  u64 count = 100'000, seed = 0;
  u32 least_size = 3, most_size = 48;  // nodes of programs; small ones are as many as large ones
  u32 families = ~0u;                  // bit f: gen::Family f
  u32 variants = 2;                    // of each window at most, the first one included
  Teaching teaching = Teaching::Rules;
  const Model* model = nullptr;  // of Teaching::Model, and of draws
  u32 candidates = 16;           // of the model for each window
  // In place of such targets: what the model draws for each source, so many times, with what each draw was worth
  // (model_targets.h). 0: none.
  u32 draws = 0;
  u32 threads = 0;  // 0: all processors
};

// Columns of pairs: rows of kMostSourceWords or kMostTargetWords.
struct Corpus {
  std::vector<u8> source, source_types, target, target_types;
  std::vector<i32> mask;
  std::vector<WordSet> masks;
  std::vector<u8> classes, families, splits;
  std::vector<f32> advantages;  // of draws; else empty
  std::vector<u64> programs;    // the number of the program that a pair comes from

  // What became of the programs.
  u64 tried = 0;      // programs
  u64 wrong = 0;      // did not compile
  u64 windows = 0;    // were found
  u64 unwritten = 0;  // had no words, or no parameters
  u64 equal = 0;      // sources that there were already
  u64 unsaid = 0;     // targets that have no words: their sources are the targets
  u64 cheaper = 0;    // pairs whose target is another one
  bool is_stopped = false;

  [[nodiscard]] u64 size() const { return classes.size(); }
  [[nodiscard]] std::span<const u8> source_of(u64 pair) const;
  [[nodiscard]] std::span<const u8> target_of(u64 pair) const;
};

// Stops early, with the pairs so far, where the watch says so. A problem: the options have no programs.
[[nodiscard]] Result<Corpus> make_corpus(const CorpusOptions& options, const engine::Watch& watch);

// The text of a program of a corpus.
[[nodiscard]] std::string corpus_program(const CorpusOptions& options, u64 number);

// As a file of tensors, by write_safetensors. The corpus lives longer.
[[nodiscard]] std::vector<WrittenTensor> corpus_tensors(const Corpus& corpus);
[[nodiscard]] std::map<std::string, std::string> corpus_metadata(const Corpus& corpus,
                                                                 const CorpusOptions& options);

}  // namespace komuz::neural

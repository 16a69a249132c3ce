// SPDX-License-Identifier: Apache-2.0
// One program → its pairs.
#pragma once
#include <stop_token>
#include <unordered_set>

#include "base/random.h"
#include "frontend_gpu/frontend.h"
#include "neural/corpus/corpus.h"
#include "neural/teacher/rewrite.h"
#include "neural/tokens/decoding.h"

namespace komuz::neural {

struct Pair {
  WordLine source, target;  // the target's types are those of the cells on top behind each word
  WordSet masks[kMostTargetWords];
  u64 hash = 0;  // of the source
  PairClass size_class = PairClass::Simple;
  gen::Family family = gen::Family::Arithmetic;
  Split split = Split::Train;
  bool is_cheaper = false;  // the target has other code
  bool is_unsaid = false;   // the target has no words: it is the source
  bool is_another = false;  // target of the source before it
  f32 advantage = 0;        // of a draw
};

struct MadePairs {
  std::vector<Pair> pairs;
  u32 wrong = 0, windows = 0, unwritten = 0, equal = 0;
};

// What a program of a corpus is asked to be.
struct ProgramRequest {
  u64 seed = 0;
  gen::Family family = gen::Family::Arithmetic;
  u32 size = 0;
};
[[nodiscard]] ProgramRequest request_of(const CorpusOptions& options, u64 number);

// A workspace for one thread.
class PairMaker {
 public:
  // Both live longer. The stop cuts the teacher's work on a window short.
  PairMaker(const CorpusOptions& options, const std::stop_token& stop)
      : options_(options), stop_(stop) {}
  // Adds to `out`. Programs come in rising order: sources that earlier ones of this maker had are only counted.
  void make(u64 number, MadePairs& out);

 private:
  void add_window(const CodeView& lone, gen::Family family, Random& random, MadePairs& out);
  // Its target, or those that the model draws. False: the mask does not allow the target, and the pair is dropped.
  bool add_pair(const CodeView& lone, const Source& source, const WordLine& line,
                gen::Family family, MadePairs& out);
  // False: there are none.
  bool add_draws(const CodeView& lone, const Source& source, const Pair& pair, MadePairs& out);
  // Follows the target word by word, for its masks and types. False: the mask does not allow it.
  [[nodiscard]] static bool follow(const Source& source, Pair& pair);
  [[nodiscard]] Code cheapest(const CodeView& lone);

  const CorpusOptions& options_;
  const std::stop_token& stop_;
  frontend::Compiler compiler_;
  Rewriter rewriter_;
  CodeChecker checker_;
  frontend::Compilation made_;
  Source source_, varied_source_;
  WordLine line_, varied_;
  std::unordered_set<u64> seen_;  // line_hash of sources
};

}  // namespace komuz::neural

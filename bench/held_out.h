// SPDX-License-Identifier: Apache-2.0
// Held-out programs for what measures models: windows of generated programs, as lone functions.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "frontend_gpu/frontend.h"
#include "neural/corpus/corpus.h"
#include "neural/decode/decode.h"
#include "neural/decode/open_model.h"
#include "neural/tokens/write_words.h"
#include "neural/windows/windows.h"

namespace komuz::neural {

// Pairs with about so many held-out ones in each class.
inline Result<Corpus> held_out_corpus(u32 pairs, u64 seed) {
  CorpusOptions options;
  options.count = u64{pairs} * 300;
  options.seed = seed;
  options.variants = 1;
  return make_corpus(options, engine::Watch());
}

// The window of a program that a pair comes from; false: it was varied.
inline bool find_window(const frontend::Compilation& made, std::span<const u8> source, Code& lone) {
  const CodeView code = made.code.view();
  Source unused;
  WordLine line;
  for (u32 f = 0; f < code.functions.size(); ++f)
    for (const CodeWindow& window : find_code_windows(code, f)) {
      LoneWindow taken = lone_window(code, window);
      if (write_source(taken.code.view(), unused, line) != Unwritten::None) continue;
      if (!std::ranges::equal(line.view(), source)) continue;
      lone = std::move(taken.code);
      return true;
    }
  return false;
}

struct HeldOut {
  u64 seed = 0;  // of held_out_corpus()
  Split split = Split::Skeletons;
  u32 most = 0;  // of each class
};
// Calls act(class, lone function, number), where numbers differ, for the first programs of each class.
template <class Act>
void for_each_held_out(const Corpus& corpus, const HeldOut& which, const Act& act) {
  CorpusOptions options;
  options.seed = which.seed;
  frontend::Compiler compiler;
  frontend::Compilation compilation;
  u32 counts[3] = {};
  for (u64 pair = 0; pair < corpus.size(); ++pair) {
    const u8 kind = corpus.classes[pair];
    if (corpus.splits[pair] != static_cast<u8>(which.split) || counts[kind] == which.most) continue;
    compiler.compile(corpus_program(options, corpus.programs[pair]), compilation);
    Code lone;
    if (!compilation.ok || !find_window(compilation, corpus.source_of(pair), lone)) continue;
    ++counts[kind];
    act(static_cast<PairClass>(kind), lone.view(), which.seed + pair);
  }
}

// For the arguments [PAIRS] [SEED] [MODEL]: calls act(model, corpus, pairs, seed). Without a model: that which comes with Komuz. Gives the
// exit code of main().
template <class Act>
int run_on_held_out(std::span<char* const> words, u32 usual_pairs, const Act& act) {
  const auto number = [&](size_t at, u64 other) {
    return words.size() > at ? std::strtoull(words[at], nullptr, 10) : other;
  };
  const auto pairs = static_cast<u32>(number(1, usual_pairs));
  const u64 seed = number(2, 9'000'000);
  const Result<Model> model =
      words.size() > 3 ? read_model_file(words[3], model_vocabulary()) : find_model("KOMUZ_MODEL");
  if (model.problem()) {
    std::fprintf(stderr, "%s\n", model.problem().text().c_str());
    return 1;
  }
  const Result<Corpus> made = held_out_corpus(pairs, seed);
  if (made.problem()) return 1;
  act(model.value(), made.value(), pairs, seed);
  return 0;
}

}  // namespace komuz::neural

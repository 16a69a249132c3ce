// SPDX-License-Identifier: Apache-2.0
#include "services/results/corpus_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/counts.h"

namespace komuz::services {
namespace {

std::string_view class_name(const neural::Corpus& corpus, u64 pair) {
  return neural::kPairClassNames[corpus.classes[pair]];
}
std::string_view family_name(const neural::Corpus& corpus, u64 pair) {
  return gen::kFamilyNames[corpus.families[pair]];
}
std::string_view split_name(const neural::Corpus& corpus, u64 pair) {
  return neural::kSplitNames[corpus.splits[pair]];
}

template <size_t kCount>
std::string shares(const std::vector<u8>& column, const std::string_view (&names)[kCount]) {
  std::string text;
  for (size_t k = 0; k < kCount; ++k) {
    const auto count = static_cast<u64>(std::ranges::count(column, static_cast<u8>(k)));
    text += (k == 0 ? "" : ", ") + grouped(count) + " " + std::string(names[k]);
  }
  return text;
}
template <size_t kCount>
nlohmann::ordered_json counts(const std::vector<u8>& column,
                              const std::string_view (&names)[kCount]) {
  nlohmann::ordered_json out;
  for (size_t k = 0; k < kCount; ++k)
    out[std::string(names[k])] = std::ranges::count(column, static_cast<u8>(k));
  return out;
}

}  // namespace

std::string pair_text(const neural::Corpus& corpus, const neural::CorpusOptions& options,
                      u64 pair) {
  std::string text = "// " + std::string(class_name(corpus, pair)) + ", " +
                     std::string(family_name(corpus, pair)) + ", " +
                     std::string(split_name(corpus, pair)) + "\n";
  text += neural::corpus_program(options, corpus.programs[pair]);
  text += "source  " + neural::words_text(corpus.source_of(pair)) + "\n";
  text += "target  " + neural::words_text(corpus.target_of(pair)) + "\n";
  if (!corpus.advantages.empty()) {
    char advantage[32];
    std::snprintf(advantage, sizeof advantage, "%+.6f", static_cast<f64>(corpus.advantages[pair]));
    text += "advantage " + std::string(advantage) + "\n";
  }
  return text + "\n";
}

nlohmann::ordered_json pair_json(const neural::Corpus& corpus, const neural::CorpusOptions& options,
                                 u64 pair) {
  nlohmann::ordered_json out = {{"program", neural::corpus_program(options, corpus.programs[pair])},
                                {"source", neural::words_text(corpus.source_of(pair))},
                                {"target", neural::words_text(corpus.target_of(pair))},
                                {"class", class_name(corpus, pair)},
                                {"family", family_name(corpus, pair)},
                                {"split", split_name(corpus, pair)}};
  if (!corpus.advantages.empty()) out["advantage"] = corpus.advantages[pair];
  return out;
}

std::string corpus_text(const neural::Corpus& corpus) {
  std::string text = counted(corpus.size(), "pair") + " of " + counted(corpus.tried, "program") +
                     ": " + grouped(corpus.cheaper) + " with other code as target\n";
  text += "classes   " + shares(corpus.classes, neural::kPairClassNames) + "\n";
  text += "families  " + shares(corpus.families, gen::kFamilyNames) + "\n";
  text += "splits    " + shares(corpus.splits, neural::kSplitNames) + "\n";
  text += "left out  " + grouped(corpus.equal) + " that were there already, " +
          grouped(corpus.unwritten) + " without words or parameters\n";
  return text;
}

nlohmann::ordered_json corpus_json(const neural::Corpus& corpus) {
  return {{"pairs", corpus.size()},
          {"programs", corpus.tried},
          {"cheaper", corpus.cheaper},
          {"class", counts(corpus.classes, neural::kPairClassNames)},
          {"family", counts(corpus.families, gen::kFamilyNames)},
          {"split", counts(corpus.splits, neural::kSplitNames)},
          {"equal", corpus.equal},
          {"unwritten", corpus.unwritten},
          {"unsaid", corpus.unsaid},
          {"wrong", corpus.wrong}};
}

}  // namespace komuz::services

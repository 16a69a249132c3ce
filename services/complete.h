// SPDX-License-Identifier: Apache-2.0
// What may stand at a place, the likeliest first: names that are seen there, what a value has behind a `.`, words of the
// language. A source text and a place in, words out.
#pragma once
#include "services/symbols.h"

namespace komuz::services {

struct Completion {
  std::string text;  // to be put in the place of the word
  NameKind kind = NameKind::Keyword;
  std::string signature, type;  // as SymbolText has them
  std::string text_line;        // the first sentence of what there is to say
  std::string comment = {};     // all of it
};
struct Completions {
  u32 begin = 0, end = 0;  // the word around the place; empty: none is begun
  std::string expected;    // the type that the place wants; empty: nobody knows
  // Is it a place for something in particular, though no word is begun: a member, a type, what stands behind a bracket?
  bool is_specific = false;
  std::vector<Completion> list;
};
// Compiles the text with a name in the place of the word, in columns of its own: the answers of the analysis stay.
[[nodiscard]] Completions complete(Analysis& analysis, u32 place);

}  // namespace komuz::services

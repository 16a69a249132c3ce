// SPDX-License-Identifier: Apache-2.0
// The words that may stand at a place, the likeliest first: visible names, members behind a `.`, words of the
// language. A source text and a place in, words out.
#pragma once
#include "services/symbols.h"

namespace komuz::services {

struct Completion {
  std::string text;  // to be put in place of the word
  NameKind kind = NameKind::Keyword;
  std::string signature, type;  // as SymbolText has them
  std::string text_line;        // the first sentence of its documentation
  std::string comment = {};     // all of it
};
struct Completions {
  u32 begin = 0, end = 0;  // the word around the place; empty: no word has begun
  std::string expected;    // the type that the place wants; empty: unknown
  // True if the place demands something particular although no word has begun: a member, a type, or content of
  // brackets.
  bool is_specific = false;
  std::vector<Completion> list;
};
// Compiles the text with a name in place of the word, in columns of its own: the analysis itself is unchanged.
[[nodiscard]] Completions complete(Analysis& analysis, u32 place);

}  // namespace komuz::services

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
  bool takes_values = false;  // any value may stand there that the text knows by its name
  bool takes_types = false;   // … any type
  bool is_member =
      false;  // a value and a `.` stand before it: the first argument of what is called there
  bool is_listed = false;  // between the braces of a `use`: nothing is called there
  // The module before the place, `std.math.` or `math.`, that no `use` brings; empty: there is none. Bytes of the text from where it is
  // spelled to its last name, which is what a `use` would make of it.
  std::string missing_module;
  u32 missing_begin = 0, missing_end = 0;
  std::vector<Completion> list;
};
// Compiles the text with a name in place of the word, in columns of its own: the analysis itself is unchanged.
[[nodiscard]] Completions complete(Analysis& analysis, u32 place);

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// A place that waits for a word: the beginning of the word there, and the front end's analysis of the text with a
// name in its place.
#pragma once
#include "services/analysis.h"

namespace komuz::services {

struct WordAt {
  bool is_open = false;    // a word may stand there: not in a comment, a string or a number
  bool is_hole = false;    // … behind a `?`
  u32 begin = 0, end = 0;  // bytes of the program
  std::string prefix;      // the part of it before the place
};
[[nodiscard]] WordAt word_at(const Analysis& analysis, u32 byte);

// The missing parts of an unfinished line: right behind the word, and behind the last word of the line.
struct LineRest {
  std::string_view behind_word, at_end;
};
// Lets `question` read the text with `name` in place of the word. Brackets that were opened before it on its line are
// closed.
void read_with_name(const Analysis& analysis, const WordAt& word, std::string_view name,
                    Analysis& question, LineRest rest = {});
// For a line that ends in the middle of a declaration: reads it with additions that make the name a type, or a length
// in a type. False: none does.
[[nodiscard]] bool read_as_type(const Analysis& analysis, const WordAt& word, std::string_view name,
                                Analysis& question);
// The same for an arm of a `match` that has no value so far. False: the name is no pattern there.
[[nodiscard]] bool read_as_pattern(const Analysis& analysis, const WordAt& word,
                                   std::string_view name, Analysis& question);
// True if the word's node is in such a place.
[[nodiscard]] bool is_in_type(const Analysis& question, u32 byte);

}  // namespace komuz::services

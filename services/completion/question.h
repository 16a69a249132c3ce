// SPDX-License-Identifier: Apache-2.0
// A place that waits for a word: the word that is begun there, and what the front end makes of the text with a name in its
// place.
#pragma once
#include "services/analysis.h"

namespace komuz::services {

struct WordAt {
  bool is_open = false;    // may a word stand there? Not in a comment, a string or a number
  u32 begin = 0, end = 0;  // bytes of the program
  std::string prefix;      // what of it stands before the place
};
[[nodiscard]] WordAt word_at(const Analysis& analysis, u32 byte);

// What a line that is still being written lacks: right behind the word, and behind the last word of the line.
struct LineRest {
  std::string_view behind_word, at_end;
};
// Has the text read with `name` in the place of the word, and the brackets closed that were opened before it on its line.
void read_with_name(const Analysis& analysis, const WordAt& word, std::string_view name,
                    Analysis& question, LineRest rest = {});
// Of a line that ends in the middle of a declaration: reads it with what makes the name stand in the place of a type, or of a
// length in one. False: nothing does.
[[nodiscard]] bool read_as_type(const Analysis& analysis, const WordAt& word, std::string_view name,
                                Analysis& question);
// Is that the place of the word's node?
[[nodiscard]] bool is_in_type(const Analysis& question, u32 byte);

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// An editor's questions to whoever knows the language. An empty function is not asked.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/layout.h"

namespace komuz::editor {

struct Openness {
  bool is_open = false;  // the text needs more lines
  size_t indent = 0;     // blanks at the start of the next line
};

struct Candidate {
  std::string text;
  std::string detail;  // its description; may be empty
};
// The candidates for [begin, end).
struct Completion {
  size_t begin = 0, end = 0;
  std::vector<Candidate> candidates;
};

// One line about the text, and the part of it that the line is about.
struct Description {
  StyledLine line;
  size_t mark_begin = 0, mark_end = 0;
};

struct Assistance {
  std::function<Spans(std::string_view text)> highlight;
  std::function<Openness(std::string_view text)> openness;
  std::function<Completion(std::string_view text, size_t cursor)> complete;
  // May take longer than a key: asked when the keys pause.
  std::function<Description(std::string_view text)> describe;
};

}  // namespace komuz::editor

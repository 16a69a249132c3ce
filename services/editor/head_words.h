// SPDX-License-Identifier: Apache-2.0
// What may be written in the head of a text, at a byte of a `//!` line: a key, or a word of the value that stands behind one.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

struct HeadWord {
  std::string text;  // `cases: `
  std::string what;  // a phrase
};
// A file is named there. Which ones there are is known to whoever has the files.
struct HeadFiles {
  std::string folder;  // what is written of its path: empty, or with a `/` at its end
  std::string blank;   // goes before the name, where none stands there
  std::vector<std::string_view> endings;  // of the files that are meant
  std::string_view what;                  // a phrase
};
struct HeadWords {
  u32 begin = 0, end = 0;  // bytes that a word, or the last name of a path, takes the place of
  std::vector<HeadWord> list;
  std::optional<HeadFiles> files;
};

// None: no such line of the head is there. Keys that the head has elsewhere are left out.
[[nodiscard]] std::optional<HeadWords> list_head_words(std::string_view text, u32 byte);

}  // namespace komuz::services

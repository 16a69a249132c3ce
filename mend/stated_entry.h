// SPDX-License-Identifier: Apache-2.0
// A program whose entry has a signature that is stated elsewhere: by an option, or by the harness of which it is a candidate.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class EntryName : u8 {
  Any,     // an entry is found by what it takes
  Stated,  // … by its name
};
struct StatedEntry {
  std::string text;
  std::string message;  // what was done
  u32 line = 1;         // … there
};

// What a text that has errors becomes, where that is certain: its only function, perhaps in the words of another language,
// gets the types of `signature`, `pub fn f(x: f64) -> f64`, and its name where that counts; an expression, a lambda or the
// statements of a body become the body of a function. Nothing where there are other items, or it has been done.
[[nodiscard]] std::optional<StatedEntry> with_stated_entry(std::string_view source,
                                                           std::string_view signature,
                                                           EntryName name);

}  // namespace komuz

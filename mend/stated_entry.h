// SPDX-License-Identifier: Apache-2.0
// A program whose entry has a signature that is stated elsewhere: by an option, or by the harness of a candidate.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class EntryName : u8 {
  Any,     // an entry is found by its parameters
  Stated,  // an entry is found by its name
};
struct StatedEntry {
  std::string text;
  std::string message;  // the change that was made
  u32 line = 1;         // its line in the text
};

// Mends a text with errors, if the intention is certain: its only function, perhaps in another language's form, gets
// the types of `signature`, `pub fn f(x: f64) -> f64`, and its name if that matters; an expression, a lambda or the
// statements of a body become the body of a function. Nothing if there are other items, or if this has been done.
[[nodiscard]] std::optional<StatedEntry> with_stated_entry(std::string_view source,
                                                           std::string_view signature,
                                                           EntryName name);

}  // namespace komuz

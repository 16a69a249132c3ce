// SPDX-License-Identifier: Apache-2.0
// The meanings of keys (bindings.def).
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::editor {

enum class Action : u8 {
  None,    // the keys have no meaning
  Prefix,  // the start of a sequence of keys
#define BINDING(Name, keys, summary) Name,
#include "repl/editor/bindings.def"
#undef BINDING
};

// For keys in sequence, separated by blanks.
[[nodiscard]] Action action_of(std::string_view keys);

// A line for each action.
[[nodiscard]] std::string bindings_text();

}  // namespace komuz::editor

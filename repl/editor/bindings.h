// SPDX-License-Identifier: Apache-2.0
// What keys do (bindings.def).
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::editor {

enum class Action : u8 {
  None,    // the keys mean nothing
  Prefix,  // the start of several keys that mean something
#define BINDING(Name, keys, summary) Name,
#include "repl/editor/bindings.def"
#undef BINDING
};

// Of keys in turn, set apart by blanks.
[[nodiscard]] Action action_of(std::string_view keys);

// A line for each action.
[[nodiscard]] std::string bindings_text();

}  // namespace komuz::editor

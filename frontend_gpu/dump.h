// SPDX-License-Identifier: Apache-2.0
// Prints for people what each phase makes of a source: one line a token or node.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::frontend {

enum class DumpPhase : u8 {
  Tokens,  // place, kind, text
  Tree,    // nodes in source order, indented by their place in the tree
  Names,   // bindings with what they bind, uses with their bindings
  Types,   // the tree with the type of each node
};

// Compiles `source` and prints what the phase left, even if there are errors.
[[nodiscard]] std::string dump(Compiler& compiler, std::string_view source, DumpPhase phase);

}  // namespace komuz::frontend

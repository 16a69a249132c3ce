// SPDX-License-Identifier: Apache-2.0
// Literals outside of a program: an argument on a command line, a cell of a table. They are read by the functions
// that read the literals of a program, so a value is spelt in one way everywhere.
#pragma once
#include <string_view>

#include "lang/types.h"

namespace komuz::frontend {

enum class LiteralFault : u8 { None, NoLiteral, OutOfRange };
struct LiteralText {
  u64 cell = 0;  // canonical
  LiteralFault fault = LiteralFault::NoLiteral;
};

// The whole text must be a literal, with or without `-` before it: 0xFF, 1_000, -2.5e3, 'a'. As a float, 2 is 2.0.
// A character is a u8. `true` and `false` are words, not literals.
[[nodiscard]] LiteralText read_literal(std::string_view text, Scalar type);

}  // namespace komuz::frontend

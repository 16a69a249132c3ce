// SPDX-License-Identifier: Apache-2.0
// Code as text and back. docs/bytecode.md describes the text.
//
//   pub fn larger(a: i64, b: i64) -> i64 place=7
//     slots i64 i64
//        0  LOAD_VAR i64 0        @25
//        …
//   else:
//        6  LOAD_VAR i64 1        @47
#pragma once
#include <string>
#include <string_view>

#include "lang/code.h"

namespace komuz {

struct AssemblyError {
  u32 line = 0;  // from 1; 0: no error
  std::string reason;
  explicit operator bool() const { return line != 0; }
};

// Requires code that check_code accepts. Assembling the text gives the code back byte for byte, but for the fields of
// functions that the checker sets, which the text does not have.
[[nodiscard]] std::string disassemble(const CodeView& code);

// Any text; what it gives has not been checked, and what the checker sets is 0. On an error `out` is unspecified.
[[nodiscard]] AssemblyError assemble(std::string_view text, Code& out);

}  // namespace komuz

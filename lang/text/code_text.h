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

// Requires code that check_code accepts. Assembling the text gives the code back byte for byte, except the fields
// that the checker sets, which the text lacks.
[[nodiscard]] std::string disassemble(const CodeView& code);

// Takes any text. The result has not been checked, and the fields that the checker sets are 0. After an error `out`
// is unspecified.
[[nodiscard]] AssemblyError assemble(std::string_view text, Code& out);

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// The content of an instruction's fields, by form, in the order of the text of code; and the text's words for
// functions.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "lang/code.h"

namespace komuz {

enum class CodeField : u8 {
  Type,         // field `type`
  NumberA,      // a
  TypeA,        // a, as a scalar type
  TrapA,        // a, as a trap
  NumberB,      // b
  ConstantB,    // b, as an index of a constant: #0
  TargetB,      // b, as an instruction of the function: ->0
  HighAndLowB,  // b, as two numbers of 16 bits, the high one first
  LowAndHighB,  // likewise, the low one first
};

[[nodiscard]] std::span<const CodeField> code_fields(OpForm form);

// The first word of a header ("fn", "test", …), and the kind that a word stands for.
[[nodiscard]] std::string_view function_word(FunctionKind kind);
[[nodiscard]] std::optional<FunctionKind> function_kind(std::string_view word);

}  // namespace komuz

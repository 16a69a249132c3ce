// SPDX-License-Identifier: Apache-2.0
// A formula as tokens, which readers of all formats make and the one parser reads.
#pragma once
#include <string>
#include <vector>

#include "base/problem.h"
#include "services/import/formats.h"

namespace komuz::services {

enum class FormulaTokenKind : u8 {
  Number,
  Name,
  Operator,
  Open,
  Close,
  Comma,
};

struct FormulaToken {
  FormulaTokenKind kind = FormulaTokenKind::Name;
  // Of the line, from 0: where it is said to stand.
  u32 at = 0;
  // Of a number: its text, as C writes it. Of a name: without the module that it is taken from. Of others: their spelling.
  std::string text;
  // Of an operator that stands behind an operand, and of one before an operand; null: it cannot stand there.
  const OperatorRow *infix = nullptr, *prefix = nullptr, *postfix = nullptr;
  // Of a name: a function's, whose arguments follow in brackets.
  bool is_call = false;
};

struct FormulaLine {
  std::string_view text;
  std::string_view file;
  u64 line = 0;
  u32 indent = 0;  // bytes of the file's line that stand before the text

  [[nodiscard]] InputPlace place(size_t at) const {
    return {std::string(file), line, u64{indent} + at + 1};
  }
};

// Operands side by side have no operator between them: the parser knows whether they multiply.
struct FormulaTokens {
  std::vector<FormulaToken> tokens;
  std::vector<std::string> parameters;  // those that the formula itself declares: `lambda x, y: …`
  bool has_parameters = false;
  u32 end = 0;  // of the formula in its line
};

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// What a failed assertion compared, as text.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "vm/explain_assertion.h"

namespace komuz::engine {

// The operands of a failed assertion and what stood between them: "2", "==", "3".
struct ComparedText {
  std::string left;
  std::string_view op;
  std::string right;

  // "2 == 3"
  [[nodiscard]] std::string whole() const { return left + " " + std::string(op) + " " + right; }
};
[[nodiscard]] std::optional<ComparedText> compared_text(
    const std::optional<vm::Comparison>& compared);

}  // namespace komuz::engine

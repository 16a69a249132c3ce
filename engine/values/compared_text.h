// SPDX-License-Identifier: Apache-2.0
// The operands that a failed assertion compared, as text.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frontend_gpu/asserted.h"
#include "vm/explain_assertion.h"

namespace komuz::engine {

// The operands of a failed assertion, and the operator between them: "2", "==", "3".
struct ComparedText {
  std::string left;
  std::string_view op;
  std::string right;

  // "2 == 3"; for long values the parts around their first difference: "…7, 8, 9] == …7, 8, 10]".
  [[nodiscard]] std::string brief() const;
};
// `place`: the assertion's. `asserted`: its program's, for values of several cells (frontend::list_asserted).
[[nodiscard]] std::optional<ComparedText> compared_text(
    const std::optional<vm::Comparison>& compared, u32 place = 0,
    std::span<const frontend::AssertedComparison> asserted = {});

}  // namespace komuz::engine

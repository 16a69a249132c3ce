// SPDX-License-Identifier: Apache-2.0
// What makes one text of another: an edit of the lines between those that both begin and end with.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz::lsp {

// Nothing: they are equal.
[[nodiscard]] std::optional<Edit> line_edit(std::string_view before, std::string_view after);

}  // namespace komuz::lsp

// SPDX-License-Identifier: Apache-2.0
// Puts an indented block of Python, behind a `:`, into braces.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// The block is the rest of the line or, if that is empty, the lines below that are indented more than this one. None:
// there is no block, or more than one on the line, except for `if c: a else: b`.
[[nodiscard]] std::optional<Edit> put_into_braces(std::string_view source, u32 colon);

}  // namespace komuz

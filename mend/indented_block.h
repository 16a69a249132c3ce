// SPDX-License-Identifier: Apache-2.0
// A block as Python writes it, behind a `:`, put into braces.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// The block is the rest of the line or, where nothing stands there, the lines below that are indented more than this one.
// None: there is no block, or more than one on the line, other than those of `if c: a else: b`.
[[nodiscard]] std::optional<Edit> put_into_braces(std::string_view source, u32 colon);

}  // namespace komuz

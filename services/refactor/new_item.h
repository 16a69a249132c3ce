// SPDX-License-Identifier: Apache-2.0
// Items that refactorings write beside those of the text.
#pragma once
#include <optional>
#include <string>

#include "services/analysis.h"
#include "services/items.h"

namespace komuz::services {

// The item around a byte, with the comments above it; nothing: there is none.
[[nodiscard]] std::optional<TextItem> item_around(const Analysis& analysis, u32 byte);
// As the formatter writes it, without a line end: what is moved was indented for another place.
[[nodiscard]] std::string formatted_item(const std::string& item);

}  // namespace komuz::services

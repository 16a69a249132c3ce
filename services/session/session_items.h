// SPDX-License-Identifier: Apache-2.0
// What a text of an editor has from a session: items that are compiled behind it, so that every place of the text stays what it is.
//
//   pub fn both(x: f64) -> f64 { half(x) + half(x) }      the text
//   fn half(x: f64) -> f64 { x / 2.0 }                    what the session has defined
//
// An item of the session whose name the text defines itself, or imports, is not there: the text goes first, as an input of the session
// takes the place of an earlier one.
#pragma once
#include <string>
#include <string_view>

#include "services/session/definitions.h"

namespace komuz::services {

enum class SessionItems : u8 {
  Named,  // those that the text names, and those that these name; their examples are comments
  All,    // of a session of more than kMostItemBytes those that are named
};
inline constexpr size_t kMostItemBytes = size_t{256} << 10;

// Functions are not public there, so that those of the text stay the only entries; places in a definition are those of its text. The
// parts are valid as long as the definitions. Empty: the text needs nothing.
[[nodiscard]] DefinitionText items_behind(std::string_view text, const Definitions& session,
                                          SessionItems which);
// The text with items behind it, from its size + 1 on.
[[nodiscard]] std::string with_items(std::string_view text, std::string_view items);
// True if some of the items are sketches: a text that names one cannot be ranked.
[[nodiscard]] bool has_holes(std::string_view items);

}  // namespace komuz::services

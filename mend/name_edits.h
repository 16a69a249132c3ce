// SPDX-License-Identifier: Apache-2.0
// Edits that replace a name or a path of another language by a name of this one.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/aliases.h"
#include "mend/mend.h"

namespace komuz {

[[nodiscard]] bool is_scalar_name(std::string_view name);
// The Komuz name of another language's type; otherwise the word itself.
[[nodiscard]] std::string komuz_type(std::string_view word);

// own_function_place: where the program's own function with that name is; the source's size if there is none.
// has_function: true if the program has a function of that name, its own or one that a `use` names.
[[nodiscard]] u32 own_function_place(std::string_view name, std::string_view source);
[[nodiscard]] bool has_function(std::string_view name, std::string_view source);

// For the word in bytes [begin, end). Nothing if the intended text is not certain. `row`: the word's row; nullptr if
// there is none
[[nodiscard]] std::optional<Edit> alias_edit(const AliasRow* row, u32 begin, u32 end,
                                             std::string_view source);
// True if `round` behind another language's path, `std::` or `Math`, rounds halves away from 0 or up, and not to even
// numbers.
[[nodiscard]] bool rounds_halves_otherwise(std::string_view path, std::string_view name);
// For a called word: `xs.length` to `xs.len()`, `xs.length()` to `xs.len()`
[[nodiscard]] std::optional<Edit> function_alias_edit(u32 begin, u32 end, std::string_view source);
// For a word before a dot: `math.sqrt` to `sqrt`, if that exists
[[nodiscard]] std::optional<Edit> prefix_edit(u32 begin, u32 end, std::string_view source);
// For the path there, up to the name behind it: `f64::sqrt` to `sqrt`, `i64::MAX` to `I64_MAX`, `f64::from` to `f64`,
// `math::lerp` to `math.lerp`, `Color::Red` to `Red`. Nothing if the name alone is unknown: `f64::RADIX`.
[[nodiscard]] std::optional<Edit> path_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz

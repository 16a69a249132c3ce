// SPDX-License-Identifier: Apache-2.0
// Edits that put a name of this language in the place of one, or of a path, of another.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/aliases.h"
#include "mend/mend.h"

namespace komuz {

[[nodiscard]] bool is_scalar_name(std::string_view name);
// What another language calls a type, as this one does; else the word itself.
[[nodiscard]] std::string komuz_type(std::string_view word);

// Does the program have a function of that name, its own or one that a `use` names?
// Where a function of the program's own, and not of a module, has its name; the source's size: there is none.
[[nodiscard]] u32 own_function_place(std::string_view name, std::string_view source);
[[nodiscard]] bool has_function(std::string_view name, std::string_view source);

// Of the word in bytes [begin, end). Nothing where no one text is certainly meant.
// … that `row` speaks of, nullptr: no row does
[[nodiscard]] std::optional<Edit> alias_edit(const AliasRow* row, u32 begin, u32 end,
                                             std::string_view source);
// Does `round` behind a path of another language, `std::`, `Math`, take halves away from 0 or up, and not to even
// numbers?
[[nodiscard]] bool rounds_halves_otherwise(std::string_view path, std::string_view name);
// … that is called: `xs.length` to `xs.len()`, `xs.length()` to `xs.len()`
[[nodiscard]] std::optional<Edit> function_alias_edit(u32 begin, u32 end, std::string_view source);
// … that stands before a dot: `math.sqrt` to `sqrt`, where there is one
[[nodiscard]] std::optional<Edit> prefix_edit(u32 begin, u32 end, std::string_view source);
// Of the path there, up to the name behind it: `f64::sqrt` to `sqrt`, `i64::MAX` to `I64_MAX`, `f64::from` to `f64`,
// `math::lerp` to `math.lerp`, `Color::Red` to `Red`. Nothing where the name alone is none that is known: `f64::RADIX`.
[[nodiscard]] std::optional<Edit> path_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz

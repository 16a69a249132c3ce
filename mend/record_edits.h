// SPDX-License-Identifier: Apache-2.0
// Rewrites other languages' uses of records and sums: fields by a text, parts by a tuple, constructors as functions,
// alternatives in small letters. The fields are read from the text of their type item.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `weight` for the `["weight"]` whose bracket is at a byte; empty if there is no such text.
[[nodiscard]] std::string_view field_of_index(u32 bracket, std::string_view source);
// `job["weight"]` for a record of that type to `job.weight`, given the bracket
[[nodiscard]] std::optional<Edit> field_edit(u32 bracket, std::string_view type,
                                             std::string_view source);
// `(w, d)`, at a byte, as the pattern of a record of that type to `Job(w, d)`. Nothing if names of its fields are in
// another order.
[[nodiscard]] std::optional<Edit> record_pattern_edit(u32 begin, std::string_view pattern,
                                                      std::string_view type,
                                                      std::string_view source);
// The same in full; if that is not possible, the type's own fields in order, `Job(weight, due)`.
[[nodiscard]] std::string record_pattern(u32 begin, std::string_view pattern, std::string_view type,
                                         std::string_view source);
// `x => V(x)`, `(a, b) => V(a, b)` for the constructor in bytes [begin, end) that is the argument of `map`
[[nodiscard]] std::optional<Edit> constructor_lambda(u32 begin, u32 end, std::string_view source);
// `Blue` for the `blue` in bytes [begin, end), a pattern of a `match`. Nothing if it is used as a name.
[[nodiscard]] std::optional<Edit> capital_edit(u32 begin, u32 end, std::string_view constructor,
                                               std::string_view source);

}  // namespace komuz

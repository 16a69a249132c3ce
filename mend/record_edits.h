// SPDX-License-Identifier: Apache-2.0
// Records and sums that are used as other languages use theirs: fields by a text, parts by a tuple, constructors as functions,
// alternatives in small letters. What their fields are is read from the text of their type item.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `weight` of the `["weight"]` whose bracket stands at a byte; empty: there is no such text.
[[nodiscard]] std::string_view field_of_index(u32 bracket, std::string_view source);
// `job["weight"]` of a record of that type to `job.weight`, of the bracket
[[nodiscard]] std::optional<Edit> field_edit(u32 bracket, std::string_view type,
                                             std::string_view source);
// `(w, d)`, at a byte, as the pattern of a record of that type to `Job(w, d)`. Nothing where names of its fields stand in
// another order.
[[nodiscard]] std::optional<Edit> record_pattern_edit(u32 begin, std::string_view pattern,
                                                      std::string_view type,
                                                      std::string_view source);
// The same in full: where it is none, the type's own fields in their order, `Job(weight, due)`.
[[nodiscard]] std::string record_pattern(u32 begin, std::string_view pattern, std::string_view type,
                                         std::string_view source);
// `x => V(x)`, `(a, b) => V(a, b)` for the constructor in bytes [begin, end) that `map` is given
[[nodiscard]] std::optional<Edit> constructor_lambda(u32 begin, u32 end, std::string_view source);
// `Blue` for the `blue` in bytes [begin, end) that a `match` has as a pattern. Nothing where that is used as a name.
[[nodiscard]] std::optional<Edit> capital_edit(u32 begin, u32 end, std::string_view constructor,
                                               std::string_view source);

}  // namespace komuz

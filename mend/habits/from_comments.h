// SPDX-License-Identifier: Apache-2.0
// Rewrites comments and attributes of other languages. Each function gets the place of one outside of strings, and
// returns nothing if the intended text is not certain.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `# half of it` to `// half of it`. `/* half of it */` and `"""half of it"""` to the same at the end of a line, and
// to nothing before more code.
[[nodiscard]] std::optional<Edit> comment_edit(u32 begin, std::string_view source);
// Removes the line of `#[inline]` or `@njit(parallel=True)`.
[[nodiscard]] std::optional<Edit> attribute_edit(u32 begin, std::string_view source);

// Makes one line of the two that an example has elsewhere, a value below its expression: `half(4.0)` and `2.0` to `half(4.0) == 2.0`.
// `begin`, `end`: the expression.
[[nodiscard]] std::optional<Edit> example_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz

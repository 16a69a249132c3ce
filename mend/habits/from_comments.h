// SPDX-License-Identifier: Apache-2.0
// Comments and attributes of other languages. Each function is given the place of one, outside of strings, and gives nothing
// where no one text is certainly meant.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `# half of it` to `// half of it`; `/* half of it */` and `"""half of it"""` to the same at the end of a line, and to nothing before more code.
[[nodiscard]] std::optional<Edit> comment_edit(u32 begin, std::string_view source);
// `#[inline]`, `@njit(parallel=True)` on a line of its own: the line.
[[nodiscard]] std::optional<Edit> attribute_edit(u32 begin, std::string_view source);

}  // namespace komuz

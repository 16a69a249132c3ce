// SPDX-License-Identifier: Apache-2.0
// Native code of a program as assembly, each function behind its source.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "lang/code.h"
#include "services/items.h"

namespace komuz::services {

// What this processor would run for `function` and all that it calls. `items` are those of `source`, the program's
// text. The problem says why there is no native code.
[[nodiscard]] Result<std::string> native_listing(const CodeView& code, u32 function,
                                                 std::string_view source,
                                                 std::span<const TextItem> items);

}  // namespace komuz::services

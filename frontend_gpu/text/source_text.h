// SPDX-License-Identifier: Apache-2.0
// Checks what a source must be before it is lexed: UTF-8 text of bounded size, with lines of bounded length.
#pragma once
#include <string_view>

#include "lang/diagnostics.h"

namespace komuz::frontend {

inline constexpr size_t kMaxSourceBytes = 16u << 20;
inline constexpr size_t kMaxLineBytes = 64u << 10;

// The first thing that is wrong, or a diagnostic with code None.
[[nodiscard]] Diagnostic check_text(std::string_view source);

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace komuz::cli {

// Of the project in CMakeLists.txt.
inline constexpr std::string_view kVersion = KOMUZ_VERSION;

}  // namespace komuz::cli

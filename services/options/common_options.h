// SPDX-License-Identifier: Apache-2.0
// Options of nearly all commands that take long.
#pragma once
#include "services/options/args.h"

namespace komuz::services {

inline constexpr OptionRow kProgressOption = {
    "progress", "TIME",
    "off a terminal: print a line of progress every TIME, such as 500ms, 10s, 2m or 1h"};
inline constexpr OptionRow kMemoryOption = {
    "memory", "SIZE",
    "end in good order at this limit: bytes, or 800M, 4G (K, M, G, T); default: what there is"};

}  // namespace komuz::services

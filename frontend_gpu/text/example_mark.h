// SPDX-License-Identifier: Apache-2.0
// The two spellings of the start of a doc example (doc_examples.h): in a source, and as the passes see it.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz::frontend {

inline constexpr std::string_view kExampleComment = "/// >>>";
inline constexpr u8 kExampleMark = 0;

}  // namespace komuz::frontend

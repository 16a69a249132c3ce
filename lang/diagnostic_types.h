// SPDX-License-Identifier: Apache-2.0
// Reads the type in a diagnostic (frontend_gpu/questions/type_brief.h), for messages and edits.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

// First argument of UnknownModule: it is a harness, or the harness at the second argument is meant.
inline constexpr u32 kOfHarness = 1;
// The same: it belongs to the library of another language.
inline constexpr u32 kOfOtherLanguage = 2;

// First argument of UnknownFunction: a conversion of numbers gets a text.
inline constexpr u32 kTextGiven = ~0u;
// The same: the first argument of the unknown function is an integer.
inline constexpr u32 kIntegerGiven = ~0u - 2;

// First argument of PrefixAfterTighter: the word stands in the head of another one, whose block it takes for its own.
inline constexpr u32 kOfHead = 1;

// True if it is an array, a list or an Option, as the type of a value and not as the program spells it.
// is_of_unknown: its content is also unknown.
[[nodiscard]] constexpr bool is_container_brief(u32 packed) { return packed >> 28 == 0xD; }
[[nodiscard]] constexpr bool is_of_unknown(u32 packed) {
  return is_container_brief(packed) && (packed >> 20 & 0xF) == 0xF;
}

// The type in a program's spelling; empty if no program can spell it.
[[nodiscard]] std::string type_text(u32 packed, std::string_view source);
// The capacity of a list, in the spelling of its type.
[[nodiscard]] std::string capacity_of_type(u32 packed, std::string_view source);

}  // namespace komuz

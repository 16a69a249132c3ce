// SPDX-License-Identifier: Apache-2.0
// What messages and edits read from a type that a diagnostic holds (frontend_gpu/questions/type_brief.h).
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

// As the first argument of UnknownModule: it is a harness, or the one at the second argument is meant.
inline constexpr u32 kOfHarness = 1;
// … it is one of the library of another language.
inline constexpr u32 kOfOtherLanguage = 2;

// As the first argument of UnknownFunction: what converts numbers gets a text.
inline constexpr u32 kTextGiven = ~0u;
// The first argument of a function that there is not is an integer.
inline constexpr u32 kIntegerGiven = ~0u - 2;

// As the first argument of PrefixAfterTighter: the word stands in the head of another one, whose block it takes for its own.
inline constexpr u32 kOfHead = 1;

// Is it an array, a list or an Option, as a value has it, not as the program spells it? … of which nobody knows what it holds?
[[nodiscard]] constexpr bool is_container_brief(u32 packed) { return packed >> 28 == 0xD; }
[[nodiscard]] constexpr bool is_of_unknown(u32 packed) {
  return is_container_brief(packed) && (packed >> 20 & 0xF) == 0xF;
}

// As a program writes it; empty: no program can.
[[nodiscard]] std::string type_text(u32 packed, std::string_view source);
// How many elements a list may have, as its type spells it.
[[nodiscard]] std::string capacity_of_type(u32 packed, std::string_view source);

}  // namespace komuz

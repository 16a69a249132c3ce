// SPDX-License-Identifier: Apache-2.0
// The ways in which a run can end without a value.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class Trap : u8 {
  None = 0,
#define TRAP(Name, number, spelling, sentence) Name = number,
#include "lang/traps.def"
};
inline constexpr u32 kTrapCount = 11;  // None included

// clang-format would join each #include to the macro before it.
// clang-format off
constexpr std::string_view trap_name(Trap t) {
  switch (t) {
    case Trap::None: return "NONE";
#define TRAP(Name, number, spelling, sentence) \
  case Trap::Name: return spelling;
#include "lang/traps.def"
  }
  return "NONE";
}
constexpr std::string_view trap_sentence(Trap t) {
  switch (t) {
    case Trap::None: return "no trap";
#define TRAP(Name, number, spelling, sentence) \
  case Trap::Name: return sentence;
#include "lang/traps.def"
  }
  return "no trap";
}
// clang-format on
// Trap::None when the word is no trap.
constexpr Trap trap_from_name(std::string_view name) {
  for (u8 t = 1; t < kTrapCount; ++t)
    if (trap_name(static_cast<Trap>(t)) == name) return static_cast<Trap>(t);
  return Trap::None;
}

}  // namespace komuz

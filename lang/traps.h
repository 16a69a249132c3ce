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
// The names by number, in a form that a device can read.
namespace trap_rows {
struct TrapWord {
  char text[16];
};
constexpr TrapWord word_of(Trap t) {
  TrapWord word{};
  for (size_t k = 0; k < trap_name(t).size(); ++k) word.text[k] = trap_name(t)[k];
  return word;
}
HD_TABLE TrapWord kWords[kTrapCount] = {
    {},
#define TRAP(Name, number, spelling, sentence) word_of(Trap::Name),
#include "lang/traps.def"
};
}  // namespace trap_rows

// The trap that a word of `length` bytes names; Trap::None if it names none.
template <class Byte>
HD constexpr Trap trap_from_word(const Byte* word, size_t length) {
  for (u8 t = 1; t < kTrapCount && length < sizeof(trap_rows::TrapWord); ++t) {
    const char* const name = trap_rows::kWords[t].text;
    size_t k = 0;
    while (k < length && name[k] != 0 && static_cast<Byte>(name[k]) == word[k]) ++k;
    if (k == length && name[k] == 0) return static_cast<Trap>(t);
  }
  return Trap::None;
}
constexpr Trap trap_from_name(std::string_view name) {
  return trap_from_word(name.data(), name.size());
}
static_assert([] {
  for (u8 t = 1; t < kTrapCount; ++t)
    if (trap_from_name(trap_name(static_cast<Trap>(t))) != static_cast<Trap>(t)) return false;
  return true;
}());

}  // namespace komuz

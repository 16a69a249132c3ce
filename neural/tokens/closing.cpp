// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/closing.h"

#include <algorithm>

namespace komuz::neural {
namespace {

constexpr u32 kLiteral = 1;

// The words that make the topmost cell one of another type.
u32 words_to_convert(Scalar from, Scalar to) {
  if (from == to) return 0;
  if (to != Scalar::Bool) return 1;
  return is_float(from) || from == Scalar::U8 ? 1 : 2;
}
// … that make it and the cell below it one cell, of the type of the one below.
u32 words_to_join(Scalar top, Scalar below) { return words_to_convert(top, below) + 1; }

// ELSE, a literal and FI, behind a first arm that has left its value.
constexpr u32 kSecondArm = 3;

}  // namespace

u32 Closing::Rest::least() const { return *std::min_element(of + 1, of + kScalarCount); }

Closing::Closing(Scalar result) {
  Rest rest;
  for (u32 t = 1; t < kScalarCount; ++t)
    rest.of[t] = static_cast<u8>(words_to_convert(static_cast<Scalar>(t), result) + 1);
  open(WordKind::End, rest);
}

u32 Closing::after_push(const PrefixChecker& checker, u32 pops, Scalar type) const {
  const Rest& rest = regions_.back().rest;
  const u32 cells = checker.cells();
  if (cells == pops) return rest.of[static_cast<u8>(type)];
  const Scalar bottom = checker.cell(cells - 1);
  return (cells - pops >= 2 ? joined_[checker.height() - pops] : 0u) +
         words_to_join(type, checker.cell(pops)) + rest.of[static_cast<u8>(bottom)];
}

u32 Closing::after_pop(const PrefixChecker& checker, u32 pops) const {
  const Rest& rest = regions_.back().rest;
  const u32 cells = checker.cells();
  if (cells == pops) return kLiteral + rest.least();
  const Scalar bottom = checker.cell(cells - 1);
  return (cells - pops >= 2 ? joined_[checker.height() - pops] : 0u) +
         rest.of[static_cast<u8>(bottom)];
}

Closing::Rest Closing::rest_below(const PrefixChecker& checker) const {
  Rest rest;
  for (u32 t = 1; t < kScalarCount; ++t)
    rest.of[t] = static_cast<u8>(after_push(checker, 1, static_cast<Scalar>(t)));
  return rest;
}

u32 Closing::after_if(const PrefixChecker& checker) const {
  return kLiteral + kSecondArm + rest_below(checker).least();
}
u32 Closing::after_lazy(const PrefixChecker& checker) const {
  return kLiteral + 1 + after_push(checker, 1, Scalar::Bool);
}
u32 Closing::after_else(const PrefixChecker& checker) const {
  return kLiteral + 1 + regions_.back().rest.of[static_cast<u8>(checker.cell(0))] - kSecondArm;
}

void Closing::open_first_arm(const PrefixChecker& checker) {
  Rest rest = rest_below(checker);
  for (u8& words : rest.of) words = static_cast<u8>(words + kSecondArm);
  open(WordKind::Else, rest);
}
void Closing::open_second_arm(const PrefixChecker& checker) {
  const Scalar left = checker.cell(0);
  const u32 behind = regions_.back().rest.of[static_cast<u8>(left)] - kSecondArm;
  Rest rest;
  for (u32 t = 1; t < kScalarCount; ++t)
    rest.of[t] = static_cast<u8>(words_to_convert(static_cast<Scalar>(t), left) + 1 + behind);
  close();
  open(WordKind::EndIf, rest);
}
void Closing::open_lazy(const PrefixChecker& checker) {
  const u32 behind = after_push(checker, 1, Scalar::Bool);
  Rest rest;
  for (u32 t = 1; t < kScalarCount; ++t)
    rest.of[t] =
        static_cast<u8>(words_to_convert(static_cast<Scalar>(t), Scalar::Bool) + 1 + behind);
  open(WordKind::EndLazy, rest);
}
void Closing::open(WordKind closer, const Rest& rest) { regions_.push_back({closer, rest}); }

void Closing::pushed(const PrefixChecker& checker) {
  const u32 cells = checker.cells(), height = checker.height();
  joined_[height] =
      static_cast<u8>(cells < 2 ? 0
                                : (cells == 2 ? 0u : joined_[height - 1]) +
                                      words_to_join(checker.cell(0), checker.cell(1)));
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// How many words it takes at most to end a prefix, whatever it is.
//
// The cells of the innermost region become one from the top down: a cell becomes the type of the one below by CONVERT, or
// a bool by IS_NAN or IS_DIGIT (other integers are converted before that), and the two become one by MIN or BINARY_AND.
// So each word of such an end makes the rest shorter by one. An open first arm
// takes ELSE, a literal and FI, a second arm FI, a lazy operand FIL, the function END. So the number is a sum over the
// cells and regions, which is kept up to date word by word: what lies below the top does not change.
#pragma once
#include "lang/check/check_prefix.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {

class Closing {
 public:
  Closing() = default;
  // Of a function with this result, before its first word.
  explicit Closing(Scalar result);

  // The number of words behind a word that takes `pops` cells of the innermost region, and pushes one of a type.
  [[nodiscard]] u32 after_push(const PrefixChecker& checker, u32 pops, Scalar type) const;
  // … and pushes none.
  [[nodiscard]] u32 after_pop(const PrefixChecker& checker, u32 pops) const;
  // … behind IF, and behind AND or OR.
  [[nodiscard]] u32 after_if(const PrefixChecker& checker) const;
  [[nodiscard]] u32 after_lazy(const PrefixChecker& checker) const;
  [[nodiscard]] u32 after_else(const PrefixChecker& checker) const;
  [[nodiscard]] u32 least(const PrefixChecker& checker) const { return after_pop(checker, 0); }

  // The regions as the checker has them before (open) the word is taken.
  void open_first_arm(const PrefixChecker& checker);
  void open_second_arm(const PrefixChecker& checker);
  void open_lazy(const PrefixChecker& checker);
  void close() { regions_.pop_back(); }
  // The topmost cell, which is new.
  void pushed(const PrefixChecker& checker);
  // The word that closes the innermost region.
  [[nodiscard]] WordKind closer() const { return regions_.back().closer; }

 private:
  // The words that remain if a region ends with one cell of a type.
  struct Rest {
    u8 of[kScalarCount] = {};
    [[nodiscard]] u32 least() const;
  };
  struct Region {
    WordKind closer = WordKind::End;
    Rest rest;  // behind one cell of a type in it
  };
  // Behind the region that the next word opens, which takes a bool from the innermost one.
  [[nodiscard]] Rest rest_below(const PrefixChecker& checker) const;
  void open(WordKind closer, const Rest& rest);

  InlineRows<Region, Inline::capacity<CodeRegion>()> regions_;
  // By height of the stack: the words that make one cell of those of its region up to there. Of a region without cells
  // the entry belongs to the region around it.
  u8 joined_[Inline::capacity<Scalar>() + 1] = {};
};

}  // namespace komuz::neural

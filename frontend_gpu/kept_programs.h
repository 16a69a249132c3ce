// SPDX-License-Identifier: Apache-2.0
// Programs whose code is kept for others that differ from them in numbers alone, such as the variants of a sketch that
// take other points of its grids. A number that is free (optimise/free_numbers.h) is one constant of the code. So such
// a text is compared with the kept one, its numbers are read, and its code is the kept one with other constants:
// nothing is compiled.
//
//   kept   pub fn f(x: f64) -> f64 { x * 2.5 + 10.0 }
//   new    pub fn f(x: f64) -> f64 { x * 0.125 + 7.0 }
//
// All that compiling gives is the same to the byte: places move with the text, and the identity is a sum over tokens,
// of which those of the numbers are replaced.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/optimise/free_numbers.h"
#include "frontend_gpu/tree/lex.h"

namespace komuz::frontend {

// A number as a text has it.
struct WrittenNumber {
  static constexpr u32 kMostBytes = 32;

  u32 begin = 0, end = 0;  // in the text
  Node kind = Node::Int;   // Int or Float
  // The number that begins there: digits, at most with a fraction and an exponent. It has no bytes where there is
  // none, or a longer one. Whatever is a number here is one token for the lexer (text/lex_block.h), which knows more.
  [[nodiscard]] static WrittenNumber read(std::string_view text, u32 begin);
};

class KeptProgram {
 public:
  // `columns`: of a program that was compiled to `out`, without any diagnostic. `sum`: of its tokens. `work`:
  // what compiling it took. False: no number of it may change.
  [[nodiscard]] bool keep(const Columns& columns, const Compilation& out, HashSum sum, u64 work,
                          FreeNumbers& numbers);
  // Takes the numbers of this text. False: it differs in more than free numbers, or these have values that change more.
  [[nodiscard]] bool take(std::string_view source);
  // The identity of the text that was taken, and what compiling it would give.
  [[nodiscard]] TextHash identity() const;
  void write(Compilation& out) const;
  [[nodiscard]] u64 work() const { return work_; }

 private:
  // A number in one text.
  struct Found {
    WrittenNumber written;
    char bytes[WrittenNumber::kMostBytes] = {};  // those that were read last
    u32 length = 0;                              // 0: they have no value here
    u64 cell = 0;
    HashSum hash;  // of its token
  };
  struct Number {
    FreeNumber rule;
    u32 token = 0, token_kind = 0;
    Found kept, found;  // in the kept text, and in the one that was read last
  };
  [[nodiscard]] bool add(const Columns& c, const FreeNumber& free, const FreeNumbers& numbers);
  [[nodiscard]] bool add_load(const Number& number, u32 place);
  [[nodiscard]] bool find_numbers(std::string_view source);
  // False: the number has no such value, or one that changes more than itself.
  [[nodiscard]] static bool read(std::string_view source, const Number& number, Found& out);
  [[nodiscard]] bool values_differ() const;
  [[nodiscard]] u8 numbers_before(u32 place) const;

  std::string text_;
  Code code_;
  std::vector<Number> numbers_;
  // Constants of the code, and the numbers that they are.
  struct Load {
    u32 constant = 0, number = 0;
  };
  std::vector<Load> loads_;
  // How many numbers stand before the places of instructions, then of functions.
  std::vector<u8> before_;
  std::vector<u64> other_values_;
  bool must_differ_ = false;
  HashSum sum_;
  u32 tokens_ = 0;
  u64 work_ = 0;
};

// Some kept programs, by the shapes of their texts.
class KeptPrograms {
 public:
  // A program of this shape that has taken the text; null: there is none.
  [[nodiscard]] const KeptProgram* take(std::string_view source, u64 shape);
  // A text of this shape has been compiled, without any diagnostic. From the second one on it is kept, if it can be.
  void note(u64 shape, const Columns& c, const Compilation& out, HashSum sum, u64 work);

 private:
  // A shape has a row of places. Texts of one shape may differ in the signs of their numbers.
  static constexpr u32 kRows = 64, kPlaces = 4, kSeen = 1024;
  // Where so many texts of a shape had to be compiled, keeping them does not pay.
  static constexpr u32 kFirstKept = 2, kMostSeen = 16;
  struct Seen {
    u64 shape = 0;
    u32 times = 0;
  };
  struct Place {
    u64 shape = 0;
    std::unique_ptr<KeptProgram> program;
  };
  struct Row {
    Place places[kPlaces];
    u32 next = 0;  // the place that is given away next
  };
  [[nodiscard]] static u32 row_of(u64 shape) { return static_cast<u32>(shape >> 32) % kRows; }

  std::vector<Row> rows_;
  std::vector<Seen> seen_;  // of texts that had to be compiled
  std::unique_ptr<KeptProgram> spare_;
  FreeNumbers numbers_;
};

}  // namespace komuz::frontend

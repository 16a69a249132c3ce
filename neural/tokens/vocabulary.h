// SPDX-License-Identifier: Apache-2.0
// The vocabulary: what a number from 0 to 255 means as a word of a program. It is made from words.def and the tables of
// lang/, at compile time.
#pragma once
#include <optional>
#include <string>

#include "lang/code.h"

namespace komuz::neural {

enum class WordKind : u8 {
#define MARK(Name, spelling, meaning) Name,
#define NUMBERED(Name, letter, count, meaning) Name,
#define LITERAL(Name, spelling, types, value)
#include "neural/tokens/words.def"
  Literal,
  Operation,
  None,  // a number that is no word
};

struct Word {
  WordKind kind = WordKind::None;
  u8 number = 0;               // of a numbered word
  Op op = Op::LoadConst;       // of an operation
  Scalar type = Scalar::None;  // of a literal; what a conversion converts to
  u64 cell = 0;                // of a literal
};

inline constexpr u32 kMostWords = 256;
// The numbers of some words.
inline constexpr u8 kPad = 0, kBegin = 1, kEnd = 2;

// The row of a word; of kind None for numbers from word_count() on.
[[nodiscard]] const Word& word_row(u8 word);
[[nodiscard]] u32 word_count();
// As it is shown: V0, ZERO_f64, BINARY_ADD, CONVERT_i64.
[[nodiscard]] std::string word_name(u8 word);

// The word of a mark; of the n-th word of a kind; of a value that has a literal; of a pure operation, which has one in
// checked code.
[[nodiscard]] u8 word_of(WordKind mark);
[[nodiscard]] u8 word_of(WordKind kind, u32 number);
[[nodiscard]] std::optional<u8> literal_word(Scalar type, u64 cell);
[[nodiscard]] u8 operation_word(Instruction operation);

// The instruction of an operation's word behind cells of these types: of the topmost one, and of the one below it. Types
// that are wrong make an instruction that the checker refuses.
[[nodiscard]] Instruction operation_on(const Word& word, Scalar top, Scalar below);

// Of the words, and of what operations are (all of ops.def but the numbers). Files have it: what was written for other
// words is not read.
[[nodiscard]] u64 vocabulary_hash();

}  // namespace komuz::neural

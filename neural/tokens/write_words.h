// SPDX-License-Identifier: Apache-2.0
// Code of lone functions (neural/windows) → words. Parameters are numbered as they are; local slots in the order of their
// first stores; constants that have no literal in the order in which the source has them.
#pragma once
#include <string_view>

#include "neural/tokens/source.h"

namespace komuz::neural {

// Words of one program, and beside each the type of the value that it pushes or stores; None for words that do neither.
struct WordLine {
  u32 count = 0;
  u8 words[kMostTargetWords] = {};
  Scalar types[kMostTargetWords] = {};

  [[nodiscard]] std::span<const u8> view() const { return {words, count}; }
};
static_assert(kMostSourceWords == kMostTargetWords);

enum class Unwritten : u8 {
  None,     // it was written
  NotLone,  // more than one function, or an instruction that no window has
  TooLong,  // more than kMostSourceWords words
  TooManySlots,
  TooManyConstants,
  NoWord,  // of a target: a constant that a few operations do not make of those of the source
};
[[nodiscard]] std::string_view sentence(Unwritten why);

// The function of checked code as a source. What is written is `line`, and what its targets may be made of.
[[nodiscard]] Unwritten write_source(const CodeView& lone, Source& source, WordLine& line);
// The function as a target, which has the source's parameters.
[[nodiscard]] Unwritten write_target(const CodeView& lone, const Source& source, WordLine& line);

// Those of its words that are operations.
[[nodiscard]] WordSet operations_of(const WordLine& line);
// "V0 K0 BINARY_MUL END"
[[nodiscard]] std::string words_text(std::span<const u8> words);

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// The mask: which words may come next. A prefix of a target is given word by word; after each, a set says which words
// continue it. Whatever is chosen from these sets passes the bytecode checker, and ends before the target gets too long.
//
//   Decoding prefix(source);
//   while (!prefix.is_done()) prefix.feed(choose(prefix.allowed()));
//
// Which words are sound is decided by the checker (lang/check/check_prefix.h). What remains to be said here is how many
// words an end takes: closing.h.
//
// A prefix is copied like a number, in some 0.02 µs. A step takes about 0.2 µs (corpus_bench).
#pragma once
#include "neural/tokens/closing.h"
#include "neural/tokens/source.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {

class Decoding {
 public:
  // The beginning of a target for `source`, which lives longer. `limit`: the most words, END included, from 4 to
  // kMostTargetWords.
  explicit Decoding(const Source& source, u32 limit = kMostTargetWords);

  // The words that may come next. Never empty before the end, and empty behind it.
  [[nodiscard]] const WordSet& allowed() const { return allowed_; }
  // Takes the next word. False: the word is not among those allowed, and nothing has changed.
  bool feed(u8 word);
  // END has been taken.
  [[nodiscard]] bool is_done() const { return is_done_; }

  // The type of the topmost cell that the next word can see; None: it sees none.
  [[nodiscard]] Scalar top_type() const { return is_done_ ? Scalar::None : checker_.cell(0); }
  [[nodiscard]] u32 size() const { return size_; }
  // The prefix ends with at most so many more words, if they are chosen for that.
  [[nodiscard]] u32 words_to_close() const { return closing_.least(checker_); }
  // The instruction of an allowed word, with slots and constants of source.program(); only for words that are one.
  [[nodiscard]] Instruction instruction(u8 word) const;
  [[nodiscard]] const Source& source() const { return *source_; }
  // Whether the checker takes the word, asked by itself: however long the end would take.
  [[nodiscard]] bool checker_takes(u8 word) const;

 private:
  void find_allowed();
  void keep_short(u32 left);
  // What the word does to the checker; false: it refuses it.
  bool take(u8 word, PrefixChecker& checker) const;
  [[nodiscard]] u32 local_slot(u8 number) const {
    return static_cast<u32>(source_->inputs().size()) + number;
  }

  const Source* source_;
  PrefixChecker checker_;
  Closing closing_;
  WordSet allowed_;
  u16 limit_ = 0, size_ = 0;
  u8 locals_ = 0;  // that have been stored to
  bool is_done_ = false;
};
static_assert(std::is_trivially_copyable_v<Decoding>);

}  // namespace komuz::neural

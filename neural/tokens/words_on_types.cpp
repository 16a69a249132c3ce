// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/words_on_types.h"

#include <array>
#include <mutex>

#include "neural/tokens/source.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

constexpr u32 kTypes = kScalarCount;

class WordsOnTypes {
 public:
  const WordSet& on(Scalar top, Scalar below, Scalar third) {
    const u32 row = (static_cast<u32>(third) * kTypes + static_cast<u32>(below)) * kTypes +
                    static_cast<u32>(top);
    std::call_once(is_made_[row], [&] { make(row, top, below, third); });
    return rows_[row];
  }

 private:
  void make(u32 row, Scalar top, Scalar below, Scalar third) {
    PrefixChecker cells(literals_.program(), 0);
    for (const Scalar type : {third, below, top})
      if (type != Scalar::None && !cells.take(zero(type))) return;
    const auto keep = [&](u8 word, auto take) {
      PrefixChecker next = cells;
      if (take(next)) rows_[row].add(word);
    };
    keep(word_of(WordKind::If), [](PrefixChecker& c) { return c.open_first_arm(); });
    keep(word_of(WordKind::And),
         [](PrefixChecker& c) { return c.open_lazy(Op::JumpIfFalseOrPop); });
    keep(word_of(WordKind::Or), [](PrefixChecker& c) { return c.open_lazy(Op::JumpIfTrueOrPop); });
    for (u32 w = word_of(WordKind::Operation); w < word_count(); ++w) {
      const Instruction i = operation_on(word_row(static_cast<u8>(w)), top, below);
      keep(static_cast<u8>(w), [i](PrefixChecker& c) { return c.take(i); });
    }
  }
  [[nodiscard]] Instruction zero(Scalar type) const {
    return literals_.leaf(*literal_word(type, 0));
  }

  const Source literals_{{}, {}, {}, Scalar::Bool};
  std::array<WordSet, kTypes * kTypes * kTypes> rows_;
  std::array<std::once_flag, kTypes * kTypes * kTypes> is_made_;
};

}  // namespace

const WordSet& words_on(Scalar top, Scalar below, Scalar third) {
  static WordsOnTypes table;
  return table.on(top, below, third);
}

}  // namespace komuz::neural

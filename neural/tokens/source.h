// SPDX-License-Identifier: Apache-2.0
// What a target is written for: the types of the parameters, the constants and the result of a lone function (a function
// without calls, loops and ticks, by itself; neural/windows). It is what all prefixes of one target share.
#pragma once
#include <memory>
#include <span>

#include "lang/check/check_prefix.h"
#include "neural/tokens/word_set.h"
#include "neural/windows/windows.h"

namespace komuz::neural {

// The most words of a source, and of a target with its END.
inline constexpr u32 kMostSourceWords = kMostWindowWords, kMostTargetWords = kMostWindowWords;
inline constexpr u32 kMostInputWords = kMostInputs, kMostLocalWords = kMostLocals,
                     kMostConstantWords = 16;

struct TypedCell {
  Scalar type = Scalar::None;
  u64 cell = 0;
  bool operator==(const TypedCell&) const = default;
};

class Source {
 public:
  // Nothing yet: assign() comes first.
  Source();
  // At most so many inputs and constants as there are words. Constants that have a literal are not among them. `locals`:
  // the types of the local slots of the function that the target may take the place of.
  Source(std::span<const Scalar> inputs, std::span<const Scalar> locals,
         std::span<const TypedCell> constants, Scalar result);
  ~Source();
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  // The same as a new one, with the memory that is there. Prefixes of it are not to be used any more.
  void assign(std::span<const Scalar> inputs, std::span<const Scalar> locals,
              std::span<const TypedCell> constants, Scalar result);

  [[nodiscard]] std::span<const Scalar> inputs() const;
  [[nodiscard]] std::span<const Scalar> locals() const;
  [[nodiscard]] std::span<const TypedCell> constants() const;
  [[nodiscard]] Scalar result() const;

  // The operations of the function itself, if it is known: those that make new constants of its constants first.
  [[nodiscard]] const WordSet& operations() const;
  void set_operations(const WordSet& operations);

  // Words that may stand wherever a value may: inputs, constants and literals.
  [[nodiscard]] const WordSet& leaves() const;
  // Those of a type.
  [[nodiscard]] const WordSet& leaves(Scalar type) const;
  // The type of such a word.
  [[nodiscard]] Scalar leaf_type(u8 word) const;
  // For the checker: a function of the inputs and kMostLocalWords slots without types.
  [[nodiscard]] const PrefixChecker::Program& program() const;
  // The instruction of a leaf in that program.
  [[nodiscard]] Instruction leaf(u8 word) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// Codes with the same instructions, which differ in constants at most: variants of a sketch, for the most part. They
// are native together, as one code that loads the constants in which they differ:
//
//   constants           3     0.5    10    0.1
//   of the first        3     0.5    10    0.1
//   of others           3     0.2    10    0.7
//                       3     0.9    10    0.1
//   in native code      3     load   10    load
//
// What all have in common stands in the code, where LLVM can use it: loops with known bounds, divisions by known numbers.
// A load that each case has a number of its own for is a row of memory, and what is calculated with it is not known to
// be the same in all lanes. So the first code, which may be the only one, loads nothing.
//
// Where a code comes that differs in others, a second native code is made once that pays, too. The last one of kMost
// loads all constants, and fits every code.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/native/code_class.h"
#include "lang/code.h"

namespace komuz::engine {

class TieredCode;

// What all codes of a family have in common, as a number. Places in the source are none of it. Kernels load no
// constants, so a family of a crowd is one code.
using FamilyKey = std::pair<u64, u64>;
[[nodiscard]] FamilyKey family_key(const CodeView& code, u32 function, Company company);

class CodeFamily {
 public:
  static constexpr size_t kMost = 4;

  explicit CodeFamily(const CodeView& first);

  // A code of the family, by its constants: notes which differ. A list of codes is one behind the other.
  void add(std::span<const u64> constants);
  // Have codes been added that differ?
  [[nodiscard]] bool has_several() const { return has_several_; }
  // Those in which they differ, and what has to be loaded with them.
  [[nodiscard]] std::vector<u32> differing(const CodeView& code) const;
  [[nodiscard]] std::vector<u32> loadable() const;
  // Are the constants of these codes those of the first, but for those that are loaded?
  [[nodiscard]] bool fit(std::span<const u64> constants, std::span<const u32> loaded) const;

  std::vector<std::shared_ptr<TieredCode>> codes;  // the last one last
  u64 used_at = 0;

 private:
  std::vector<u64> first_;
  std::vector<bool> is_loadable_, differs_;
  bool has_several_ = false;
};

}  // namespace komuz::engine

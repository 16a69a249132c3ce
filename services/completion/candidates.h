// SPDX-License-Identifier: Apache-2.0
// The words for a place, as they are found, and the order in which they are shown: words that begin with the prefix
// before those that only contain its letters, then by the wanted type, then by how near the name is bound.
#pragma once
#include <unordered_set>

#include "services/complete.h"
#include "services/completion/wanted_argument.h"

namespace komuz::services {

// How far away a name is bound: the order of words that match equally well.
enum class Nearness : u8 { Label, Local, Own, Imported, BuiltIn, Word };

class Candidates {
 public:
  // `function`: a function that is wanted in place of a lambda, which `expected` describes. If any candidate is such
  // a function, all others are left out. `scalars`: the wanted types if `expected` is empty.
  Candidates(std::string_view prefix, std::string_view expected,
             std::optional<WantedFunction> function = {}, TypeSet scalars = 0)
      : prefix_(prefix), expected_(expected), function_(std::move(function)), scalars_(scalars) {}

  // True if the name is worth a closer look. A name that has been added is not.
  [[nodiscard]] bool wants(std::string_view name) const;
  // `order`: among words of one nearness, the smaller first.
  void add(Completion completion, Nearness nearness, u32 order = 0);
  // Adds a described symbol, under its name or under another.
  void add(const SymbolText& text, Nearness nearness, u32 order = 0);
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] const std::optional<WantedFunction>& function() const { return function_; }

  // From now on words of another type than the wanted one are left out, if there are words of that type.
  void leave_out_others() { leaves_out_others_ = true; }

  [[nodiscard]] std::vector<Completion> take();

 private:
  struct Ranked {
    Completion completion;
    u32 match;     // 0: begins with the prefix
    bool differs;  // its type is not the wanted one
    Nearness nearness;
    u32 order;
  };
  // None: it does not contain the prefix's letters.
  [[nodiscard]] std::optional<u32> match(std::string_view name) const;
  // True if a type is wanted, and this is another one.
  [[nodiscard]] bool differs(std::string_view type) const;

  std::string prefix_, expected_;
  std::optional<WantedFunction> function_;
  TypeSet scalars_;
  bool leaves_out_others_ = false;
  std::vector<Ranked> found_;
  std::unordered_set<std::string> seen_;
};

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// What may stand in a place, as it is found, and the order in which it is shown: what begins like the word before what only
// has its letters, then what has the type that is wanted, then what is bound nearest.
#pragma once
#include <unordered_set>

#include "services/complete.h"
#include "services/completion/wanted_argument.h"

namespace komuz::services {

// How far away a name is bound; the order among those that fit alike.
enum class Nearness : u8 { Label, Local, Own, Imported, BuiltIn, Word };

class Candidates {
 public:
  // `function`: where one is wanted in the place of a lambda, which `expected` describes. Those that are none are left out where
  // any is one. `scalars`: what is wanted where `expected` is empty.
  Candidates(std::string_view prefix, std::string_view expected,
             std::optional<WantedFunction> function = {}, TypeSet scalars = 0)
      : prefix_(prefix), expected_(expected), function_(std::move(function)), scalars_(scalars) {}

  // Is it worth a closer look? Names that have been added are none any more.
  [[nodiscard]] bool wants(std::string_view name) const;
  // `order`: among those of one nearness, the smaller first.
  void add(Completion completion, Nearness nearness, u32 order = 0);
  // What is described, under its name or under another.
  void add(const SymbolText& text, Nearness nearness, u32 order = 0);
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] const std::optional<WantedFunction>& function() const { return function_; }

  [[nodiscard]] std::vector<Completion> take();

 private:
  struct Ranked {
    Completion completion;
    u32 match;     // 0: begins like the word
    bool differs;  // from the type that is wanted
    Nearness nearness;
    u32 order;
  };
  // None: its letters are not those of the word.
  [[nodiscard]] std::optional<u32> match(std::string_view name) const;
  // From the type that is wanted, if any is.
  [[nodiscard]] bool differs(std::string_view type) const;

  std::string prefix_, expected_;
  std::optional<WantedFunction> function_;
  TypeSet scalars_;
  std::vector<Ranked> found_;
  std::unordered_set<std::string> seen_;
};

}  // namespace komuz::services

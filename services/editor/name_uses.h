// SPDX-License-Identifier: Apache-2.0
// Where a text has names of one meaning, also where no binding joins them: both sides of a `|` in a pattern, the
// holes of one decision, the examples in comments. And what a name means in words that hold in other texts, too.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/symbols.h"

namespace komuz::services {

// An item of a module, or a part of one, by its names: equal in all texts that may see it.
struct SharedName {
  enum class Kind : u8 { Function, Space, Type, Constant, Constructor, Field };
  Kind kind = Kind::Function;
  std::string module;  // its path as the text in question spells it; empty: it is the text's own
  std::string owner;   // of a field: the constructor that has it
  std::string name;
  bool operator==(const SharedName&) const = default;
};
// Nothing: it is built in, a local name, or a module.
[[nodiscard]] std::optional<SharedName> shared_name(const Analysis& analysis, const Symbol& symbol);
// True if other texts may use it, of a name of the text itself.
[[nodiscard]] bool is_shown(const Analysis& analysis, const Symbol& symbol);

// A name, as bytes of the text. The name of a hole, `?step`, begins behind its `?`.
struct NameUse {
  u32 begin = 0, end = 0;
  bool defines = false;  // it introduces the name
  bool operator==(const NameUse&) const = default;
};

// The names that mean the same as a node does.
class NameGroup {
 public:
  // The group of the name around a byte of the text. Nothing: no name that means something is there.
  [[nodiscard]] static std::optional<NameGroup> around(const Analysis& analysis, u32 place);
  // The group of a name that other texts share.
  NameGroup(const Analysis& analysis, SharedName shared);

  [[nodiscard]] bool holds(frontend::Index node) const;
  // In the order of the text, without those in its modules.
  [[nodiscard]] std::vector<NameUse> uses() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  // None: it is a hole that has a decision's name, or none.
  [[nodiscard]] const Symbol& symbol() const { return symbol_; }
  [[nodiscard]] bool is_hole() const { return hole_ != frontend::kNone; }
  // The item around all of them, of a local name or of a hole in a space; kNone: there is none.
  [[nodiscard]] frontend::Index item() const;

 private:
  explicit NameGroup(const Analysis& analysis) : analysis_(&analysis) {}

  const Analysis* analysis_;
  std::string name_;
  Symbol symbol_;
  std::optional<SharedName> shared_;        // what is looked for, where no node is known
  frontend::Index hole_ = frontend::kNone;  // one of the holes
  std::vector<u32> bindings_;               // beside the symbol's own
};

}  // namespace komuz::services

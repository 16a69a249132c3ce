// SPDX-License-Identifier: Apache-2.0
// The items of a session. A later item replaces an earlier one of the same name.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/items.h"
#include "services/session/kept_list.h"

namespace komuz::services {

// The words of a text: names, keywords, and similar parts of strings and comments.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

struct Definition {
  ItemForm form = services::ItemForm::Other;
  std::string name;
  std::string text;
  std::string file;  // its file, and the line there
  u32 line = 1;
  bool is_implied = false;  // a `use` that the session added for the type of a value
  // Set when it is added: the names by which others can refer to it.
  std::vector<std::string> gives = {};
};
// True if the new definition replaces the old one. Types have names of their own. A `use` has none, but an implied
// one gives way to any definition of a name that it imports.
[[nodiscard]] bool replaces(const Definition& next, const Definition& old);

// Definitions as one text, with a line end behind each.
struct DefinitionText {
  struct Part {
    u32 begin;  // in the text
    const Definition* definition;
  };
  std::string text;
  std::vector<Part> parts;

  void add(const Definition& definition);
  // The part that contains the byte; null if there is none.
  [[nodiscard]] const Part* part_at(u32 byte) const;
};

class Definitions {
 public:
  // Returns whether it replaces another definition.
  bool add(Definition definition);
  void clear() {
    kept_.clear();
    ++changes_;
  }
  // In the order in which they were added.
  [[nodiscard]] auto all() const { return kept_.all(); }

  // The definitions that the text names, and those that these name. `without`: ignores definitions that these
  // replace. The parts are valid until something is added.
  [[nodiscard]] DefinitionText needed_by(std::string_view text,
                                         std::span<const Definition> without = {}) const;
  // The same without those that are left out, and what only these name.
  using IsLeftOut = std::function<bool(const Definition& definition)>;
  [[nodiscard]] DefinitionText needed_by(std::string_view text, const IsLeftOut& is_left_out) const;
  // The definitions that name one of these, and those that name them in turn, in their order. Valid until something
  // is added.
  [[nodiscard]] std::vector<const Definition*> users_of(std::span<const std::string> names) const;
  [[nodiscard]] DefinitionText whole() const;
  // The definition with this name, or with an import of it.
  [[nodiscard]] const Definition* find_name(std::string_view name) const;

  void begin_step(size_t most) { kept_.begin_step(most); }
  auto take_step_back() {
    ++changes_;
    return kept_.take_step_back();
  }
  // Another number whenever they may have become others.
  [[nodiscard]] u64 changes() const { return changes_; }

 private:
  struct Index {
    void add(const Definition& definition, u64 number);
    void remove(const Definition& definition, u64 number);
    void forget(u64 number) {
      giving.forget(number);
      naming.forget(number);
    }

    NumbersByName giving, naming;  // by the names that they define, and by the words of their texts
  };

  KeptList<Definition, Index> kept_;
  u64 changes_ = 0;
};

}  // namespace komuz::services

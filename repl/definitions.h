// SPDX-License-Identifier: Apache-2.0
// The items that a session has been given. A later one takes the place of an earlier one of its name.
#pragma once
#include "repl/kept_list.h"
#include "services/items.h"

namespace komuz::repl {

// The words of a text: names, keywords, and what looks like them in strings and comments.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

struct Definition {
  services::ItemForm form = services::ItemForm::Other;
  std::string name;
  std::string text;
  std::string file;  // that it came from, and the line there
  u32 line = 1;
  bool is_implied = false;  // a `use` that nobody has written, for the type of a value
  // Set when it is added: names by which others can ask for it.
  std::vector<std::string> gives = {};
};
// Does the new one take the place of the old one? Types have names of their own; a `use` has none, but an implied one gives way
// to whatever has the name that it imports.
[[nodiscard]] bool replaces(const Definition& next, const Definition& old);

// Definitions as one text, a line end behind each.
struct DefinitionText {
  struct Part {
    u32 begin;  // in the text
    const Definition* definition;
  };
  std::string text;
  std::vector<Part> parts;

  void add(const Definition& definition);
  // Where the byte is; null: in none.
  [[nodiscard]] const Part* part_at(u32 byte) const;
};

class Definitions {
 public:
  // Returns whether it replaces one.
  bool add(Definition definition);
  void clear() { kept_.clear(); }
  // In the order in which they were added.
  [[nodiscard]] auto all() const { return kept_.all(); }

  // Those that the text names, and those that these name. `without`: as if those that these replace were not there. The parts hold
  // until something is added.
  [[nodiscard]] DefinitionText needed_by(std::string_view text,
                                         std::span<const Definition> without = {}) const;
  // Those that name one of these, and those that name those, in their order. They hold until something is added.
  [[nodiscard]] std::vector<const Definition*> users_of(std::span<const std::string> names) const;
  [[nodiscard]] DefinitionText whole() const;
  // Has one this name, or imports it?
  [[nodiscard]] const Definition* find_name(std::string_view name) const;

  void begin_step(size_t most) { kept_.begin_step(most); }
  auto take_step_back() { return kept_.take_step_back(); }

 private:
  struct Index {
    void add(const Definition& definition, u64 number);
    void remove(const Definition& definition, u64 number);
    void forget(u64 number) {
      giving.forget(number);
      naming.forget(number);
    }

    NumbersByName giving, naming;  // by what they give, and by the words of their texts
  };

  KeptList<Definition, Index> kept_;
};

}  // namespace komuz::repl

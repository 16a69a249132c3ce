// SPDX-License-Identifier: Apache-2.0
// The items that a session has been given. A later one takes the place of an earlier one of its name.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/items.h"

namespace komuz::repl {

// The words of a text: names, keywords, and what looks like them in strings and comments.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

struct Definition {
  services::ItemForm form = services::ItemForm::Other;
  std::string name;
  std::string text;
  std::vector<std::string> gives =
      {};  // names by which others can ask for it; set when it is added
};
// Does the new one take the place of the old one? Types have names of their own; a `use` has none.
[[nodiscard]] bool replaces(const Definition& next, const Definition& old);

class Definitions {
 public:
  // Returns whether it replaces one.
  bool add(Definition definition);
  [[nodiscard]] const std::vector<Definition>& all() const { return all_; }

  // The texts of those that the text names, and of those that these name, a line end behind each. `without`: as if those that
  // these replace were not there.
  [[nodiscard]] std::string needed_by(std::string_view text,
                                      std::span<const Definition> without = {}) const;

 private:
  std::vector<Definition> all_;
};

}  // namespace komuz::repl

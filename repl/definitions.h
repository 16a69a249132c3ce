// SPDX-License-Identifier: Apache-2.0
// The items that a session has been given. A later one takes the place of an earlier one of its name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "services/items.h"

namespace komuz::repl {

// The words of a text: names, keywords, and what looks like them in strings and comments.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

class Definitions {
 public:
  struct Definition {
    services::ItemForm form = services::ItemForm::Other;
    std::string name;
    std::string text;
    std::vector<std::string> gives;  // names by which others can ask for it
  };

  // Returns whether it replaces one.
  bool add(services::ItemForm form, std::string name, std::string text);
  void clear() { all_.clear(); }
  [[nodiscard]] const std::vector<Definition>& all() const { return all_; }

  // The texts of those that the text names, and of those that these name, a line end behind each. `without`: as if there were
  // none of these names.
  [[nodiscard]] std::string needed_by(std::string_view text,
                                      const std::vector<services::TextItem>& without = {}) const;

 private:
  std::vector<Definition> all_;
};

}  // namespace komuz::repl

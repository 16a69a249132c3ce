// SPDX-License-Identifier: Apache-2.0
// A program whose items get other names, with all that names them. A workspace for one thread.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "services/analysis.h"
#include "services/items.h"

namespace komuz::services {

class RenamedItems {
 public:
  // `library`: the modules that it uses; outlives this object.
  RenamedItems(std::string text, const Library& library)
      : compiler_({.library = &library}), analysis_(&library), text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  // Of the text as it is now.
  [[nodiscard]] std::vector<TextItem> items();
  [[nodiscard]] std::string text_of(const TextItem& item) const {
    return text_.substr(item.begin, item.end - item.begin);
  }
  // False: there is no such item, or nobody knows what names it.
  [[nodiscard]] bool rename(const std::string& old, const std::string& next);

 private:
  frontend::Compiler compiler_;
  Analysis analysis_;
  std::string text_;
};

}  // namespace komuz::services

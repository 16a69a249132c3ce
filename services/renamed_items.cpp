// SPDX-License-Identifier: Apache-2.0
#include "services/renamed_items.h"

#include <algorithm>

#include "services/references.h"

namespace komuz::services {

std::vector<TextItem> RenamedItems::items() {
  frontend::Compilation compiled;
  compiler_.compile(text_, compiled);
  return list_items(compiler_, text_);
}

bool RenamedItems::rename(const std::string& old, const std::string& next) {
  for (const TextItem& item : items()) {
    if (item.name != old) continue;
    analysis_.read(text_);
    std::vector<Reference> uses = find_references(analysis_, item.name_begin);
    std::ranges::reverse(uses);
    for (const Reference& use : uses)
      text_.replace(use.place.begin, use.place.end - use.place.begin, next);
    return !uses.empty();
  }
  return false;
}

}  // namespace komuz::services

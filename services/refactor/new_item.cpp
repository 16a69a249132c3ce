// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/new_item.h"

#include "services/format.h"

namespace komuz::services {

std::optional<TextItem> item_around(const Analysis& analysis, u32 byte) {
  for (TextItem& item : list_items(analysis.columns(), analysis.text()))
    if (item.begin <= byte && byte < item.end) return std::move(item);
  return std::nullopt;
}

std::string formatted_item(const std::string& item) {
  frontend::Compiler compiler;
  Formatted out = format(compiler, item);
  std::string text = out.ok ? std::move(out.text) : item;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace komuz::services

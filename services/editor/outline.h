// SPDX-License-Identifier: Apache-2.0
// What a text defines, as a tree: its items, and of types their fields and constructors.
#pragma once
#include <string>
#include <vector>

#include "services/items.h"
#include "services/symbols.h"

namespace komuz::services {

struct OutlineNode {
  std::string name;    // of a `use` its path, of a test what it is called
  std::string detail;  // what is behind the name: `(x: f64) -> f64`
  ItemForm form = ItemForm::Other;
  NameKind kind = NameKind::Function;  // of a child
  u32 begin = 0, end = 0;              // with the comments above it
  u32 name_begin = 0, name_end = 0;
  std::vector<OutlineNode> children;
};
[[nodiscard]] std::vector<OutlineNode> outline(const Analysis& analysis);

}  // namespace komuz::services

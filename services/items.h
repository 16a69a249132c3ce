// SPDX-License-Identifier: Apache-2.0
// The items of a program: where each stands and what it is called.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

enum class ItemForm : u8 { Function, Space, Constant, Type, Use, Test, Property, Other };

struct TextItem {
  ItemForm form = ItemForm::Other;
  std::string name;    // of a test what it is called; empty: it has none
  u32 name_begin = 0;  // where that stands, if it has one
  u32 head_begin = 0;  // its first word, a `pub` before it left out
  bool is_public = false;
  u32 begin = 0, end = 0;  // bytes of the source, with the lines of comments right above it
};
// In the order of the source, of which these are the columns. Nothing where there are no tokens.
[[nodiscard]] std::vector<TextItem> list_items(const frontend::Columns& c, std::string_view source);
// … which the compiler has compiled last.
[[nodiscard]] std::vector<TextItem> list_items(const frontend::Compiler& compiler,
                                               std::string_view source);
// The byte where statements stand behind items, as in `use std.geom; geom.Vec2(1.0, 2.0)`, which no program may have. Nothing
// where there are none.
[[nodiscard]] std::optional<u32> find_statements(const frontend::Compiler& compiler);

}  // namespace komuz::services

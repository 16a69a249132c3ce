// SPDX-License-Identifier: Apache-2.0
// The items of a program: their places and names.
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
  std::string name;    // of a test its text; empty: none
  u32 name_begin = 0;  // the name's place, if it has one
  u32 head_begin = 0;  // its first word, without a `pub` before it
  bool is_public = false;
  u32 begin = 0, end = 0;  // bytes of the source, including comment lines right above it
};
// The items in the order of the source, of which these are the columns. Empty if there are no tokens.
[[nodiscard]] std::vector<TextItem> list_items(const frontend::Columns& c, std::string_view source);
// The same for the source that the compiler has compiled last.
[[nodiscard]] std::vector<TextItem> list_items(const frontend::Compiler& compiler,
                                               std::string_view source);
// The byte where statements follow items, as in `use std.geom; geom.Vec2(1.0, 2.0)`, which no program may have.
// Nothing if there are none.
[[nodiscard]] std::optional<u32> find_statements(const frontend::Compiler& compiler);

}  // namespace komuz::services

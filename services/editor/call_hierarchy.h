// SPDX-License-Identifier: Apache-2.0
// Who calls a function, and whom an item calls. Knows one text at a time: the caller knows which texts there are.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/editor/name_uses.h"
#include "services/items.h"

namespace komuz::services {

// An item that runs: a function, a space, a test, a property.
struct CallItem {
  std::string name;    // of a test what it is called
  std::string detail;  // `(x: f64) -> f64`; empty: it has no parameters, or is a test
  ItemForm form = ItemForm::Function;
  u32 begin = 0, end = 0;  // bytes of the text, without comments
  u32 name_begin = 0, name_end = 0;
};
// The item whose name stands at a place; else nothing.
[[nodiscard]] std::optional<CallItem> call_item_at(std::string_view text, u32 place);

struct Calls {
  CallItem item;
  std::vector<NameUse> places;  // in the text that calls
};
// Names of a text, in its order, by the items that they stand in; those in `use` items and in comments are left out.
[[nodiscard]] std::vector<Calls> group_by_item(std::string_view text,
                                               const std::vector<NameUse>& uses);

struct CalledFunction {
  TextPlace place;  // of its name
  std::vector<NameUse> places;
};
// The functions that the item at a place calls, in the order of the text; built-in ones have no text.
[[nodiscard]] std::vector<CalledFunction> functions_called(std::string_view text,
                                                           const Library& library, u32 place);

}  // namespace komuz::services

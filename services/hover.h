// SPDX-License-Identifier: Apache-2.0
// What stands at a place: of a name what it stands for, of an expression its type, of a hole what it may be. A source text and
// a place in, words out.
#pragma once
#include "services/symbols.h"

namespace komuz::services {

struct Hover {
  u32 begin = 0, end = 0;  // what is spoken of
  std::string kind;        // "function", "parameter", …; "value", "hole"
  std::string signature;   // `fn half(x: f64) -> f64`, `x: f64`; of a value its type
  std::string module;      // that it comes from; empty: the text itself, or built in
  std::string text;        // what there is to say; lines end with line ends
};
[[nodiscard]] std::optional<Hover> hover(const Analysis& analysis, u32 place);

}  // namespace komuz::services

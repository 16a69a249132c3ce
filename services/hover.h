// SPDX-License-Identifier: Apache-2.0
// Describes what stands at a place: the meaning of a name, the type of an expression, the possible contents of a
// hole. A source text and a place in, words out.
#pragma once
#include "services/symbols.h"

namespace komuz::services {

struct Hover {
  u32 begin = 0, end = 0;  // the described part
  std::string kind;        // "function", "parameter", …; "value", "hole"
  std::string signature;   // `fn half(x: f64) -> f64`, `x: f64`; for a value its type
  std::string module;      // its module; empty: the text itself, or built in
  std::string text;        // its documentation, with line ends
};
[[nodiscard]] std::optional<Hover> hover(const Analysis& analysis, u32 place);

}  // namespace komuz::services

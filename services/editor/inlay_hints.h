// SPDX-License-Identifier: Apache-2.0
// What a reader would like to know and the text does not say: types of `let` and `var`, which parameter a bare value
// is for, how many ways there are to fill in a hole. What is plain to see is left out.
#pragma once
#include <string>
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

enum class HintKind : u8 { Type, Parameter, Hole };
struct InlayHint {
  u32 at = 0;  // a byte of the text, before which it is shown
  HintKind kind = HintKind::Type;
  std::string text;      // ": f64", "lo:", "12 variants"
  u32 about = 0;         // the name that it is about, a byte of the text
  bool is_code = false;  // it may be written there as it is
};
// Between bytes [begin, end], in the order of the text.
[[nodiscard]] std::vector<InlayHint> list_inlay_hints(const Analysis& analysis, u32 begin, u32 end);

}  // namespace komuz::services

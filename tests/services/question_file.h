// SPDX-License-Identifier: Apache-2.0
// Questions about a text, in the text itself: a comment below a line marks a place in the line and names the
// question. The comments below it are the answer.
//
//   fn half(x: f64) -> f64 { x / 2.0 }
//   //                       ^ hover
//   //: `x` parameter: x: f64
#pragma once
#include <string>
#include <string_view>

namespace komuz::test {

// The text with the services' answers. The standard library is available.
[[nodiscard]] std::string answered(std::string_view text);

}  // namespace komuz::test

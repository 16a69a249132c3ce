// SPDX-License-Identifier: Apache-2.0
// Random inputs of a session, over names that most of its inputs define.
#pragma once
#include <string>

#include "base/random.h"

namespace komuz::test {

class InputWriter {
 public:
  explicit InputWriter(u64 seed) : random_(seed) {}

  // Variables and functions that the other inputs name; each is an input.
  static constexpr std::string_view kStart[] = {
      "let n = 7",
      "let x = 2.5",
      "var k = 3",
      "let xs = [4, 1, 3]",
      "var l = [1.5, 0.25].list(4)",
      "let s = \"a word\"",
      "type P = P(x: f64, n: i64)",
      "type Shape = Round(r: f64) | Flat",
      "let p = P(1.5, 2)",
      "fn half(v: f64) -> f64 { v / 2.0 }",
      "fn fact(v: i64) -> i64 rec 30 { if v <= 1 { 1 } else { v * fact(v - 1) } }",
      "space e(a: f64) -> f64 depth 1 { a, 2.0, e + e, e * e }",
  };
  // The cases of `data.csv`.
  static constexpr std::string_view kCases = "a,b,expected\n1.0,2.0,6.0\n2.0,3.0,13.0\n0.5,1.0,2\n";

  // An input of any kind; some are damaged.
  std::string any();
  // An item whose name only this call defines; `number` distinguishes it.
  std::string item(u32 number);
  // `let` or `var` with such a name.
  std::string binding(u32 number);
  // Without holes, of a known type.
  std::string expression();

 private:
  std::string integer(u32 depth), real(u32 depth), truth(u32 depth), list(u32 depth);
  std::string of_record(u32 depth), text();
  std::string statement(), line_with_holes(), hole(), command(), argument();
  std::string damaged(std::string input);
  template <size_t n>
  std::string one_of(const std::string_view (&from)[n]) {
    return std::string(random_.pick(from));
  }

  Random random_;
};

}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
#include "services/counterexample.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

std::string test_of(std::string_view source, std::vector<ParameterValue> values,
                    const Library& library = {}) {
  return counterexample_test(source, static_cast<u32>(source.find('"')), values, library);
}

TEST(Counterexample, IsTheBlockWithALetForEachParameter) {
  EXPECT_EQ(test_of("fn f() -> i64 { 1 }\nprop \"p\"(n:i64 in 0..9,s:Bytes[4]){assert n<3;}",
                    {{"n", "i64", "3"}, {"s", "Bytes[4]", "\"\\\"A\""}}),
            "test \"p\" {\n    let n: i64 = 3;\n    let s: Bytes[4] = \"\\\"A\";\n    assert n < "
            "3;\n}\n");
  EXPECT_EQ(test_of("test \"no property\" { assert true; }", {}), "");
}

TEST(Counterexample, NamesOfModulesAreThoseOfTheProgram) {
  Library library;
  Module geo, deep;
  geo.path = "lib.geo";
  geo.text = "use deep;\n";
  geo.public_names = {"Point", "Own", "Listed"};
  deep.path = "deep";
  deep.public_names = {"Round"};
  (void)library.add(std::move(geo));
  (void)library.add(std::move(deep));
  const std::string text = test_of(
      "use lib.geo;\nuse lib.geo.{Listed};\ntype Own = Own(x: i64);\n"
      "prop \"p\" (p: geo.Point) { assert false; }\n",
      {{"p", "Point", "Point(a: Some(Own(1)), b: Listed, c: Round(NAN), d: \"Point\")"}}, library);
  EXPECT_EQ(
      text,
      "use deep.{Round};\n\ntest \"p\" {\n"
      "    let p: geo.Point = geo.Point(a: Some(Own(1)), b: Listed, c: Round(NAN), d: \"Point\");\n"
      "    assert false;\n}\n");
}

}  // namespace
}  // namespace komuz::services

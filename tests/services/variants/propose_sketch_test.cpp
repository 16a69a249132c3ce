// SPDX-License-Identifier: Apache-2.0
#include "services/variants/propose_sketch.h"

#include <gtest/gtest.h>

#include "engine/cases/signature.h"
#include "engine/sketch/sketch_program.h"
#include "frontend_gpu/frontend.h"
#include "lang/types.h"
#include "services/format.h"

namespace komuz::services {
namespace {

// The text, which compiles, is formatted, is of the signature and has variants.
std::string proposed(const std::string& signature) {
  const Result<std::string> text = propose_sketch(signature);
  EXPECT_FALSE(text.problem()) << signature << ": " << text.problem().text();
  if (text.problem()) return {};
  frontend::Compiler compiler;
  EXPECT_EQ(format(compiler, text.value()).text, text.value());
  const auto sketch = engine::read_sketch(text.value(), {});
  EXPECT_TRUE(sketch) << text.value();
  if (!sketch) return {};
  const engine::VariantCount count = sketch->plan.count();
  EXPECT_TRUE(!count.is_exact || count.exact >= 10) << text.value();
  EXPECT_FALSE(sketch->plan.is_too_large());
  const CodeView code = sketch->code.view();
  const engine::EntryChoice entry = engine::choose_entry(code, "");
  EXPECT_EQ(entry.refusal, "");
  const engine::Signature of = engine::signature_of(code, code.functions[entry.function]);
  EXPECT_EQ(of.text(), engine::read_signature(signature).value().text());
  return text.value();
}
std::string why_not(const std::string& signature) {
  const Result<std::string> text = propose_sketch(signature);
  return text.problem() ? text.problem().text() : text.value();
}

// All pairs of types of a parameter and of the result.
TEST(ProposeSketch, EachSignatureOfItsTypesHasOne) {
  std::vector<std::string> scalars;
  for (u32 k = 1; k < kScalarCount; ++k) scalars.emplace_back(scalar_name(static_cast<Scalar>(k)));
  std::vector<std::string> parameters = scalars, results = scalars;
  for (const std::string& scalar : scalars) {
    parameters.push_back("[" + scalar + "]");
    parameters.push_back("List[" + scalar + ", 4]");
    parameters.push_back("[" + scalar + "; 3]");
    results.push_back("List[" + scalar + ", 8]");
  }
  for (const std::string& parameter : parameters)
    for (const std::string& result : results) {
      proposed("fn(x: " + parameter + ") -> " + result);
      if (testing::Test::HasFailure()) return;
    }
}

TEST(ProposeSketch, TakesSeveralParameters) {
  proposed("fn(a: f64, b: f64, c: f64, d: f64) -> f64");
  proposed("fn(a: f64, n: i64, b: bool) -> f64");
  proposed("fn(xs: [i64], ys: [f64], n: u8, b: bool) -> bool");
  proposed("fn(xs: [u8], ys: [u8]) -> bool");
  proposed("fn(n: i64, xs: [i64]) -> List[i64, 20]");
  proposed("fn(n: i64) -> List[i64, 20]");
  proposed("fn(b: bool) -> List[bool, 5]");
}

TEST(ProposeSketch, NumbersOfFloatsAreFitted) {
  const std::string text = proposed("pub fn law(m: f64, v: f64) -> f64");
  EXPECT_NE(text.find("pub fn law(m: f64, v: f64) -> f64"), std::string::npos);
  EXPECT_NE(text.find("?(real)"), std::string::npos);
  EXPECT_EQ(proposed("fn(n: i64) -> f64").find("?(real)"), std::string::npos);
}

TEST(ProposeSketch, TakesNamesThatItUsesItself) {
  proposed("fn(real: f64) -> f64");
  proposed("fn formula(formula: f64, value: f64, e: f64, item: f64) -> f64");
  proposed("fn(e: [i64], keep: i64, of_e: i64) -> i64");
}

TEST(ProposeSketch, SaysWhatItHasNoProposalFor) {
  EXPECT_EQ(why_not("fn(x: Option[i64]) -> i64"),
            "there is no proposal for `x` of the type `Option[i64]`; it is for numbers, bool, and "
            "slices, lists and arrays of these; a list is the only such result");
  EXPECT_NE(why_not("fn(x: f64) -> [f64; 3]").find("there is no proposal for a result of the type"),
            std::string::npos);
  EXPECT_NE(why_not("fn(x: (f64, f64)) -> f64").find("there is no proposal"), std::string::npos);
  EXPECT_NE(why_not("fn(x: [[f64; 2]]) -> f64").find("there is no proposal"), std::string::npos);
  EXPECT_NE(why_not("fn() -> f64").find("has nothing to calculate from"), std::string::npos);
  EXPECT_NE(why_not("f64").find("is no signature: "), std::string::npos);
}

}  // namespace
}  // namespace komuz::services

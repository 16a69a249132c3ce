// SPDX-License-Identifier: Apache-2.0
// Sketches for tests, from their texts.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::engine::test {

// A sketch, which must have no errors.
struct TestSketch {
  explicit TestSketch(std::string text) : source(std::move(text)), plan(read(source)) {}

  [[nodiscard]] const Sketch& sketch() const { return plan.sketch(); }
  [[nodiscard]] u64 count() const { return plan.count().exact; }
  [[nodiscard]] Decisions decisions(u64 number) const {
    Decisions out;
    EXPECT_TRUE(plan.unrank(number, out));
    return out;
  }
  [[nodiscard]] std::string filled(const Decisions& decisions) const {
    std::string out;
    EXPECT_TRUE(Fill(source, plan).write(decisions, out)) << source;
    return out;
  }
  [[nodiscard]] std::string filled(u64 number) const { return filled(decisions(number)); }
  [[nodiscard]] std::vector<std::string> all_filled() const {
    std::vector<std::string> out;
    for (u64 n = 0; n < count(); ++n) out.push_back(filled(n));
    return out;
  }

  std::string source;
  VariantPlan plan;

 private:
  [[nodiscard]] static Sketch read(std::string_view text) {
    const auto program = read_sketch(std::string(text), {});
    EXPECT_TRUE(program) << text;
    return program ? program->plan.sketch() : Sketch{};
  }
};

// A sketch of one expression, with the parameters n and m.
inline TestSketch expression_sketch(const std::string& expression) {
  return TestSketch("fn f(n: i64, m: i64) -> i64 { " + expression + " }");
}

}  // namespace komuz::engine::test

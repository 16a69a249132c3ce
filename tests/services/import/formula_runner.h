// SPDX-License-Identifier: Apache-2.0
// Programs of f64 that tests of formulas run.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "engine/cases/signature.h"
#include "engine/testing/single_run.h"
#include "frontend_gpu/frontend.h"

namespace komuz::services {

// A program of f64, compiled once.
class FormulaRunner {
 public:
  [[nodiscard]] bool compile(const std::string& source) {
    modules_.load(source);
    frontend::Compiler compiler({.library = &modules_.library()});
    compiler.compile(source, compiled_);
    return compiled_.ok;
  }
  [[nodiscard]] f64 run(std::span<const f64> arguments) const {
    const engine::EntryChoice entry = engine::choose_entry(compiled_.code.view(), "");
    EXPECT_EQ(entry.refusal, "");
    std::vector<u64> cells;
    for (const f64 value : arguments) cells.push_back(std::bit_cast<u64>(value));
    engine::SingleRun out;
    engine::run_single(compiled_.code.view(), static_cast<u32>(entry.function), cells, 1'000'000,
                       out);
    EXPECT_EQ(out.trap, Trap::None);
    return std::bit_cast<f64>(out.value.at(0));
  }

  // To the bit, with how it ended and what it took.
  struct Outcome {
    Trap trap = Trap::None;
    u64 value = 0, fuel = 0;
    bool operator==(const Outcome&) const = default;
  };
  [[nodiscard]] Outcome outcome(std::span<const f64> arguments) const {
    const engine::EntryChoice entry = engine::choose_entry(compiled_.code.view(), "");
    std::vector<u64> cells;
    for (const f64 value : arguments)
      cells.push_back(std::isnan(value) ? kCanonicalNan64 : std::bit_cast<u64>(value));
    engine::SingleRun out;
    engine::run_single(compiled_.code.view(), static_cast<u32>(entry.function), cells, 1'000'000,
                       out);
    return {out.trap, out.value.empty() ? 0 : out.value[0], out.fuel};
  }

 private:
  engine::ModuleLoader modules_{nullptr};
  frontend::Compilation compiled_;
};

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// A function of a text, for questions about equality.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/cases/signature.h"
#include "frontend_gpu/frontend.h"
#include "neural/equal/equality.h"

namespace komuz::test {

enum class Optimised : u8 { No, Yes };

// Keeps the code of its only `pub fn`. A text with errors fails the test.
class CompiledFunction {
 public:
  explicit CompiledFunction(std::string_view source, Optimised optimised = Optimised::Yes) {
    frontend::Options options;
    options.is_plain = optimised == Optimised::No;
    frontend::Compiler compiler(options);
    frontend::Compilation made;
    compiler.compile(source, made);
    EXPECT_TRUE(made.ok) << source;
    code_ = std::move(made.code);
    const engine::EntryChoice entry = engine::choose_entry(code_.view(), "");
    EXPECT_EQ(entry.refusal, "") << source;
    function_ = static_cast<u32>(entry.function);
  }
  [[nodiscard]] neural::ComparedFunction get() const { return {code_.view(), function_}; }

 private:
  Code code_;
  u32 function_ = 0;
};

}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
// The text of native code: that of three programs as it was when somebody looked at it last (KOMUZ_UPDATE=1 writes it
// anew), and what no code may have in it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "backend/c/c_interface.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"
#include "tests/backend/native_agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string ir_of(const CodeView& code, u32 function, backend::Effort effort, u32 lanes) {
  const auto made = native_backend()->emit(
      code, function,
      {.form = backend::Form::Ir, .effort = effort, .symbol = "f_case", .shape = {lanes}});
  EXPECT_EQ(made.problem().text(), "");
  return made.problem() ? std::string() : made.value();
}

// NAME.kasm → NAME.ll, and for 8 cases at a time NAME.8.ll
TEST(NativeText, CodeOfProgramsIsAsItWas) {
  KOMUZ_NEEDS_BACKEND;
  const fs::path folder = fs::path(KOMUZ_SOURCE_DIR) / "tests/backend/golden";
  for (const char* const name : {"line", "collatz", "factorial"}) {
    Code code;
    const AssemblyError error = assemble(read_text(folder / (std::string(name) + ".kasm")), code);
    ASSERT_EQ(error.reason, "") << name << ", line " << error.line;
    ASSERT_EQ(check_code(code.view(), code.functions).reason, "") << name;
    for (const u32 lanes : {1u, 8u}) {
      const std::string text = ir_of(code.view(), 0, backend::Effort::Normal, lanes);
      const fs::path golden = folder / (name + std::string(lanes == 1 ? ".ll" : ".8.ll"));
      if (std::getenv("KOMUZ_UPDATE") != nullptr) std::ofstream(golden, std::ios::binary) << text;
      EXPECT_EQ(text, read_text(golden)) << golden;
    }
  }
}

TEST(NativeText, NoInstructionIsLoose) {
  KOMUZ_NEEDS_BACKEND;
  for (const Instruction i : all_operations()) {
    if (!is_float(i.type) && !is_float(operand_type(i, 0))) continue;
    CodeBuilder b;
    b.function("f", operand_types(i), {result_type(i)});
    for (u16 n = 0; n < operand_types(i).size(); ++n) b.load(n);
    b.emit(i.op, i.type, i.a, i.b).end_function();
    const CaseRun run(b.code, std::vector<std::vector<u64>>(operand_types(i).size(), {0}));
    for (const u32 lanes : {1u, 16u}) {
      // The passes of -O2 take long for many cases, and the tier does not ask for them.
      const std::string text = ir_of(
          run.job().code, 0, lanes == 1 ? backend::Effort::Full : backend::Effort::Quick, lanes);
      EXPECT_NE(text.find("@f_case("), std::string::npos);
      expect_strict(text, operation_text(i) + ", " + std::to_string(lanes) + " lanes");
    }
  }
  for (u64 seed = 1; seed <= 12; ++seed) {
    const GeneratedCode program = generate_code(seed, 120);
    const CaseRun run(program.code, random_cases(program.code, program.entry, 1, seed),
                      program.entry);
    for (const auto& [effort, lanes] :
         {std::pair(backend::Effort::Full, 1u), {backend::Effort::Normal, 8u}}) {
      const std::string text = ir_of(run.job().code, program.entry, effort, lanes);
      EXPECT_NE(text.find("@f_case("), std::string::npos);
      expect_strict(text, "seed " + std::to_string(seed) + ", " + std::to_string(lanes) + " lanes");
    }
  }
}

u32 times_in(const std::string& text, std::string_view what) {
  u32 times = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++times;
  return times;
}

// What C calls, or what runs a case alone.
TEST(NativeText, FunctionsWithoutABudgetAreOnlyForCases) {
  KOMUZ_NEEDS_BACKEND;
  Code code;
  const std::string text =
      read_text(fs::path(KOMUZ_SOURCE_DIR) / "tests/backend/golden/collatz.kasm");
  ASSERT_EQ(assemble(text, code).reason, "");
  ASSERT_EQ(check_code(code.view(), code.functions).reason, "");
  const auto interface = backend::CInterface::make(
      code.view(), {0}, {.prefix = "", .fuel = 1000, .header = "steps.h", .about = "Of a test."});
  ASSERT_EQ(interface.problem().text(), "");
  std::vector<backend::CFunction> functions = interface.value().functions();
  const auto emitted = [&] {
    const auto made = native_backend()->emit(code.view(), 0,
                                             {.form = backend::Form::Ir,
                                              .effort = backend::Effort::Normal,
                                              .symbol = "",
                                              .c_functions = functions});
    EXPECT_EQ(made.problem().text(), "");
    return made.problem() ? std::string() : made.value();
  };
  const std::string whole = emitted();
  EXPECT_EQ(times_in(whole, "@steps_rows("), 1u) << whole;
  EXPECT_EQ(times_in(whole, "@steps_case("), 1u) << whole;
  functions[0].fuel = 0;
  const std::string of_cases = emitted();
  EXPECT_EQ(times_in(of_cases, "@steps_case("), 1u) << of_cases;
  EXPECT_EQ(times_in(of_cases, "@steps_rows("), 0u) << of_cases;
}

}  // namespace
}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
// Text for GPUs: what is in it, that NVIDIA's assembler takes it where it is installed, and what is refused.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/backend/native_agreement.h"
#include "tests/backend/ptx_lint.h"
#include "tests/backend/recursive_code.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

// Programs of a module, which have been checked.
class Module {
 public:
  void add(const Code& code, u32 function = 0) {
    const Function& f = code.functions[function];
    runs_.push_back(std::make_unique<CaseRun>(
        code, std::vector<std::vector<u64>>(f.parameter_slots, {0}), function));
    programs_.push_back(
        {runs_.back()->job().code, function, "program_" + std::to_string(programs_.size())});
  }
  [[nodiscard]] Result<std::string> emit(const backend::PtxRequest& request = {}) const {
    return native_backend()->emit_ptx(programs_, request);
  }
  [[nodiscard]] size_t size() const { return programs_.size(); }

 private:
  std::vector<std::unique_ptr<CaseRun>> runs_;
  std::vector<backend::PtxProgram> programs_;
};

size_t count(const std::string& text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The module has a kernel for each program, and nothing that must not be there.
std::string clean_ptx(const Module& module, const backend::PtxRequest& request,
                      const std::string& of) {
  const Result<std::string> made = module.emit(request);
  EXPECT_EQ(made.problem().text(), "") << of;
  if (made.problem()) return {};
  EXPECT_EQ(ptx_fault(made.value()), "") << of;
  EXPECT_EQ(count(made.value(), ".visible .entry program_"), module.size()) << of;
  return made.value();
}

// What ptxas says of it; empty where there is none.
std::string assembled(const std::string& ptx, const char* target) {
#if defined(KOMUZ_PTXAS)
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("komuz_ptx_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "module.ptx", std::ios::binary) << ptx;
  const std::string command = std::string("'") + KOMUZ_PTXAS + "' -arch=" + target + " -o '" +
                              (folder / "module.cubin").string() + "' '" +
                              (folder / "module.ptx").string() + "' 2>'" +
                              (folder / "said").string() + "'";
  const int code = std::system(command.c_str());
  std::ifstream in(folder / "said", std::ios::binary);
  std::string said{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  in.close();
  std::filesystem::remove_all(folder);
  return code == 0 ? said : "exit code " + std::to_string(code) + ": " + said;
#else
  static_cast<void>(ptx);
  static_cast<void>(target);
  return {};
#endif
}

TEST(Ptx, TheLintFindsWhatItIsFor) {
  EXPECT_EQ(ptx_fault("mul.rn.f64 %fd1, %fd2, %fd3;\n\tadd.rn.f32 \t%f1, %f2, %f3;\n"
                      "@%p1 bra $L1;\nmul.lo.s64 %rd1, %rd2, %rd3; // mul.f64\n"
                      "fma.rn.f64 %fd1, %fd2, %fd3, %fd4;\nsub.s32 %r1, %r2, %r3;\n"
                      "max.f64 \t%fd1, %fd2, 0d3FF0000000000000;\n"),
            "");
  for (const char* const line :
       {"mul.f64 %fd1, %fd2, %fd3;", "\tadd.f32 \t%f1, %f2, %f3;", "sub.ftz.f32 %f1, %f2, %f3;",
        "div.full.f32 %f1, %f2, %f3;", "sqrt.approx.f32 %f1, %f2;",
        "@%p1 mul.f64 %fd1, %fd2, %fd3;", ".extern .func (.param .b64 r) sin (.param .b64 x)",
        "max.f64 %fd1, %fd2, %fd3;", "min.f64 \t%fd1, %fd2, 0d8000000000000000;",
        "max.f32 %f1, %f2, 0f00000000;", "mad.f32 %f1, %f2, %f3, %f4;",
        "mul.rz.f64 %fd1, %fd2, %fd3;"}) {
    EXPECT_NE(ptx_fault(std::string("ret;\n") + line + "\n").find("line 2: "), std::string::npos)
        << line;
  }
}

// Every pure operation at every type, with operands from columns and with a constant.
TEST(Ptx, EveryOperationIsClean) {
  KOMUZ_NEEDS_BACKEND;
  const std::vector<Instruction> all = all_operations();
  for (size_t begin = 0; begin < all.size(); begin += 64) {
    Module module;
    for (size_t k = begin; k < std::min(begin + 64, all.size()); ++k) {
      const Instruction i = all[k];
      const std::vector<Scalar> types = operand_types(i);
      CodeBuilder b;
      b.function("f", types, {result_type(i)});
      for (u16 n = 0; n < types.size(); ++n) b.load(n);
      b.emit(i.op, i.type, i.a, i.b).end_function();
      module.add(b.code);
    }
    clean_ptx(module, {}, operation_text(all[begin]));
  }
}

TEST(Ptx, RandomCodeIsCleanAndAssembled) {
  KOMUZ_NEEDS_BACKEND;
  struct Way {
    const char* target;
    backend::Effort effort;
    std::vector<const char*> gpus;
  };
  const Way ways[] = {{"sm_75", backend::Effort::Normal, {"sm_75", "sm_90", "sm_100"}},
                      {"sm_90", backend::Effort::Normal, {"sm_90"}},
                      {"sm_75", backend::Effort::Quick, {}},
                      {"sm_75", backend::Effort::Full, {"sm_75"}}};
  Module module;
  for (u64 n = 0; n < 48; ++n) {
    const GeneratedCode program = generate_code(1 + n * 1021, n % 2 == 0 ? 12 : 40);
    module.add(program.code, program.entry);
  }
  for (const Way& way : ways) {
    const std::string of = std::string(way.target) + ", " + std::to_string(u32(way.effort));
    const std::string ptx = clean_ptx(module, {.target = way.target, .effort = way.effort}, of);
    const bool is_portable = std::string_view(way.target) == "sm_75";
    EXPECT_NE(
        ptx.find(is_portable ? ".version 6.3\n.target sm_75\n" : ".version 7.8\n.target sm_90\n"),
        std::string::npos)
        << ptx.substr(0, 200);
    for (const char* const gpu : way.gpus) EXPECT_EQ(assembled(ptx, gpu), "") << of << ", " << gpu;
  }
}

// No function calls itself: ptxas knows what each kernel takes of a thread's memory.
TEST(Ptx, RecursionHasFrames) {
  KOMUZ_NEEDS_BACKEND;
  Module module;
  module.add(count_down(300));
  module.add(fibonacci());
  module.add(even_and_odd());
  module.add(frames_with_areas());
  module.add(recursion_in_a_loop());
  const std::string ptx = clean_ptx(module, {}, "recursion");
  // It would say that it cannot be determined.
  EXPECT_EQ(assembled(ptx, "sm_90"), "");
}

TEST(Ptx, TooMuchOfAThreadsMemoryIsRefused) {
  KOMUZ_NEEDS_BACKEND;
  Module module;
  module.add(count_down(1));
  module.add(count_down(2000));
  const std::string why = module.emit().problem().text();
  EXPECT_NE(why.find("`program_1`: a case may take "), std::string::npos) << why;
  EXPECT_NE(why.find("at most 65536"), std::string::npos) << why;
}

TEST(Ptx, OtherTargetsAreRefused) {
  KOMUZ_NEEDS_BACKEND;
  Module module;
  module.add(count_down(1));
  for (const char* const target : {"", "sm_7", "sm_80", "x86-64"}) {
    const std::string why = module.emit({.target = target}).problem().text();
    EXPECT_NE(why.find("sm_75"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace komuz::test

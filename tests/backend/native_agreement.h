// SPDX-License-Identifier: Apache-2.0
// Native code against the reference: one job, made in several ways. All columns are compared.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <string>

#include "backend/backend.h"
#include "tests/vm/code_builder.h"

namespace komuz::test {

// Seeds of random programs: those of a test, or KOMUZ_SEEDS=N of them from KOMUZ_FIRST_SEED on, one behind the other. What a seed
// makes depends on it alone, so a long run can go on where it was ended.
struct Seeds {
  u64 first, count, stride;
};
inline Seeds seeds(const Seeds& of_test) {
  const char* const count = std::getenv("KOMUZ_SEEDS");
  if (count == nullptr) return of_test;
  const char* const first = std::getenv("KOMUZ_FIRST_SEED");
  return {first == nullptr ? 1 : std::strtoull(first, nullptr, 10),
          std::strtoull(count, nullptr, 10), 1};
}

// How code is made.
struct Making {
  backend::Effort effort;
  const char* processor = "native";
  backend::Shape shape = {};
};
inline constexpr Making kEfforts[] = {
    {backend::Effort::Quick}, {backend::Effort::Normal}, {backend::Effort::Full}};
// The same for many cases at a time. x86-64-v3 has no AVX-512, and x86-64 no fma and no AVX either.
inline constexpr Making kLaneWays[] = {{backend::Effort::Quick, "native", {8}},
                                       {backend::Effort::Normal, "native", {16}},
                                       {backend::Effort::Normal, "native", {32}},
                                       {backend::Effort::Normal, "x86-64-v3", {8}},
                                       {backend::Effort::Normal, "x86-64", {8}}};
inline std::string text(const Making& making) {
  constexpr const char* kNames[] = {"quick", "normal", "full"};
  return std::string(kNames[static_cast<u8>(making.effort)]) + " for " + making.processor + ", " +
         std::to_string(making.shape.lanes) + " lanes";
}

// The opened backend; null where there is none, which is a failure where LLVM was found at build time.
inline const backend::Backend* native_backend() {
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (!opened.problem()) return opened.value();
#if defined(KOMUZ_HAVE_LLVM)
  ADD_FAILURE() << opened.problem().text();
#endif
  return nullptr;
}
#define KOMUZ_NEEDS_BACKEND \
  if (native_backend() == nullptr) GTEST_SKIP() << "built without LLVM"

// What of two runs differs first; empty if nothing does.
inline std::string difference(const CaseRun& run, const CaseRun& wanted) {
  const auto text = [](const CaseRun& of, u32 row) {
    return std::string(trap_name(of.traps[row])) + " at " + std::to_string(of.places[row]) +
           ", depth " + std::to_string(of.depths[row]) + ", fuel " + std::to_string(of.fuel[row]);
  };
  for (u32 row = 0; row < run.traps.size(); ++row)
    if (run.traps[row] != wanted.traps[row] || run.places[row] != wanted.places[row] ||
        run.depths[row] != wanted.depths[row] || run.fuel[row] != wanted.fuel[row])
      return "case " + std::to_string(row) + ": " + text(run, row) + ", not " + text(wanted, row);
  for (size_t cell = 0; cell < run.values.size(); ++cell)
    if (run.values[cell] != wanted.values[cell])
      return "case " + std::to_string(cell % run.traps.size()) + ": value " +
             std::to_string(run.values[cell]) + ", not " + std::to_string(wanted.values[cell]);
  return {};
}

// Flags that let LLVM compute with other numbers than those that are written, and functions of other libraries, which
// do so.
inline void expect_strict(const std::string& text, const std::string& of) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin) + " ";
    begin = end + 1;
    if (line.starts_with("declare ")) {
      EXPECT_NE(line.find("@llvm."), std::string::npos) << of << ": " << line;
      EXPECT_EQ(line.find("fmuladd"), std::string::npos) << of << ": " << line;
    }
    for (const char* const flag :
         {" fast ", " nnan ", " ninf ", " nsz ", " arcp ", " contract ", " afn ", " reassoc "})
      EXPECT_EQ(line.find(flag), std::string::npos) << of << ": " << line;
  }
}

// False at the first difference, which is reported. `rows` as for CaseRun. Counts what the backend refuses.
class NativeAgreement {
 public:
  bool expect(const Code& code, const std::vector<std::vector<u64>>& rows, u32 function = 0,
              u32 cases = 1, u64 budget = kDefaultFuel,
              std::span<const Making> makings = kEfforts) {
    CaseRun wanted(code, rows, function, cases, budget);
    if (!wanted.is_checked()) return false;
    wanted.reference();
    for (const Making& making : makings) {
      CaseRun run(code, rows, function, cases, budget);
      const vm::Job job = run.job();
      const Result<backend::NativeCode> native = native_backend()->compile(
          job.code, function, making.effort, making.processor, making.shape);
      if (native.problem()) {
        ++refused_;
        last_refusal_ = native.problem().text();
        continue;
      }
      native.value().run({job.cases, job.fuel, job.stop}, run.outcomes());
      ++compared_;
      const std::string found = difference(run, wanted);
      EXPECT_EQ(found, "") << text(making);
      if (!found.empty()) return false;
    }
    return true;
  }
  [[nodiscard]] u32 compared() const { return compared_; }
  [[nodiscard]] u32 refused() const { return refused_; }
  [[nodiscard]] const std::string& last_refusal() const { return last_refusal_; }

 private:
  u32 compared_ = 0, refused_ = 0;
  std::string last_refusal_;
};

}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
// Kernels on a GPU against the reference. On a machine with a GPU and without the backend, the module is the file
// device_programs.ptx beside the executable (tools/write_device_ptx.cpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "backend/cuda/ptx_device.h"
#include "tests/backend/device_programs.h"
#include "tests/backend/native_agreement.h"

namespace komuz::test {
namespace {

std::string module_text(std::vector<DeviceProgram>& programs) {
  std::error_code ignored;
  const std::filesystem::path beside =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() /
      "device_programs.ptx";
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (!opened.problem()) {
    const Result<std::string> made = device_ptx(*opened.value(), programs);
    EXPECT_EQ(made.problem().text(), "");
    return made.problem() ? std::string() : made.value();
  }
  std::ifstream in(beside, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool has_kernel(const std::string& ptx, const std::string& symbol) {
  return ptx.find(".visible .entry " + symbol + "(") != std::string::npos;
}

// What a GPU will run has nearly all of the programs.
TEST(PtxDevice, TheModuleHasThePrograms) {
  std::vector<DeviceProgram> programs = device_programs();
  const std::string ptx = module_text(programs);
  if (ptx.empty()) GTEST_SKIP() << "there is neither a backend nor a module";
  size_t kernels = 0;
  for (const DeviceProgram& program : programs) kernels += has_kernel(ptx, program.symbol) ? 1 : 0;
  EXPECT_GE(kernels * 20, programs.size() * 19);
}

TEST(PtxDevice, ProgramsAgreeWithReference) {
  Result<backend::OpenedPtxDevice> opened = backend::open_ptx_device();
  if (opened.problem()) GTEST_SKIP() << opened.problem().text();
  std::vector<DeviceProgram> programs = device_programs();
  const std::string ptx = module_text(programs);
  if (ptx.empty()) GTEST_SKIP() << "there is neither a backend nor a module";
  backend::PtxDevice& device = *opened.value().device;
  const Result<std::unique_ptr<backend::PtxModule>> module = device.load(ptx);
  ASSERT_EQ(module.problem().text(), "");
  u64 cases = 0;
  f64 seconds = 0;
  for (const DeviceProgram& program : programs) {
    if (!has_kernel(ptx, program.symbol)) continue;
    CaseRun wanted(program.code, program.rows, program.entry, 200, program.budget);
    wanted.reference();
    CaseRun run(program.code, program.rows, program.entry, 200, program.budget);
    const vm::Job job = run.job();
    // In two launches, each of which leaves the rows of the other as they are.
    const u32 count = job.cases.count, middle = count / 3;
    for (const auto& [first, rows] : {std::pair(middle, count - middle), std::pair(0u, middle)})
      ASSERT_EQ(module.value()
                    ->run(program.symbol, {job.cases, job.fuel, first, rows}, run.outcomes())
                    .text(),
                "")
          << program.symbol;
    ASSERT_EQ(difference(run, wanted), "") << program.symbol;
    cases += run.traps.size();
    seconds += device.seconds();
  }
  std::cout << cases << " cases in " << seconds * 1e3 << " ms on " << opened.value().name << "\n";
}

// A kernel with many cases, as fast as this GPU is, and the same outcomes.
TEST(PtxDevice, ManyCasesOfOneProgram) {
  Result<backend::OpenedPtxDevice> opened = backend::open_ptx_device();
  if (opened.problem()) GTEST_SKIP() << opened.problem().text();
  std::vector<DeviceProgram> programs = device_programs();
  const std::string ptx = module_text(programs);
  if (ptx.empty()) GTEST_SKIP() << "there is neither a backend nor a module";
  backend::PtxDevice& device = *opened.value().device;
  const Result<std::unique_ptr<backend::PtxModule>> module = device.load(ptx);
  ASSERT_EQ(module.problem().text(), "");
  // f(n) = n + f(n - 1), which is recursion.
  const auto wanted_code = count_down(300);
  const DeviceProgram* program = nullptr;
  for (const DeviceProgram& p : programs)
    if (program == nullptr && p.code.instructions.size() == wanted_code.instructions.size() &&
        p.rows.size() == 1 && p.rows[0].size() == 12)
      program = &p;
  ASSERT_NE(program, nullptr);
  std::vector<u64> counts(1 << 18);
  for (size_t k = 0; k < counts.size(); ++k) counts[k] = k * 2654435761u % 303;
  CaseRun wanted(program->code, {counts}, program->entry, 1, kDefaultFuel);
  vm::BatchMachine().run(wanted.job(), wanted.outcomes());
  CaseRun run(program->code, {counts}, program->entry, 1, kDefaultFuel);
  const vm::Job job = run.job();
  for (u32 n = 0; n < 3; ++n)
    ASSERT_EQ(module.value()
                  ->run(program->symbol, {job.cases, job.fuel, 0, job.cases.count}, run.outcomes())
                  .text(),
              "");
  EXPECT_EQ(difference(run, wanted), "");
  std::cout << counts.size() << " recursive cases in " << device.seconds() * 1e3 << " ms on "
            << opened.value().name << "\n";
}

TEST(PtxDevice, WhatCannotBeLoadedIsSaid) {
  Result<backend::OpenedPtxDevice> opened = backend::open_ptx_device();
  if (opened.problem()) GTEST_SKIP() << opened.problem().text();
  backend::PtxDevice& device = *opened.value().device;
  EXPECT_NE(device.load("no module").problem().text().find("while loading a module"),
            std::string::npos);
  constexpr char kEmpty[] = ".version 6.3\n.target sm_75\n.address_size 64\n";
  const Result<std::unique_ptr<backend::PtxModule>> module = device.load(kEmpty);
  ASSERT_EQ(module.problem().text(), "");
  const CaseRun run(count_down(1), {{0}});
  CaseRun out(count_down(1), {{0}});
  const std::string too_much =
      module.value()->run("f", {run.job().cases, u64{1} << 63, 0, 1}, out.outcomes()).text();
  EXPECT_NE(too_much.find("less than 2^63"), std::string::npos) << too_much;
  const std::string missing =
      module.value()->run("f", {run.job().cases, 1, 0, 1}, out.outcomes()).text();
  EXPECT_NE(missing.find("looking for the kernel `f`"), std::string::npos) << missing;
}

}  // namespace
}  // namespace komuz::test

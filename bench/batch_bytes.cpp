// SPDX-License-Identifier: Apache-2.0
// Counts the bytes that move between a host and a GPU for one batch, from text to scores. No GPU is needed: what is packed is what would
// be sent, and the emulator hands back what a device would.
//
//   batch_bytes [PROGRAMS [CASES]]      1000, 256
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "bench/programs.h"
#include "engine/device/score_task.h"
#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/device/packed.h"
#include "frontend_gpu/frontend.h"
#include "vm/cuda/lower_warp.h"
#include "vm/cuda/warp_code.h"

namespace komuz::bench {
namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "batch_bytes: %s\n", why.c_str());
  std::exit(1);
}

template <class List>
u64 bytes_of(const List& list) {
  return list.size() * sizeof(list[0]);
}

struct Line {
  const char* what;
  u64 to_device = 0, from_device = 0;
};

// The text and where each program begins; a row for each, and the code with what messages are made of.
Line compile_there(const Sources& sources) {
  std::vector<std::string_view> texts(sources.texts.begin(), sources.texts.end());
  std::vector<u32> numbers(texts.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  frontend::PackedPrograms packed;
  packed.pack(texts, numbers);
  const auto device = frontend::emulated_device(1, 4);
  frontend::DeviceAnswer answer;
  if (const Problem problem = device->run(packed, answer)) give_up(problem.text());
  return {"compiled", bytes_of(packed.text) + bytes_of(packed.programs),
          answer.results.size_bytes() + answer.output.size()};
}

// Register code, places, constants and types of all programs, and their order.
Line send_code(const Sources& sources) {
  frontend::Compiler compiler;
  frontend::Compilation out;
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  for (const std::string& text : sources.texts) {
    compiler.compile(text, out);
    if (!out.ok) give_up("a candidate does not compile: " + text);
    if (!lowering.add(out.code.view(), 0, batch)) give_up("a candidate does not fit a device");
  }
  return {"run", bytes_of(batch.programs) + bytes_of(batch.ops) + bytes_of(batch.places) +
                     bytes_of(batch.constants) + bytes_of(batch.types) +
                     batch.programs.size() * sizeof(u32)};
}

// The columns of the cases, once; a score of each program, and the result of one case.
Line score_there(u64 programs, u64 cases) {
  const u64 rows = (cases + vm::kWarpCases - 1) / vm::kWarpCases * vm::kWarpCases;
  constexpr u64 kColumns = 7 + 1;  // the parameters, and what is expected
  return {"scored", rows * kColumns * sizeof(f64),
          programs * (sizeof(engine::ProgramScore) + sizeof(u64))};
}

void run(u32 programs, u32 cases) {
  const Sources sources = make_expression_programs(make_expressions(programs, 1), "f64");
  const Line lines[] = {compile_there(sources), send_code(sources), score_there(programs, cases)};
  std::printf("%u programs, %zu bytes of source, %u cases of f64\n\n", programs, sources.bytes,
              cases);
  std::printf("%-10s %14s %14s\n", "", "to the device", "from it");
  Line all{"together"};
  for (const Line& line : lines) {
    std::printf("%-10s %14llu %14llu\n", line.what, static_cast<unsigned long long>(line.to_device),
                static_cast<unsigned long long>(line.from_device));
    all.to_device += line.to_device;
    all.from_device += line.from_device;
  }
  std::printf("%-10s %14llu %14llu\n", all.what, static_cast<unsigned long long>(all.to_device),
              static_cast<unsigned long long>(all.from_device));
  std::printf("a program: %.0f bytes of source, %.0f to the device, %.0f from it\n",
              static_cast<f64>(sources.bytes) / programs,
              static_cast<f64>(all.to_device) / programs,
              static_cast<f64>(all.from_device) / programs);
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  const auto argument = [&](int k, komuz::u32 otherwise) {
    return argc > k ? static_cast<komuz::u32>(std::strtoul(argv[k], nullptr, 10)) : otherwise;
  };
  const komuz::u32 programs = argument(1, 1000), cases = argument(2, 256);
  if (programs == 0 || cases == 0) {
    std::fprintf(stderr, "usage: batch_bytes [PROGRAMS [CASES]]\n");
    return 2;
  }
  komuz::bench::run(programs, cases);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Programs for devices, and their required results.
#pragma once
#include <gtest/gtest.h>

#include "frontend_gpu/device/batch.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {

// Compiles on a device, and expects the serial group's results.
inline frontend::PathCounts expect_as_serial(frontend::BatchCompiler& device,
                                             const std::vector<std::string>& sources,
                                             frontend::Options options = {}) {
  std::vector<std::string_view> views(sources.begin(), sources.end());
  device.use_library(options.library);
  const Problem problem = device.run(views);
  EXPECT_EQ(problem.text(), "");
  if (problem) return {};
  frontend::BatchReader reader(options);
  frontend::Compiler serial(options);
  frontend::Compilation wanted, found;
  for (u32 k = 0; k < sources.size(); ++k) {
    serial.compile(sources[k], wanted);
    device.read(k, reader, found);
    EXPECT_EQ(first_difference(wanted, found), "") << sources[k].substr(0, 4000);
  }
  const frontend::PathCounts& paths = reader.paths;
  EXPECT_EQ(paths.refused + paths.warp + paths.block + paths.on_host(), sources.size());
  return paths;
}

inline std::vector<std::string> generated_programs(u64 count) {
  std::vector<std::string> sources;
  for (u64 seed = 1; seed <= count; ++seed) sources.push_back(gen::generate_program(seed));
  return sources;
}
inline std::vector<std::string> damaged_programs(u64 count) {
  std::vector<std::string> sources = generated_programs(count);
  for (u64 seed = 0; seed < count; ++seed)
    sources[seed] = gen::mutate_source(sources[seed], seed,
                                       seed % 2 == 0 ? gen::Mutation::Token : gen::Mutation::Byte);
  return sources;
}
inline std::string long_program(u32 functions) {
  gen::Options options;
  options.functions = functions;
  return gen::generate_program(functions, options);
}

// `part` repeated, each on a line of its own.
inline std::string repeated(u32 times, const std::string& part) {
  std::string text;
  for (u32 k = 0; k < times; ++k) text += part + "\n";
  return text;
}

}  // namespace komuz::test

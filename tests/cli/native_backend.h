// SPDX-License-Identifier: Apache-2.0
// Is there a backend for tests of native code?
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {

// Where the build made one, it has to open.
inline bool has_backend(const ScratchFolder& scratch) {
  const nlohmann::json problem = nlohmann::json::parse(
      run_command("komuz devices --json", scratch.path()).out)["native"]["problem"];
  const std::filesystem::path komuz(KOMUZ_EXECUTABLE);
  if (std::filesystem::exists(komuz.parent_path() / "komuz_backend.so")) {
    EXPECT_TRUE(problem.is_null()) << problem;
  }
  return problem.is_null();
}

}  // namespace komuz::cli_test

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace komuz::cli {

// The version of the project in CMakeLists.txt.
inline constexpr std::string_view kVersion = KOMUZ_VERSION;

// The commit that this executable was built from (scripts/cmake/write_commit.cmake).
struct Commit {
  std::string_view id;    // of git; empty: unknown
  std::string_view date;  // such as 2026-11-28; without a commit, that of the sources
};
extern const Commit kCommit;

}  // namespace komuz::cli

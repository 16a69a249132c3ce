// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace komuz::cli {

// Of the project in CMakeLists.txt.
inline constexpr std::string_view kVersion = KOMUZ_VERSION;

// What was checked out when this executable was built (scripts/cmake/write_commit.cmake).
struct Commit {
  std::string_view id;    // of git; empty: nobody knows
  std::string_view date;  // such as 2026-11-28; of the sources, where there is no commit
};
extern const Commit kCommit;

}  // namespace komuz::cli

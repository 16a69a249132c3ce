// SPDX-License-Identifier: Apache-2.0
// What a process sets for all native code that it makes, by environment variables (docs/native.md).
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"

namespace komuz::backend {

// Who is told where functions of compiled code lie.
enum class Maps : u8 {
  None,
  Perf,  // /tmp/perf-PID.map
  Gdb,   // GDB's interface for code that is made as a process runs
};
// As values of KOMUZ_NATIVE_MAPS, from Perf on.
inline constexpr std::string_view kMapsNames[] = {"perf", "gdb"};

struct BackendSettings {
  Maps maps = Maps::None;
  // Object files that were made are kept there, for other processes; empty: nowhere.
  std::string cache_folder = {};
  // So many folders at the end of its path are made where they are missing; the path to them has to be there.
  u32 cache_levels = 1;
};

// How often code was there already.
struct CacheUse {
  u64 in_memory = 0, on_disk = 0, made = 0;
};

// Of KOMUZ_NATIVE_MAPS and KOMUZ_NATIVE_CACHE.
[[nodiscard]] Result<BackendSettings> settings_of_environment();

}  // namespace komuz::backend

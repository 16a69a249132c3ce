// SPDX-License-Identifier: Apache-2.0
// How many threads can run at once, and on what.
#pragma once
#include <string>

#include "base/ints.h"

namespace komuz::machine {

// The number of processors that this process may use: those of its affinity, and no more than the time that its
// control groups are given would keep busy (rounded up). At least 1. `root`: as for control_groups().
[[nodiscard]] u32 usable_processors(const std::string& root = {});

// The number of processors that the machine has.
[[nodiscard]] u32 all_processors();

// The name that the processor has of its maker, or "unknown". `root`: as above.
[[nodiscard]] std::string processor_name(const std::string& root = {});

}  // namespace komuz::machine

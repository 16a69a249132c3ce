// SPDX-License-Identifier: Apache-2.0
// The control groups that limit this process, as a container or a job scheduler does: of version 2, of version 1,
// or of both side by side.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::machine {

struct ControlGroup {
  enum class Version : u8 { One, Two };
  Version version;
  std::string folder;  // with the files that hold its limits, and how much of them is used
};

// The group of this process and those above it, as far as they can be seen from here. The limits of all of them
// hold. `controller`: "cpu" or "memory". `root` is put before all paths, for tests; empty: this machine's root.
[[nodiscard]] std::vector<ControlGroup> control_groups(std::string_view controller,
                                                       const std::string& root = {});

// The number with which such a file begins. None for "max", which stands for no limit, for -1, and for anything
// else.
[[nodiscard]] std::optional<u64> first_number(const std::string& path);
[[nodiscard]] std::optional<std::string> first_line(const std::string& path);

}  // namespace komuz::machine

// SPDX-License-Identifier: Apache-2.0
// Which control groups limit this process, as a container or a job scheduler does: of version 2, of version 1, and of both
// side by side.
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
  std::string folder;  // with the files that say what its limits are, and how much of them is used
};

// The group that the process is in and those above it, as far as they can be seen from here: the limits of all of them
// hold. `controller`: "cpu" or "memory". `root` stands before all paths, for tests; empty: this machine's.
[[nodiscard]] std::vector<ControlGroup> control_groups(std::string_view controller,
                                                       const std::string& root = {});

// Numbers that such a file begins with. "max", which stands for none, and -1 are not among them, nor is what follows.
[[nodiscard]] std::optional<u64> first_number(const std::string& path);
[[nodiscard]] std::optional<std::string> first_line(const std::string& path);

}  // namespace komuz::machine

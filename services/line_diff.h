// SPDX-License-Identifier: Apache-2.0
// Two texts as a unified diff, which `patch` understands.
#pragma once
#include <string>
#include <string_view>

namespace komuz::services {

struct NamedText {
  std::string_view name, text;
};

// Empty if they are equal. Lines that only differ are told apart one by one; where their number differs, all from the
// first to the last of them are shown.
[[nodiscard]] std::string line_diff(const NamedText& before, const NamedText& after);

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// Two texts as a unified diff, which `patch` understands.
#pragma once
#include <string>
#include <string_view>

namespace komuz::services {

struct NamedText {
  std::string_view name, text;
};

// Empty if they are equal. The smallest diff, without context lines; texts that are more than a thousand lines apart
// may get a larger one.
[[nodiscard]] std::string line_diff(const NamedText& before, const NamedText& after);

}  // namespace komuz::services

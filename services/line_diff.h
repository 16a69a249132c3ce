// SPDX-License-Identifier: Apache-2.0
// Two texts as a unified diff, which `patch` understands.
#pragma once
#include <string>
#include <string_view>

namespace komuz::services {

// Empty if they are equal. Lines that only differ are told apart one by one; where their number differs, all from the
// first to the last of them are shown.
[[nodiscard]] std::string line_diff(std::string_view name, std::string_view before,
                                    std::string_view after);

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// Counts the answers that survive damage to a text: one token is deleted, and questions about all names outside of
// its item must have the same answers as before.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::test {

struct Survival {
  u64 deletions = 0, asked = 0, survived = 0;
  [[nodiscard]] double share() const {
    return asked == 0 ? 1 : static_cast<double>(survived) / static_cast<double>(asked);
  }
};

// Deletes every `step`-th token of a text, from number `first` on; its modules are looked for in `folder`. `told`:
// gets a line for each deletion that loses answers; null: not wanted.
[[nodiscard]] Survival measure_survival(const std::string& text,
                                        const std::filesystem::path& folder, u32 first, u32 step,
                                        std::string* told = nullptr);

}  // namespace komuz::test

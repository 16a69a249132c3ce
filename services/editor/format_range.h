// SPDX-License-Identifier: Apache-2.0
// The formatter for a part of a text: of the items that the part touches. What is broken elsewhere does not keep them
// from it.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

// An item as it is, and as it should be; its comments are part of it.
struct FormattedItem {
  u32 begin = 0, end = 0;  // bytes of the text
  std::string text;
};
struct FormattedRange {
  std::vector<FormattedItem> items;
  // Why one of them is not formatted; None: all are.
  Diagnostic wrong;
};
[[nodiscard]] FormattedRange format_range(std::string_view text, u32 begin, u32 end,
                                          const std::stop_token& stop);

}  // namespace komuz::services

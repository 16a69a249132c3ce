// SPDX-License-Identifier: Apache-2.0
#include "lsp/client/progress.h"

#include <algorithm>

namespace komuz::lsp {

void Progress::begin(std::string_view title) {
  if (!tell_ || has_begun_) return;
  has_begun_ = true;
  tell_({{"kind", "begin"}, {"title", title}, {"cancellable", true}, {"percentage", 0}});
}

void Progress::report(u64 done, u64 all, std::string_view words) {
  if (!has_begun_ || all == 0) return;
  const u64 percent = 100 * std::min(done, all) / all;
  if (percent <= percent_) return;
  percent_ = percent;
  Json value = {{"kind", "report"}, {"cancellable", true}, {"percentage", percent}};
  if (!words.empty()) value["message"] = words;
  tell_(std::move(value));
}

void Progress::part(Json value) {
  if (takes_parts()) tell_({{"kind", "part"}, {"value", std::move(value)}});
}

}  // namespace komuz::lsp

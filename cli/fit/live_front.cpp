// SPDX-License-Identifier: Apache-2.0
#include "cli/fit/live_front.h"

#include <algorithm>

#include "services/charts/number_text.h"
#include "services/fit/fit_text.h"

namespace komuz::cli {

void LiveFront::on_progress(const Progress& progress) {
  services::Progress shown{progress.candidates, std::nullopt, progress.fraction.value_or(-1),
                           "formulas", best_};
  bar_.update(shown);
}

void LiveFront::on_front(std::span<const services::FitFormula> front) {
  if (front.empty()) return;
  best_ =
      services::short_text(services::shown_error(options_.loss, front.back().training.mean_loss));
  if (!terminal_.err.is_terminal()) return;
  clear();
  constexpr size_t kMost = 12;  // the largest ones
  const auto shown = front.last(std::min(front.size(), kMost));
  const u32 columns = terminal_.err.columns().value_or(Stream::kPipeWidth);
  const std::string table = services::front_table(shown, {}, options_.loss, target_, columns - 1);
  terminal_.err.write(table);
  terminal_.err.flush();
  lines_ = static_cast<u32>(std::ranges::count(table, '\n'));
}

void LiveFront::clear() {
  bar_.clear();
  if (lines_ != 0) terminal_.err.write("\x1b[" + std::to_string(lines_) + "A\x1b[J");
  lines_ = 0;
}

}  // namespace komuz::cli

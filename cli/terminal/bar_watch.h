// SPDX-License-Identifier: Apache-2.0
// For long work outside of evaluations: a stop token, and a progress bar.
#pragma once
#include "cli/process/interrupt.h"
#include "cli/terminal/progress_bar.h"
#include "engine/support/watch.h"

namespace komuz::cli {

class BarWatch final : public engine::Watch {
 public:
  // `interrupt` may be null; lines are then written only when the work makes progress.
  BarWatch(Terminal& terminal, Interrupt* interrupt, const std::stop_token& stop)
      : engine::Watch(stop), bar_(terminal), interrupt_(interrupt) {
    if (interrupt_ != nullptr) interrupt_->set_tick([this] { bar_.tick(); });
  }
  ~BarWatch() override {
    if (interrupt_ != nullptr) interrupt_->set_tick({});
  }
  BarWatch(const BarWatch&) = delete;
  BarWatch& operator=(const BarWatch&) = delete;

  void tell(u64 done, u64 all, std::string_view noun) const override {
    bar_.update({done, all == 0 ? std::nullopt : std::optional<u64>(all), -1, noun});
  }

 private:
  mutable ProgressBar bar_;
  Interrupt* interrupt_;
};

}  // namespace komuz::cli

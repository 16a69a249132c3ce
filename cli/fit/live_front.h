// SPDX-License-Identifier: Apache-2.0
// Shows a fit as it goes: on a terminal the front so far, which is drawn anew where it changes, above a bar.
#pragma once
#include <string>

#include "cli/process/interrupt.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/terminal.h"
#include "services/fit/fit.h"

namespace komuz::cli {

class LiveFront final : public services::FitWatch {
 public:
  LiveFront(Terminal& terminal, Interrupt& interrupt, const services::FitOptions& options,
            std::string target)
      : terminal_(terminal),
        interrupt_(interrupt),
        options_(options),
        target_(std::move(target)),
        bar_(terminal) {
    interrupt_.set_tick([this] { bar_.tick(); });
  }
  ~LiveFront() override {
    interrupt_.set_tick({});
    clear();
  }
  LiveFront(const LiveFront&) = delete;
  LiveFront& operator=(const LiveFront&) = delete;

  void on_progress(const Progress& progress) override;
  void on_front(std::span<const services::FitFormula> front) override;
  void on_searched() override { interrupt_.work_ended(); }
  // Other output follows.
  void clear();

 private:
  Terminal& terminal_;
  Interrupt& interrupt_;
  const services::FitOptions& options_;
  std::string target_;
  ProgressBar bar_;
  u32 lines_ = 0;  // that are shown
  std::string best_;
};

}  // namespace komuz::cli

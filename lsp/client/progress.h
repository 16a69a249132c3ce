// SPDX-License-Identifier: Apache-2.0
// What a job says of its progress while it works. It is said by the thread that works and sent by the one that talks,
// which also says its end (lsp/session_progress.cpp): so each that begins ends, however its job does.
#pragma once
#include <functional>
#include <string>

#include "lsp/wire/json_text.h"

namespace komuz::lsp {

class Progress {
 public:
  // Called with values of the protocol: WorkDoneProgressBegin, WorkDoneProgressReport.
  using Tell = std::function<void(Json value)>;
  // By whoever runs the job, before it does. Without one nothing is said.
  void attach(Tell tell) { tell_ = std::move(tell); }

  // Once, before the first report: for work that may take more than a second.
  void begin(std::string_view title);
  // Says so where another whole percent is done.
  void report(u64 done, u64 all, std::string_view words = {});

 private:
  Tell tell_;
  bool has_begun_ = false;
  u64 percent_ = 0;
};

}  // namespace komuz::lsp

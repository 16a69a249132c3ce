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
  // Called with values of the protocol: WorkDoneProgressBegin, WorkDoneProgressReport; and with parts of a result,
  // `{"kind": "part", "value": …}`.
  using Tell = std::function<void(Json value)>;
  // By whoever runs the job, before it does. Without one nothing is said.
  void attach(Tell tell) { tell_ = std::move(tell); }

  // Once, before the first report: for work that may take more than a second.
  void begin(std::string_view title);
  // Says so where another whole percent is done.
  void report(u64 done, u64 all, std::string_view words = {});

  // The client takes parts of the result before all of it is there.
  void take_parts() { takes_parts_ = true; }
  [[nodiscard]] bool takes_parts() const { return takes_parts_ && tell_; }
  void part(Json value);

 private:
  Tell tell_;
  bool has_begun_ = false, takes_parts_ = false;
  u64 percent_ = 0;
};

}  // namespace komuz::lsp

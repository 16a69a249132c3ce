// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/columns/work_meter.h"

namespace komuz::frontend {

void WorkMeter::look() {
  if (stop_ != nullptr && stop_->stop_requested()) throw CutShort{CutShort::Reason::Stopped};
  if (work_ > budget_) throw CutShort{CutShort::Reason::OverBudget};
  set_next();
}

}  // namespace komuz::frontend

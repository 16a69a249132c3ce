// SPDX-License-Identifier: Apache-2.0
// The parts of the whole run that the given logs lack.
#pragma once
#include <string>

#include "engine/log/merge_logs.h"

namespace komuz::cli {

// A line for each part without a log or with an incomplete one, and for each log whose run did not begin; empty if
// nothing is missing.
[[nodiscard]] std::string missing_parts_text(const engine::MergedLogs& logs);

}  // namespace komuz::cli

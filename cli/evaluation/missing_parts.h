// SPDX-License-Identifier: Apache-2.0
// What logs of parts lack of the whole run.
#pragma once
#include <string>

#include "engine/log/merge_logs.h"

namespace komuz::cli {

// A line for each part that has no log, or one without an end, and for each log whose run did not begin; empty where
// nothing is missing.
[[nodiscard]] std::string missing_parts_text(const engine::MergedLogs& logs);

}  // namespace komuz::cli

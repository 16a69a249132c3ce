// SPDX-License-Identifier: Apache-2.0
// The best programs of a run that is read from its logs.
#pragma once
#include <vector>

#include "engine/log/merge_logs.h"
#include "services/evaluation/best_programs.h"

namespace komuz::services {

// Those whose texts the logs have, as many as the run was asked for.
[[nodiscard]] std::vector<RankedProgram> programs_of(engine::MergedLogs& logs,
                                                     const engine::Results& results);

}  // namespace komuz::services

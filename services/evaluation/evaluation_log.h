// SPDX-License-Identifier: Apache-2.0
// The log that is asked for by `--log` or `--resume`.
#pragma once
#include <string_view>

#include "engine/log/result_log.h"
#include "services/options/evaluation_request.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// Opens the file, with all settings that the results depend on in its header. Without these options nothing is opened. The request says
// how long another run that writes it is waited for; `wait` says who stops that, and who is told.
Problem open_log(const EvaluationRequest& request, const engine::CasesTable& cases,
                 std::string_view version, engine::LogWait wait, engine::ResultLog& log);
// Lines that were damaged, and have been written again.
[[nodiscard]] Note damages_note(const engine::ResultLog& log);

}  // namespace komuz::services

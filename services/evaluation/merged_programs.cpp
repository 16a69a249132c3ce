// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/merged_programs.h"

#include "engine/candidates/evaluate_options.h"
#include "engine/log/log_header.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

std::vector<RankedProgram> programs_of(engine::MergedLogs& logs, const engine::Results& results) {
  constexpr engine::DetailOptions kUsual;
  const u64 most = engine::header_number(logs.header(), "programs").value_or(kUsual.programs);
  std::vector<RankedProgram> programs;
  for (const u32 row : shown_rows(results, TableRows::Best, most)) {
    if (!results.rows[row].scored) break;
    if (std::optional<std::string> source = logs.source_of(results, row))
      programs.push_back({std::string(results.id(row)), std::move(*source)});
  }
  return programs;
}

}  // namespace komuz::services

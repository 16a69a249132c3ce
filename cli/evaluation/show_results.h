// SPDX-License-Identifier: Apache-2.0
// What is told of a run once it has ended: the table and what stands below it, the report, the best program, charts.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "cli/evaluation/evaluation_sinks.h"
#include "cli/process/interrupt.h"
#include "cli/terminal/terminal.h"
#include "engine/cases/cases_table.h"
#include "engine/log/result_log.h"
#include "engine/results/results.h"
#include "services/evaluation/best_programs.h"
#include "services/evaluation/evaluated_sketch.h"
#include "services/options/evaluation_request.h"

namespace komuz::cli {

// A run that has ended.
struct EndedRun {
  const services::EvaluationRequest& request;
  const engine::Results& results;
  const RowSink& rows;
  // The GPU that the programs ran on; empty: the CPU. The report does not name it, since its bytes are the same on both.
  std::string_view gpu;
  const std::optional<services::EvaluatedSketch>& sketch;
  services::BestPrograms*
      best_programs;  // the texts of candidates that are no variants, if any are told
  engine::ResultLog& log;
  bool has_details;  // false: a log with them has failed, so there is no report
  std::vector<const engine::CasesTable*> tables;  // the cases, and those that are held out
};

// So many of the best programs are told of by their texts. The best of a part are not the best of all.
[[nodiscard]] u64 told_programs(const services::EvaluationRequest& request);

[[nodiscard]] Exit show_results(const EndedRun& run, Interrupt& interrupt, Terminal& terminal);

}  // namespace komuz::cli

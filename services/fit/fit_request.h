// SPDX-License-Identifier: Apache-2.0
// The request of a command line of `komuz fit`, or of the same in Python (docs/python.md).
#pragma once
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/cases/table_form.h"
#include "engine/fit/fit_data.h"
#include "services/fit/fit.h"
#include "services/options/args.h"

namespace komuz::services {

struct FitRequest {
  std::string table_path, held_out_path;  // the second is empty: none
  engine::FitFields fields;
  engine::TableForm form;
  FitOptions options;
  u32 worst = 3;
  std::string best_path;    // of the formula's program; empty: it is not written
  std::string sketch_path;  // the same
  std::string json_path;
  std::string plot_path;
  std::string log_path;                   // of the search; empty: none
  bool resumes = false;                   // the log may exist already
  std::chrono::milliseconds log_wait{0};  // for another run that writes it
  std::vector<std::string> start_paths;   // programs that are judged, too
  // Nobody said which rows the formulas are judged by: then the table decides (usual_folds()).
  bool has_usual_rows = false;
};

[[nodiscard]] std::span<const OptionRow> fit_options();
Problem read_fit_request(Args& args, FitRequest& request);

// The command that finds the same again, whatever the clock of the machine: with generations in the place of the
// time. `generations`: of the searches one by one, or one number for all.
[[nodiscard]] std::string repeating_command(const FitRequest& request,
                                            std::span<const u64> generations);

}  // namespace komuz::services

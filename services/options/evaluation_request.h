// SPDX-License-Identifier: Apache-2.0
// What is asked of an evaluation: the request of a command line of `komuz eval` or `komuz search`, or of a call in Python.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/cases/read_cases.h"
#include "engine/device.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "frontend_gpu/frontend.h"
#include "neural/optimise/optimise.h"
#include "services/options/args.h"
#include "services/options/authors.h"
#include "services/options/evaluation_options.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// One of several searches whose best variants go from one to the next (engine/search/migration.h).
struct Island {
  engine::Shard number;
  u64 seed = 0;  // of all of them, from which that of each follows
  u64 every = 10;
  u32 migrants = 5;
};

struct EvaluationRequest {
  std::vector<std::string_view> candidates;
  std::string cases_path;     // empty: a harness runs once
  std::string held_out_path;  // empty: none
  std::optional<f64> split;   // this share of the cases is held out, drawn by the seed; none: none
  u64 split_seed = 0;
  std::string harness_path;  // empty: none
  engine::CaseFields fields;
  std::vector<std::string> input_names;  // of the columns that `--input` names, in programs
  engine::EvaluateOptions options;
  size_t top = 10;
  TableRows table_rows = TableRows::Best;
  std::string json_path;               // empty: no report
  std::string best_path;               // empty: the best program is not written
  bool unprotects = false;             // … without the protections that no case needs
  u64 optimised = 0;                   // so many of the best are optimised
  Authors authors = Authors::Teacher;  // who is asked for it besides the rules
  neural::OptimiseOptions optimise;
  std::string plot_path;                  // empty: no charts
  std::string log_path;                   // empty: no log
  bool resumes = false;                   // the log may exist already
  std::chrono::milliseconds log_wait{0};  // for another run that writes it
  bool from_stdin = false;                // from one JSONL stream
  engine::DeviceChoice device;
  engine::VariantChoice variants;
  std::optional<engine::SearchOptions> search;  // for one sketch; none: candidates are evaluated
  std::optional<Island> island;                 // which of several the search is; none: it is alone
  bool only_checks = false;                     // no candidate is read
  Proposer proposer = Proposer::Plain;          // of the search
  std::vector<std::string> start_paths;         // of programs that it begins with
  std::string start_text;  // … what a log says of them, as JSON; empty: there are none

  [[nodiscard]] std::string_view command() const { return search ? "search" : "eval"; }
  [[nodiscard]] bool holds_out() const { return split || !held_out_path.empty(); }
  // Rows are written as they come if both ends are streams; otherwise the report has a rank for each row.
  [[nodiscard]] bool streams() const { return from_stdin && json_path == "-"; }
  [[nodiscard]] bool shows_table() const { return json_path != "-"; }
};

// True for the path of a file of bytecode.
[[nodiscard]] inline bool is_code_path(std::string_view path) { return path.ends_with(".kbc"); }
// Of a command whose `--best` writes text alone: it names such a file.
[[nodiscard]] Problem find_code_path_problem(const Args& args, std::string_view command);

// How candidates are compiled. The options outlive it.
[[nodiscard]] frontend::Options compile_options(const EvaluationRequest& request);

// Reads the command line.
Problem read_request(EvaluationKind kind, Args& args, EvaluationRequest& request);

}  // namespace komuz::services

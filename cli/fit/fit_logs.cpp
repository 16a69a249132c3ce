// SPDX-License-Identifier: Apache-2.0
#include "cli/fit/fit_logs.h"

#include "cli/process/version.h"
#include "engine/log/log_header.h"
#include "engine/log/merge_logs.h"
#include "engine/log/result_log.h"
#include "services/evaluation/given_programs.h"
#include "services/files/files.h"

namespace komuz::cli {

std::vector<std::string> log_paths(const FitRequest& request) {
  std::vector<std::string> paths;
  if (request.log_path.empty()) return paths;
  for (u32 k = 0; k < request.options.folds + request.options.seeds; ++k)
    paths.push_back(k == 0 ? request.log_path : request.log_path + "." + std::to_string(k + 1));
  return paths;
}

FitLogFiles::FitLogFiles(const FitRequest& request, std::span<const engine::GivenProgram> given,
                         Terminal& terminal, std::stop_token stop)
    : request_(request),
      paths_(log_paths(request)),
      start_(services::given_text(given)),
      terminal_(terminal),
      stop_(std::move(stop)) {}

Problem FitLogFiles::check() const {
  if (request_.resumes || paths_.size() < 2) return {};
  for (const std::string& path : paths_)
    if (services::exists(path))
      return input_problem(
          {path}, "this file is there already, and a log of this fit has its name",
          "go on with it by `--resume " + request_.log_path + "`, or take another name");
  return {};
}

std::optional<u64> FitLogFiles::ended(u32 search) {
  const std::string& path = paths_[search];
  if (!request_.resumes || !services::exists(path)) return std::nullopt;
  engine::MergedLogs logs;
  engine::Results results;
  const std::string one[] = {path};
  if (logs.read(one, results) || !logs.unfinished().empty() || results.candidates() == 0)
    return std::nullopt;
  const u64 population = request_.options.population;
  return (results.candidates() + population - 1) / population;
}

// What a log that goes on has to agree in: all that decides which variants are searched, and on which cases.
Problem FitLogFiles::open(u32 search, u64 seed, const engine::EvaluateOptions& options,
                          const engine::CasesTable& cases, engine::ResultLog& log) {
  engine::LogHeader more;
  more.emplace_back("population", std::to_string(request_.options.population));
  more.emplace_back("seed", std::to_string(seed));
  if (!start_.empty()) more.emplace_back("start", start_);
  const engine::LogHeader header = engine::make_header(kVersion, "fit", options, cases, more, {});
  const std::string& path = paths_[search];
  const engine::LogWait wait{request_.log_wait, stop_, [&] {
                               terminal_.note("another run is writing " + path, "it is waited for");
                             }};
  return request_.resumes ? log.resume(path, header, wait) : log.create(path, header, wait);
}

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
// The logs of a fit: FILE of its first search, FILE.2 of the second, and so on; those of folds come first.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "cli/terminal/terminal.h"
#include "services/fit/fit.h"
#include "services/fit/fit_request.h"

namespace komuz::cli {

using services::FitRequest;

// Empty: there are none.
[[nodiscard]] std::vector<std::string> log_paths(const FitRequest& request);

class FitLogFiles final : public services::FitLogs {
 public:
  // `given`: of `--start`.
  FitLogFiles(const FitRequest& request, std::span<const engine::GivenProgram> given,
              Terminal& terminal, std::stop_token stop);

  // A problem: one of several logs is there already, and is not to be gone on with.
  [[nodiscard]] Problem check() const;
  std::optional<u64> ended(u32 search) override;
  Problem open(u32 search, u64 seed, const engine::EvaluateOptions& options,
               const engine::CasesTable& cases, engine::ResultLog& log) override;

 private:
  const FitRequest& request_;
  std::vector<std::string> paths_;
  std::string start_;  // what is said of `--start` in a header, as JSON; empty: nothing
  Terminal& terminal_;
  std::stop_token stop_;
};

}  // namespace komuz::cli

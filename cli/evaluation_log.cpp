// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation_log.h"

#include "cli/version.h"
#include "engine/log/log_header.h"

namespace komuz::cli {

engine::MaybeError open_log(const EvaluationRequest& request, const engine::CasesTable& cases,
                            engine::ResultLog& log) {
  if (request.log_path.empty()) return std::nullopt;
  engine::LogHeader more;
  const auto add = [&](std::string_view name, u64 value) {
    more.emplace_back(name, std::to_string(value));
  };
  if (request.search) {
    more.emplace_back(
        "method",
        "\"" + std::string(engine::kSearchNames[static_cast<size_t>(request.search->kind)]) + "\"");
    // How many generations there are, and how much time, says only how far the search comes.
    add("population", request.search->population);
    add("seed", request.search->seed);
  } else if (request.variants.samples) {
    add("samples", *request.variants.samples);
    add("seed", request.variants.seed);
  }
  const engine::LogHeader header =
      engine::make_header(kVersion, request.command(), request.options, cases, more);
  return request.resumes ? log.resume(request.log_path, header)
                         : log.create(request.log_path, header);
}

}  // namespace komuz::cli

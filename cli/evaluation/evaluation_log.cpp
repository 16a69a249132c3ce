// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/evaluation_log.h"

#include <algorithm>

#include "base/counts.h"
#include "cli/process/version.h"
#include "engine/log/log_header.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_text.h"
#include "services/evaluation/evaluated_sketch.h"

namespace komuz::cli {

namespace {

// The names of the input files (of many candidates the first few), and how variants become code.
engine::LogHeader side_of(const services::EvaluationRequest& request) {
  constexpr size_t kMost = 8;
  std::string candidates;
  for (size_t k = 0; k < std::min(kMost, request.candidates.size()); ++k)
    candidates += (k == 0 ? "" : ", ") + std::string(request.candidates[k]);
  if (request.candidates.size() > kMost)
    candidates += " and " + grouped(request.candidates.size() - kMost) + " more";
  const std::string variants = services::variants_text(request.options);
  engine::LogHeader side;
  const std::string* const texts[] = {&candidates, &request.cases_path, &request.harness_path,
                                      &variants, &request.held_out_path};
  static_assert(std::size(texts) == std::size(engine::kSideFields));
  for (size_t k = 0; k < std::size(texts); ++k) {
    if (texts[k]->empty()) continue;
    std::string json;
    engine::append_json_string(json, *texts[k]);
    side.emplace_back(engine::kSideFields[k], std::move(json));
  }
  return side;
}

}  // namespace

Problem open_log(const services::EvaluationRequest& request, const engine::CasesTable& cases,
                 const std::stop_token& stop, Terminal& terminal, engine::ResultLog& log) {
  if (request.log_path.empty()) return {};
  engine::LogHeader more;
  const auto add = [&](std::string_view name, u64 value) {
    more.emplace_back(name, std::to_string(value));
  };
  if (request.search) {
    std::string method(engine::kSearchNames[static_cast<size_t>(request.search->kind)]);
    if (const engine::WayWeights* const weights = request.search->weights.get())
      method += " with proposals " + engine::hex_text(engine::hash_of(*weights).high);
    more.emplace_back("method", "\"" + method + "\"");
    // The number of generations and the time only decide how far the search comes.
    add("population", request.search->population);
    add("seed", request.search->seed);
    if (!request.start_text.empty()) more.emplace_back("start", request.start_text);
  } else if (request.variants.samples) {
    add("samples", *request.variants.samples);
    add("seed", request.variants.seed);
  }
  constexpr engine::DetailOptions kUsual;
  if (request.options.details.programs != kUsual.programs)
    add("programs", request.options.details.programs);
  if (request.split) {
    engine::append_json_number(more.emplace_back("split", "").second, *request.split);
    add("split_seed", request.split_seed);
  }
  // Other readings of the same text are other cases.
  if (const std::string form = engine::form_text(request.fields.form); !form.empty())
    engine::append_json_string(more.emplace_back("table", "").second, form);
  const engine::LogHeader header = engine::make_header(kVersion, request.command(), request.options,
                                                       cases, more, side_of(request));
  const engine::LogWait wait{
      request.log_wait, stop,
      [&] { terminal.note("another run is writing " + request.log_path, "it is waited for"); }};
  return request.resumes ? log.resume(request.log_path, header, wait)
                         : log.create(request.log_path, header, wait);
}

}  // namespace komuz::cli

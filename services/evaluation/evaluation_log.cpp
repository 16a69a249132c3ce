// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/evaluation_log.h"

#include <algorithm>
#include <utility>

#include "base/counts.h"
#include "engine/log/log_header.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_text.h"
#include "services/evaluation/evaluated_sketch.h"

namespace komuz::services {
namespace {

// The names of the input files (of many candidates the first few), and how variants become code.
engine::LogHeader side_of(const EvaluationRequest& request) {
  constexpr size_t kMost = 8;
  std::string candidates;
  for (size_t k = 0; k < std::min(kMost, request.candidates.size()); ++k)
    candidates += (k == 0 ? "" : ", ") + std::string(request.candidates[k]);
  if (request.candidates.size() > kMost)
    candidates += " and " + grouped(request.candidates.size() - kMost) + " more";
  const std::string variants = variants_text(request.options);
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

Problem open_log(const EvaluationRequest& request, const engine::CasesTable& cases,
                 std::string_view version, engine::LogWait wait, engine::ResultLog& log) {
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
    add("seed", request.island ? request.island->seed : request.search->seed);
    if (request.island) {
      add("migrate_every", request.island->every);
      add("migrants", request.island->migrants);
    }
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
  engine::EvaluateOptions options = request.options;
  // All islands have one header: what differs is which of them it is.
  if (request.island) options.programs.shard = request.island->number;
  const engine::LogHeader header =
      engine::make_header(version, request.command(), options, cases, more, side_of(request));
  wait.time = request.log_wait;
  return request.resumes ? log.resume(request.log_path, header, wait)
                         : log.create(request.log_path, header, wait);
}

Note damages_note(const engine::ResultLog& log) {
  constexpr size_t kMost = 8;
  if (log.damages().empty()) return {};
  std::string lines;
  for (size_t k = 0; k < std::min(kMost, log.damages().size()); ++k) {
    const auto [first, last] = log.damages()[k];
    lines += (k == 0 ? "" : ", ") + std::to_string(first);
    if (last != first) lines += " to " + std::to_string(last);
  }
  if (log.damages().size() > kMost) lines += ", …";
  const bool is_one = log.damages().size() == 1 &&
                      log.damages().front().first_line == log.damages().front().last_line;
  return {log.path() + ": line" + (is_one ? " " : "s ") + lines +
              (is_one ? " was damaged" : " were damaged"),
          "what belongs there was evaluated again; is the disk sound?"};
}

}  // namespace komuz::services

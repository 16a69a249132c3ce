// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/given_programs.h"

#include <memory>
#include <utility>

#include "base/counts.h"
#include "base/hash.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_text.h"
#include "services/files/candidate_input.h"

namespace komuz::services {

Problem read_given_programs(std::span<const std::string> paths, const std::stop_token& stop,
                            std::vector<engine::GivenProgram>& out) {
  if (paths.empty()) return {};
  const std::vector<std::string_view> words(paths.begin(), paths.end());
  CandidateInput input;
  if (Problem problem = input.open(words, stop)) return problem;
  constexpr size_t kBatch = 256;
  engine::CandidateBatch batch;
  while (!stop.stop_requested()) {
    batch.clear();
    input.source().read(batch, kBatch);
    if (batch.rows.empty()) break;
    for (const engine::Candidate& candidate : batch.rows) {
      if (!candidate.error.empty()) return input_problem(std::string(candidate.error));
      out.push_back({std::string(candidate.id), std::string(candidate.source)});
    }
  }
  return input.problem();
}

std::string given_text(std::span<const engine::GivenProgram> given) {
  if (given.empty()) return {};
  Hash128 hash;
  for (const engine::GivenProgram& one : given) {
    hash.add(one.program.size());
    for (const char c : one.program) hash.add(static_cast<u8>(c));
  }
  std::string out;
  engine::append_json_string(out, engine::hex_text(hash));
  return out;
}

std::vector<Note> starts_notes(const engine::Starts& starts, std::string_view remedy) {
  const u64 all = starts.variants.size() + starts.not_held + starts.without_room;
  std::vector<Note> out;
  if (starts.not_held != 0)
    out.push_back({"the search does not begin with " + grouped(starts.not_held) + " of " +
                       counted(all, "program") + " of `--start`, the first of which is " +
                       engine::shown(starts.not_held_id) + ": " + starts.not_held_why,
                   std::string(remedy)});
  if (starts.without_room != 0)
    out.push_back({"the first generation has no room for the last " + grouped(starts.without_room) +
                       " of " + counted(all, "program") + " of `--start`",
                   "a larger `--population` has"});
  return out;
}

Problem take_starts(EvaluationRequest& request, const engine::SketchProgram& sketch,
                    const std::stop_token& stop, std::vector<Note>& notes) {
  if (request.start_paths.empty()) return {};
  std::vector<engine::GivenProgram> given;
  if (Problem problem = read_given_programs(request.start_paths, stop, given)) return problem;
  request.start_text = given_text(given);
  const engine::EncodeOptions how{engine::fits_line(request.options.ranking.score)};
  engine::Starts starts = engine::find_starts(sketch, given, request.search->population, how, stop);
  for (Note& note : starts_notes(starts, "`komuz eval` scores them as they are"))
    notes.push_back(std::move(note));
  request.search->starts =
      std::make_shared<const std::vector<engine::Decisions>>(std::move(starts.variants));
  return {};
}

}  // namespace komuz::services

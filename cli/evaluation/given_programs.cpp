// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/given_programs.h"

#include "base/counts.h"
#include "base/hash.h"
#include "cli/evaluation/candidate_input.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_text.h"

namespace komuz::cli {

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

void say_starts(const engine::Starts& starts, std::string_view remedy, Terminal& terminal) {
  const u64 all = starts.variants.size() + starts.not_held + starts.without_room;
  if (starts.not_held != 0)
    terminal.note("the search does not begin with " + grouped(starts.not_held) + " of " +
                      counted(all, "program") + " of `--start`, the first of which is " +
                      engine::shown(starts.not_held_id) + ": " + starts.not_held_why,
                  remedy);
  if (starts.without_room != 0)
    terminal.note("the first generation has no room for the last " + grouped(starts.without_room) +
                      " of " + counted(all, "program") + " of `--start`",
                  "a larger `--population` has");
}

}  // namespace komuz::cli

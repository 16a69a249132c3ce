// SPDX-License-Identifier: Apache-2.0
// The programs of `--start`, with which a search begins.
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/sketch/encode/find_starts.h"
#include "services/options/evaluation_request.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// Files of programs, folders of them, JSONL.
Problem read_given_programs(std::span<const std::string> paths, const std::stop_token& stop,
                            std::vector<engine::GivenProgram>& out);
// What the header of a log says of them, as JSON; empty: there are none.
[[nodiscard]] std::string given_text(std::span<const engine::GivenProgram> given);
// About those that the sketch does not hold, and those that have no room. `remedy`: of the first.
[[nodiscard]] std::vector<Note> starts_notes(const engine::Starts& starts, std::string_view remedy);

// Makes variants of the programs that a search is to begin with (EvaluationRequest::start_paths). The search is
// settled.
Problem take_starts(EvaluationRequest& request, const engine::SketchProgram& sketch,
                    const std::stop_token& stop, std::vector<Note>& notes);

}  // namespace komuz::services

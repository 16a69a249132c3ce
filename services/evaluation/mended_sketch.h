// SPDX-License-Identifier: Apache-2.0
// The sketch of a run, by its text.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/sketch_program.h"
#include "services/options/evaluation_request.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// Compiles the text with the modules that it uses. If it has errors and the request mends candidates, it is mended before; what has been
// edited is in the request then, and among the notes. None: it has errors still, or uses too many modules. `path`: what notes call it.
[[nodiscard]] std::optional<engine::SketchProgram> read_mended_sketch(EvaluationRequest& request,
                                                                      std::string_view path,
                                                                      std::string_view source,
                                                                      std::vector<Note>& notes);
// What is to be said of holes that anything may fill; empty if there are none.
[[nodiscard]] Note free_holes_note(const engine::SketchProgram& sketch, std::string_view path);

}  // namespace komuz::services

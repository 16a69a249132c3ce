// SPDX-License-Identifier: Apache-2.0
// A sketch that has been compiled once, and its variants as code: *bound*, the sketch's own code with the decisions
// put in, or *expanded*, compiled from the text of the plain program. Both give the same values, traps, places and
// fuel.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/sketch/bind_plan.h"
#include "engine/sketch/variants.h"
#include "frontend_gpu/frontend.h"
#include "lang/code.h"

namespace komuz::engine {

// Why a sketch has no bound code.
enum class BindObstacle : u8 {
  None,
  Copies,        // choosing one of several arrays or lists makes or copies it, which takes ticks
  SpaceOfLists,  // so does calling a space that takes or gives some
  Recursion,     // whether a function is recursive depends on a decision
  Frames,        // expressions from spaces would take too many slots
};
[[nodiscard]] std::string_view obstacle_text(BindObstacle obstacle);

struct SketchProgram {
  // The text, behind which stand copies of the spaces of modules that it takes expressions from, and of what these need
  // (frontend_gpu/shared_spaces.h). Places of its first `own_size` bytes are those of the text that was read.
  std::string source;
  u32 own_size = 0;
  std::vector<SketchCopy> copies;
  VariantPlan plan;
  Code code;  // of the sketch itself; checked
  BindObstacle obstacle = BindObstacle::None;
  BindPlan bind_plan;  // of the code, where there is no obstacle
};
// None: the program has errors.
[[nodiscard]] std::optional<SketchProgram> read_sketch(std::string source,
                                                       const frontend::Options& options);

// True if there is something to decide. Free holes do not count.
[[nodiscard]] bool has_decisions(const Sketch& sketch);
// What it means that the sketch is run as it stands, and what to do: "a sketch with 3 decisions and 1 free hole …".
[[nodiscard]] std::string open_holes_text(const VariantPlan& plan);
// Constants that are any number have to be fitted: a problem where variants are evaluated without a search, and none otherwise.
[[nodiscard]] Problem unfitted_reals(const VariantPlan& plan);
// "1 free hole, `?rest`,"; empty if it has none.
[[nodiscard]] std::string free_holes_text(const Sketch& sketch);

// The bytes of instructions and constants of bound code.
[[nodiscard]] u64 bound_bytes(const Code& code);
// For bound code: equal for variants with the same instructions and constants.
[[nodiscard]] frontend::TextHash identity_of(const Code& code);

}  // namespace komuz::engine

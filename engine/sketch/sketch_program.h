// SPDX-License-Identifier: Apache-2.0
// A sketch that has been compiled once, and its variants as code: *bound*, the sketch's own code with the decisions put in,
// or *expanded*, compiled from the text of the plain program. Both give the same values, traps, places and fuel.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "engine/sketch/bind_plan.h"
#include "engine/sketch/fill.h"
#include "frontend_gpu/frontend.h"
#include "lang/code.h"

namespace komuz::engine {

// Why a sketch has no bound code.
enum class BindObstacle : u8 {
  None,
  Spaces,     // expressions from spaces have no code before they are chosen
  Copies,     // to choose one of several arrays or lists makes or copies it, which takes ticks
  Recursion,  // whether a function is recursive depends on a decision
};
[[nodiscard]] std::string_view obstacle_text(BindObstacle obstacle);

struct SketchProgram {
  std::string source;
  VariantPlan plan;
  Code code;  // of the sketch itself; checked
  BindObstacle obstacle = BindObstacle::None;
  BindPlan bind_plan;  // of the code, where there is no obstacle
};
// None: the program has errors.
[[nodiscard]] std::optional<SketchProgram> read_sketch(std::string source,
                                                       const frontend::Options& options);

// Is anything of it to be decided? Holes that are free are not.
[[nodiscard]] bool has_decisions(const Sketch& sketch);

// A workspace for one thread; reused from variant to variant, it stops allocating.
class Binder {
 public:
  explicit Binder(const SketchProgram& sketch) : sketch_(sketch) {}

  // `out` becomes the code of the variant. It may be that of another variant of the sketch, to which something was added.
  // False: these are no decisions of the sketch. There is no obstacle.
  [[nodiscard]] bool bind(const Decisions& decisions, Code& out);

 private:
  void copy_pieces(Code& out);

  struct Jump {
    u32 instruction, piece;  // in bound code, and where it goes to
  };

  const SketchProgram& sketch_;
  std::vector<Instance> instances_;
  std::vector<u32> moved_to_;  // by piece: where it begins in the bound function
  std::vector<Jump> jumps_;
};

// Instructions and constants of bound code, in bytes.
[[nodiscard]] u64 bound_bytes(const Code& code);
// Of bound code: equal for variants that have the same instructions and constants.
[[nodiscard]] frontend::TextHash identity_of(const Code& code);

}  // namespace komuz::engine

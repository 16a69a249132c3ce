// SPDX-License-Identifier: Apache-2.0
// Turns the decisions of a variant into its bound code: see bind_plan.h.
#pragma once
#include "engine/sketch/binding.h"

namespace komuz::engine {

// A workspace for one thread. It stops allocating once it has been used for some variants.
class Binder {
 public:
  explicit Binder(const SketchProgram& sketch) : sketch_(sketch), tables_(bind_tables(sketch)) {}

  // Makes `out` the code of the variant. `out` may be that of another variant of the sketch with additions. False:
  // these are no decisions of the sketch. The sketch has no obstacle.
  [[nodiscard]] bool bind(const Decisions& decisions, Code& out);

 private:
  void copy_columns(Code& out) const;

  const SketchProgram& sketch_;
  BindTables tables_;
  DecodedVariant variant_;
  Binding<Growing> binding_;
};

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// From the decisions of a variant to its bound code: bind_plan.h.
#pragma once
#include "engine/sketch/binding.h"

namespace komuz::engine {

// A workspace for one thread; reused from variant to variant, it stops allocating.
class Binder {
 public:
  explicit Binder(const SketchProgram& sketch) : sketch_(sketch), tables_(bind_tables(sketch)) {}

  // `out` becomes the code of the variant. It may be that of another variant of the sketch, to which something was
  // added. False: these are no decisions of the sketch. There is no obstacle.
  [[nodiscard]] bool bind(const Decisions& decisions, Code& out);

 private:
  void copy_columns(Code& out) const;

  const SketchProgram& sketch_;
  BindTables tables_;
  DecodedVariant variant_;
  Binding<Growing> binding_;
};

}  // namespace komuz::engine

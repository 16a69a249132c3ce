// SPDX-License-Identifier: Apache-2.0
// Variants of a sketch as its own code with their decisions put in (engine/sketch/bind_plan.h). Nothing is compiled, and all of
// them have the sketch's entry.
#pragma once
#include "engine/run/candidate_code.h"
#include "engine/sketch/binder.h"

namespace komuz::engine {

class BoundCode final : public CandidateCode {
 public:
  // A sketch without an obstacle, which outlives it.
  explicit BoundCode(const SketchProgram& sketch) : sketch_(sketch), binder_(sketch) {}
  [[nodiscard]] frontend::TextHash identify(const Candidate& candidate) override;
  [[nodiscard]] bool compile(const Candidate& candidate, SuppliedCode& out) override;

 private:
  const SketchProgram& sketch_;
  Binder binder_;
  Decisions decisions_;
  frontend::Compilation compilation_;
  bool is_variant_ = false;
};

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// Variants of a sketch as the plain programs that they are (engine/sketch/fill.h), compiled from their texts. Places become those of
// the sketch. A variant that could be bound is known by its bound code and has the size of that, so that it does not show in results
// how it was run.
#pragma once
#include <optional>
#include <string>

#include "engine/run/candidate_code.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/fill.h"

namespace komuz::engine {

class ExpandedCode final : public TextCode {
 public:
  // Both outlive it. The options have a sketch.
  ExpandedCode(const EvaluateOptions& options, frontend::Compiler& compiler);
  [[nodiscard]] frontend::TextHash identify(const Candidate& candidate) override;
  [[nodiscard]] bool compile(const Candidate& candidate, SuppliedCode& out) override;
  [[nodiscard]] std::string_view text_of(const Candidate& candidate) override;
  void read(const frontend::BatchCompiler& device, u32 number, frontend::BatchReader& reader,
            const Candidate& candidate, SuppliedCode& out) override;

 private:
  void write_text();
  void supply(SuppliedCode& out);

  const SketchProgram& sketch_;
  frontend::Compiler& compiler_;
  std::optional<Binder> binder_;  // where the sketch could be bound
  Fill fill_;
  const bool may_differ_in_numbers_;
  Decisions decisions_;
  Code bound_;
  std::string text_;
  frontend::Compilation compilation_;
  bool is_variant_ = false;
};

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/run/candidate_code.h"

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "engine/run/bound_code.h"
#include "engine/run/expanded_code.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

frontend::Options compile_options(const EvaluateOptions& options) {
  frontend::Options out{.stack_limit = options.limits.stack_limit};
  if (options.programs.modules != nullptr) out.library = &options.programs.modules->library();
  out.harness = options.programs.harness;
  if (options.programs.harness != kNoModule) out.harness_entry = options.programs.entry;
  // A sketch's variants are no longer than it.
  if (options.programs.sketch == nullptr) out.budget = options.limits.compile_budget;
  return out;
}

bool binds_variants(const EvaluateOptions& options) {
  return options.programs.sketch != nullptr &&
         options.programs.sketch->obstacle == BindObstacle::None &&
         !options.programs.expands_variants;
}

bool may_differ_in_numbers(const EvaluateOptions& options) {
  return options.programs.sketch != nullptr &&
         std::ranges::any_of(
             options.programs.sketch->plan.decisions(),
             [](const Decision& decision) { return decision.form == HoleForm::Grid; });
}

CompiledCode::CompiledCode(const EvaluateOptions& options) : compiler_(compile_options(options)) {}

frontend::TextHash CompiledCode::identify(const Candidate& candidate) {
  return compiler_.identify(candidate.source);
}

bool CompiledCode::compile(const Candidate& candidate, SuppliedCode& out) {
  compiler_.compile(candidate.source, compilation_);
  out = {&compilation_, candidate.source, {}, false};
  return true;
}

std::string_view CompiledCode::text_of(const Candidate& candidate) { return candidate.source; }

void CompiledCode::read(const frontend::BatchCompiler& device, u32 number,
                        frontend::BatchReader& reader, const Candidate& candidate,
                        SuppliedCode& out) {
  device.read(number, reader, compilation_);
  out = {&compilation_, candidate.source, {}, false};
}

VariantCode open_variant_code(const EvaluateOptions& options, frontend::Compiler& compiler) {
  VariantCode out;
  if (binds_variants(options)) {
    out.code = std::make_unique<BoundCode>(*options.programs.sketch);
    return out;
  }
  auto expanded = std::make_unique<ExpandedCode>(options, compiler);
  out.texts = expanded.get();
  out.code = std::move(expanded);
  return out;
}

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula_code.h"

#include <utility>

#include "engine/cases/signature.h"
#include "frontend_gpu/frontend.h"

namespace komuz::services {

std::optional<FormulaCode> formula_code(const std::string& program, const engine::FitData& points) {
  // Each operation as the text has it: what is shared would be no straight line.
  frontend::Options options;
  options.is_plain = true;
  frontend::Compiler compiler(options);
  frontend::Compilation made;
  compiler.compile(program, made);
  if (!made.ok) return std::nullopt;
  const engine::EntryChoice entry = engine::choose_entry(made.code.view(), "");
  if (!entry.refusal.empty()) return std::nullopt;
  FormulaCode out;
  out.function = static_cast<u32>(entry.function);
  const engine::Signature signature =
      engine::signature_of(made.code.view(), made.code.functions[out.function]);
  for (const std::string& name : signature.names)
    for (size_t k = 0; k < points.inputs.size(); ++k)
      if (points.inputs[k].name == name) out.columns.push_back(points.columns[k]);
  out.code = std::move(made.code);
  return out;
}

}  // namespace komuz::services

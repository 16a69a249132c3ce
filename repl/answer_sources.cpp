// SPDX-License-Identifier: Apache-2.0
#include "repl/answer_sources.h"

#include <algorithm>

namespace komuz::repl {

bool has_errors(std::span<const Diagnostic> diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error;
  });
}
Answer::Source source_of(const Input& input, std::string text, u32 first_byte,
                         std::span<const Diagnostic> diagnostics) {
  return {std::string(input.name),
          std::move(text),
          first_byte,
          input.line,
          {diagnostics.begin(), diagnostics.end()}};
}

Answer::Source definition_source(const std::string& program, u32 at,
                                 const DefinitionText& definitions, u32 byte) {
  const u32 offset = byte - std::min(byte, at),
            end = at + static_cast<u32>(definitions.text.size());
  if (byte > end) return {"a module", program, end, 1, {}};
  const DefinitionText::Part* const part = definitions.part_at(offset);
  if (part == nullptr) return {"the session", program, at, 1, {}};
  return {part->definition->file, program, at + part->begin, part->definition->line, {}};
}

}  // namespace komuz::repl

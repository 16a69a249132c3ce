// SPDX-License-Identifier: Apache-2.0
// The origins of places in the program of an input.
#pragma once
#include <span>

#include "repl/answer.h"
#include "repl/definitions.h"

namespace komuz::repl {

[[nodiscard]] bool has_errors(std::span<const Diagnostic> diagnostics);
// The input, which begins at a byte of the text.
[[nodiscard]] Answer::Source source_of(const Input& input, std::string text, u32 first_byte,
                                       std::span<const Diagnostic> diagnostics);
// For earlier definitions: the origin of a byte of the program. `at`: where the definitions begin in it.
[[nodiscard]] Answer::Source definition_source(const std::string& program, u32 at,
                                               const DefinitionText& definitions, u32 byte);

}  // namespace komuz::repl

// SPDX-License-Identifier: Apache-2.0
// Above each test how it has ended, and the value that an example would have to say.
#pragma once
#include <optional>

#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends them to a list of `CodeLens`.
void add_test_lenses(const Question& question, const Document& document, Json& lenses);
// … and to one of `CodeAction`, for failing examples that the range touches.
void add_example_fixes(const Question& question, const Document& document, ByteRange range,
                       Json& actions);
// What `komuz.run` answers: of the tests of that name, or of the one of them that is nearest to a line, `{passed, message, ticks}`.
[[nodiscard]] Outcome run_tests_of(const Question& question, const Document& document,
                                   std::string_view name, std::optional<u32> line);

}  // namespace komuz::lsp

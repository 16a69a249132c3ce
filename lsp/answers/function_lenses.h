// SPDX-License-Identifier: Apache-2.0
// Above each function what it costs: bytes, stack, depth, ticks. A lens is resolved when it comes into sight.
#pragma once
#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends them to a list of `CodeLens`, with what `codeLens/resolve` asks by and without their words.
void add_function_lenses(const Question& question, const Document& document, Json& lenses);

}  // namespace komuz::lsp

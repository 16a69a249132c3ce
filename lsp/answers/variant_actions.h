// SPDX-License-Identifier: Apache-2.0
// What can be done at a hole of a sketch whose variants are ranked: fill it, or all of them, look for better ones,
// keep the best.
#pragma once
#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends them to a list of `CodeAction`.
void add_variant_actions(const Question& question, const Document& document, ByteRange range,
                         Json& actions);

}  // namespace komuz::lsp

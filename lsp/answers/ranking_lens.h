// SPDX-License-Identifier: Apache-2.0
// Above the head of a sketch how its variants rank: `1,251 variants · best #72 · 0.00077`, which opens the ranking.
#pragma once
#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends it to a list of `CodeLens`, if the document has one.
void add_ranking_lens(const Question& question, const Document& document, Json& lenses);

}  // namespace komuz::lsp

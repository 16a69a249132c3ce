// SPDX-License-Identifier: Apache-2.0
// What is said of the head of a document and of the ranking of its variants, as diagnostics.
#pragma once
#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends them to a list of `Diagnostic`.
void add_variant_findings(const Question& question, const Document& document, Json& findings);

}  // namespace komuz::lsp

// SPDX-License-Identifier: Apache-2.0
// What is said of the harness of a document, as diagnostics: that the file that its head names is none, or that it
// names one by `use` and is not yet its candidate.
#pragma once
#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends them to a list of `Diagnostic`.
void add_harness_findings(const Question& question, const Document& document,
                          const services::CheckedText& checked, Json& findings);

// Lines for the head of a candidate that does not name its harness, where that is all that is wrong with it.
void add_harness_fixes(const Question& question, const Document& document, Json& actions);

}  // namespace komuz::lsp

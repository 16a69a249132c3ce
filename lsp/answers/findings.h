// SPDX-License-Identifier: Apache-2.0
// What is wrong with a document, in the shape of the protocol.
#pragma once
#include "lsp/answers/question.h"
#include "lsp/client/client.h"

namespace komuz::lsp {

[[nodiscard]] Json diagnostic_json(const Question& question, const Document& document,
                                   const services::CheckedText& checked, const Diagnostic& d);
// All of a document. False: a stop came before.
[[nodiscard]] bool list_findings(const Question& question, const Document& document, Json& out);
// The notification that pushes them.
[[nodiscard]] std::string push_text(const Client& client, const Document& document, Json findings);

}  // namespace komuz::lsp

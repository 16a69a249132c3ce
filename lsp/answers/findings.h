// SPDX-License-Identifier: Apache-2.0
// What is wrong with a document, in the shape of the protocol.
#pragma once
#include <string>
#include <string_view>

#include "lsp/answers/question.h"
#include "lsp/client/client.h"

namespace komuz::lsp {

[[nodiscard]] Json diagnostic_json(const Question& question, const Document& document,
                                   const services::CheckedText& checked, const Diagnostic& d);
// A finding that no pass of the compiler makes: of the head of a document, or of its ranking.
enum class FindingSeverity : u32 { Error = 1, Warning = 2, Information = 3 };  // of the protocol
inline constexpr std::string_view kHeadCode = "head", kWorstCode = "worst-case";
[[nodiscard]] Json finding_json(const Question& question, const Document& document, ByteRange bytes,
                                FindingSeverity severity, std::string_view code,
                                std::string message);
// All of a document. False: a stop came before.
[[nodiscard]] bool list_findings(const Question& question, const Document& document, Json& out);
// The notification that pushes them.
[[nodiscard]] std::string push_text(const Client& client, const Document& document, Json findings);

}  // namespace komuz::lsp

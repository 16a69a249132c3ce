// SPDX-License-Identifier: Apache-2.0
// The shapes of the protocol that many answers have: ranges, places, edits, texts for people.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/answers/question.h"
#include "mend/mend.h"
#include "services/analysis.h"

namespace komuz::lsp {

[[nodiscard]] Json position_json(Position position);
// The range of some bytes of a document; a byte behind its end is its end.
[[nodiscard]] Json range_json(const Document& document, ByteRange bytes, Encoding encoding);

// Where a place of an analysis is for the client: in the document, in another that is open, or in a file. Null: it
// cannot go there.
[[nodiscard]] Json location_json(const Question& question, const Document& document,
                                 const services::TextPlace& place);

// Lines of the edit end as those of the document do.
[[nodiscard]] Json text_edit_json(const Document& document, const Edit& edit, Encoding encoding);
[[nodiscard]] bool has_crlf(std::string_view text);
[[nodiscard]] std::string with_crlf(std::string_view text);
// Edits of one document, bound to its version where the client can tell.
[[nodiscard]] Json workspace_edit_json(const Client& client, const Document& document,
                                       Json text_edits);
[[nodiscard]] Json workspace_edit_json(const Question& question, const Document& document,
                                       Json text_edits);

// Edits of several documents. What is not open has no version.
struct DocumentEdits {
  DocumentRef document;
  Json edits;
};
[[nodiscard]] Json project_edit_json(const Question& question, std::vector<DocumentEdits> all);

// A line of a program above a text, as Markdown or as it is.
struct Prose {
  std::string_view code, text, module;
};
[[nodiscard]] Json prose_json(const Prose& prose, bool is_markdown);

}  // namespace komuz::lsp

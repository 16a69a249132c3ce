// SPDX-License-Identifier: Apache-2.0
// What a hover says of an expression of a sketch with cases: its values on the first of these.
#pragma once
#include <string>

#include "lsp/answers/question.h"

namespace komuz::lsp {

// Lines of Markdown that are also text; empty: there are no such values.
[[nodiscard]] std::string hovered_values(const Question& question, const Document& document,
                                         ByteRange range);

}  // namespace komuz::lsp

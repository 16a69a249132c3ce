// SPDX-License-Identifier: Apache-2.0
// Items of a document as an input of the session that is attached, and the action that sends one.
#pragma once
#include <string>
#include <vector>

#include "lsp/answers/question.h"
#include "lsp/text/positions.h"

namespace komuz::lsp {

struct SessionInput {
  std::string text;  // empty: the range touches no item
  std::vector<std::string> names;
};
// Those that a range touches, without tests and properties.
[[nodiscard]] SessionInput input_of(const Document& document, ByteRange range);

void add_session_actions(const Question& question, const Document& document, ByteRange range,
                         Json& actions);

}  // namespace komuz::lsp

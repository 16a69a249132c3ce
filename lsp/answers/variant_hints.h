// SPDX-License-Identifier: Apache-2.0
// Beside each hole what the best variant has there.
#pragma once
#include "lsp/answers/question.h"

namespace komuz::lsp {

// Appends them to a list of `InlayHint`. What stands outside of `range` is left out. While an evaluation goes on
// those of the text before stay, as far as the edit has left their holes whole, and are marked.
void add_variant_hints(const Question& question, const Document& document, ByteRange range,
                       Json& hints);

}  // namespace komuz::lsp

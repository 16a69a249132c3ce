// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/params.h"
#include "lsp/answers/variant_hints.h"

namespace komuz::lsp {

Outcome answer_hints(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  Json hints = Json::array();
  add_variant_hints(question, *read.value.document, read.value.bytes, hints);
  return hints;
}

}  // namespace komuz::lsp

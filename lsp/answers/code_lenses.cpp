// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/function_lenses.h"
#include "lsp/answers/params.h"
#include "lsp/answers/ranking_lens.h"
#include "lsp/answers/test_lenses.h"

namespace komuz::lsp {

Outcome answer_lenses(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  Json lenses = Json::array();
  add_ranking_lens(question, *read.value, lenses);
  add_test_lenses(question, *read.value, lenses);
  add_function_lenses(question, *read.value, lenses);
  return lenses;
}

}  // namespace komuz::lsp

// SPDX-License-Identifier: Apache-2.0
// Commands of lenses and actions (lsp/answers/commands.def).
#include <algorithm>

#include "lsp/answers/params.h"
#include "lsp/answers/test_lenses.h"

namespace komuz::lsp {
namespace {

Outcome refused_words(std::string words) {
  return Refusal{ErrorCode::InvalidParams, std::move(words)};
}

// The document that the first argument names.
DocumentRef document_of(const Question& question) {
  const Json& arguments = member(question.params, "arguments");
  if (!arguments.is_array() || arguments.empty() || !arguments[0].is_string()) return nullptr;
  return question.workspace.documents().find(arguments[0].get_ref<const std::string&>());
}

// The client has a view for it, or none: there is nothing to be done here.
Outcome show_ranking(const Question& /*question*/, const Document& /*document*/) { return Json(); }

Outcome run_tests(const Question& question, const Document& document) {
  const Json& arguments = member(question.params, "arguments");
  if (arguments.size() < 2 || !arguments[1].is_string())
    return refused_words("`komuz.run` takes a document and the name of a test");
  std::optional<u32> line;
  if (arguments.size() > 2) {
    const u64 most = document.lines.lines();
    if (!arguments[2].is_number_unsigned())
      return refused_words("the third argument of `komuz.run` is a line, counted from 0");
    line = static_cast<u32>(std::min(arguments[2].get<u64>(), most));
  }
  return run_tests_of(question, document, arguments[1].get_ref<const std::string&>(), line);
}

}  // namespace

Outcome answer_command(const Question& question) {
  const Json& command = member(question.params, "command");
  if (!command.is_string()) return refused_words("`command` is missing, or no text");
  struct Row {
    std::string_view name;
    Outcome (*run)(const Question& question, const Document& document);
  };
  static constexpr Row kRows[] = {
#define COMMAND(name, function, what) {name, function},
#include "lsp/answers/commands.def"
  };
  for (const Row& row : kRows) {
    if (command != row.name) continue;
    const DocumentRef document = document_of(question);
    if (document == nullptr)
      return refused_words("the first argument of `" + std::string(row.name) +
                           "` is the URI of a document that is open");
    return row.run(question, *document);
  }
  return refused_words("there is no command `" + command.get<std::string>() + "`");
}

}  // namespace komuz::lsp

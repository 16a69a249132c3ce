// SPDX-License-Identifier: Apache-2.0
#include "repl/command_words.h"

#include "services/format.h"

namespace komuz::repl {

std::string formatted(const std::string& program) {
  frontend::Compiler compiler;
  const services::Formatted formatted = services::format(compiler, program);
  return formatted.ok ? formatted.text : program;
}

std::string names_text(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names)
    text += (name == names.front() ? "" : name == names.back() ? " or " : ", ") + std::string(name);
  return text;
}

Answer unread(const Input& words, const Problem& error) {
  if (!error.is(ProblemKind::Stop)) return refused(words, error.text());
  Answer stopped;
  stopped.kind = AnswerKind::Stopped;
  return stopped;
}

}  // namespace komuz::repl

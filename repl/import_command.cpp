// SPDX-License-Identifier: Apache-2.0
// `:import`: formulas that another tool prints become functions of the session.
#include "engine/cases/column_names.h"
#include "repl/command_words.h"
#include "repl/commands.h"
#include "services/display_text.h"
#include "services/import/import_formulas.h"

namespace komuz::repl {
namespace {

constexpr std::string_view kForm =
    "`:import` takes a tool and a file, as in `:import sympy formulas.txt`";

std::string format_list() {
  std::vector<std::string_view> names;
  for (const services::FormatRow& row : services::formula_formats()) names.push_back(row.name);
  return names_text(names);
}

// A name for functions, of that of a file.
std::string name_of_file(std::string_view path) {
  const size_t slash = path.rfind('/');
  std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  const size_t dot = name.find('.');
  if (dot != std::string_view::npos && dot != 0) name = name.substr(0, dot);
  const std::string_view header[] = {name};
  return engine::names_of_columns(header)[0];
}

}  // namespace

Answer Commands::import(const Input& words) {
  std::string_view rest = words.text;
  const std::string_view tool = take_word(rest);
  const std::optional<services::FormulaFormat> format = services::find_format(tool);
  if (tool.empty()) return refused(words, std::string(kForm));
  if (!format)
    return refused(words, "`" + services::printable(tool, 40) +
                              "` is no tool whose formulas are read; there are " + format_list());
  const std::optional<std::string> path = take_quoted_word(rest);
  if (!path || path->empty()) return refused(words, std::string(kForm));
  std::string name(take_word(rest));
  if (!rest.empty() || (!name.empty() && !engine::is_program_name(name)))
    return refused(words,
                   "behind the file stands a name for the functions, as in `:import sympy "
                   "formulas.txt law`");
  if (name.empty()) name = name_of_file(*path);
  Result<std::string> file = host_.read_file(*path);
  if (file.problem()) return refused(words, file.problem().message());
  services::ImportOptions options;
  options.format = *format;
  const services::ImportedFormulas imported =
      services::import_formulas(std::move(file).value(), *path, options);
  const size_t count = imported.programs.size();
  if (count == 0 && imported.problems.empty())
    return refused(words, "`" + *path + "` has no formula");
  if (count == 0) return refused(words, imported.problems[0].text());
  std::string text;
  for (const services::StatedInput& input : imported.renamed)
    text += "the input `" + services::printable(input.name, 60) + "` is the parameter `" +
            input.parameter + "`\n";
  for (const services::ImportedProgram& program : imported.programs) {
    // Several have the numbers of their lines.
    const std::string function = count == 1 ? name : name + "_" + std::to_string(program.line);
    Answer defined = session_.evaluate({program.named(function), *path, 1}, stop_);
    if (defined.kind == AnswerKind::Stopped || defined.is_failure()) return defined;
    text += session_.definitions().find_name(function)->text;
    if (!text.ends_with('\n')) text += '\n';
  }
  Answer answer = told(std::move(text));
  for (const Problem& problem : imported.problems) answer.note += problem.text() + "\n";
  return answer;
}

}  // namespace komuz::repl

// SPDX-License-Identifier: Apache-2.0
#include "services/import/define_functions.h"

#include <algorithm>

#include "engine/cases/column_names.h"
#include "mend/source_text.h"
#include "services/display_text.h"
#include "services/import/name_inputs.h"
#include "services/import/read_formula.h"
#include "services/import/read_tokens.h"
#include "services/import/write_program.h"

namespace komuz::services {
namespace {

// Templates of calls number their arguments by one digit.
constexpr size_t kMostParameters = 9;
constexpr std::string_view kPlace = "--define";

FormulaFormat format_of_definitions(FormulaFormat format) {
  const bool is_python = format == FormulaFormat::Deap || format == FormulaFormat::Gplearn;
  return is_python ? FormulaFormat::Python : format;
}

struct Head {
  std::string name;
  std::vector<StatedInput> parameters;
  std::string_view body;
  u32 body_at = 0;
};

Problem misshapen(std::string_view word) {
  return option_problem(
      "`--define " + printable(word, 60) + "` is not of the form NAME(a, b) = FORMULA",
      "write `--define 'pdiv(a, b) = a / b'`");
}

// `name(a, b) = body`.
Result<Head> read_head(std::string_view word) {
  Head head;
  const size_t open = word.find('('), close = word.find(')');
  const size_t equals = close == std::string_view::npos ? close : word.find('=', close);
  if (open == std::string_view::npos || equals == std::string_view::npos || open > close ||
      !trimmed(word.substr(close + 1, equals - close - 1)).empty())
    return misshapen(word);
  head.name = std::string(trimmed(word.substr(0, open)));
  if (!engine::is_program_name(head.name)) return misshapen(word);
  std::string_view rest = trimmed(word.substr(open + 1, close - open - 1));
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string name(trimmed(rest.substr(0, comma)));
    const bool is_double = std::ranges::any_of(
        head.parameters, [&](const StatedInput& other) { return other.name == name; });
    if (!engine::is_program_name(name) || is_double) return misshapen(word);
    head.parameters.push_back({name, {}});
    rest = comma == rest.size() ? std::string_view{} : trimmed(rest.substr(comma + 1));
  }
  if (head.parameters.empty())
    return option_problem("`--define " + printable(word, 60) + "` has no parameters",
                          "a function of formulas has at least one");
  if (head.parameters.size() > kMostParameters)
    return option_problem("`--define` gives `" + printable(head.name, 40) + "` " +
                              std::to_string(head.parameters.size()) + " parameters",
                          "import reads up to " + std::to_string(kMostParameters));
  head.body = word.substr(equals + 1);
  head.body_at = static_cast<u32>(equals + 1);
  return head;
}

}  // namespace

const DefinedFunction* find_defined(std::span<const DefinedFunction> defined, FormulaFormat format,
                                    std::string_view name) {
  const bool is_any_case = format_row(format).capitals == Capitals::Ignored;
  for (const DefinedFunction& function : defined)
    if (function.name == name || (is_any_case && is_same_but_for_case(function.name, name)))
      return &function;
  return nullptr;
}

Result<std::vector<DefinedFunction>> read_definitions(FormulaFormat format,
                                                      std::span<const std::string_view> words) {
  std::vector<DefinedFunction> defined;
  if (!words.empty() && format == FormulaFormat::Latex)
    return option_problem(
        "`--define` is not for `--from latex`, where names with brackets are products",
        "write what the function calculates in the formula");
  const FormulaFormat own = format_of_definitions(format);
  for (const std::string_view word : words) {
    Result<Head> read = read_head(word);
    if (read.problem()) return std::move(read).problem();
    const Head& head = read.value();
    if (find_defined(defined, format, head.name) != nullptr)
      return option_problem("`--define` defines `" + printable(head.name, 40) + "` twice",
                            "give each function a name of its own");
    const FormulaLine line{head.body, kPlace, 1, head.body_at};
    Result<FormulaTokens> tokens = read_tokens({own, false}, line);
    if (tokens.problem()) return std::move(tokens).problem();
    InputNames names(own, head.parameters, defined);
    if (Problem problem = names.find(line, tokens.value())) return problem;
    Result<Written> body = read_formula(
        {own, line, tokens.value(),
         [&names](std::string_view name) { return names.parameter_of(name); }, defined});
    if (body.problem()) return std::move(body).problem();
    DefinedFunction function;
    function.name = function.called = head.name;
    while (may_be_called(function.called) || function.called == kEntryName) function.called += "_";
    function.text = "// Yours.\nfn " + function.called + "(";
    function.call = function.called + "(";
    for (const std::string& parameter : names.parameters()) {
      const bool is_first = function.arguments.empty();
      function.arguments += "n";
      function.text += (is_first ? "" : ", ") + parameter + ": f64";
      function.call += (is_first ? "$" : ", $") + std::to_string(function.arguments.size());
    }
    function.call += ")";
    function.text += ") -> f64 { " + body.value().text + " }\n";
    defined.push_back(std::move(function));
  }
  return defined;
}

}  // namespace komuz::services

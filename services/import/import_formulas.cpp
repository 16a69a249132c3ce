// SPDX-License-Identifier: Apache-2.0
#include "services/import/import_formulas.h"

#include <algorithm>
#include <set>

#include "engine/candidates/load_modules.h"
#include "engine/cases/column_names.h"
#include "engine/cases/csv_records.h"
#include "engine/cases/signature.h"
#include "frontend_gpu/frontend.h"
#include "mend/mend.h"
#include "mend/source_text.h"
#include "services/display_text.h"
#include "services/format.h"
#include "services/import/read_formula.h"
#include "services/import/read_latex.h"
#include "services/import/read_tokens.h"
#include "services/import/write_program.h"

namespace komuz::services {
namespace {

constexpr size_t kMostFormulaBytes = 65'536;

class Importer {
 public:
  explicit Importer(const ImportOptions& options)
      : options_(options),
        names_(options.format, options.inputs, options.defined),
        is_input_([this](std::string_view name) { return names_.is_stated(name); }),
        modules_(nullptr) {
    compiler_ = frontend::Compiler({.library = &modules_.library()});
  }

  void read(const FormulaLine& line) {
    Result<std::string> source = program_of(line);
    if (source.problem())
      out.problems.push_back(source.problem());
    else if (!source.value().empty())
      out.programs.push_back({line.line, std::move(source).value()});
  }

  ImportedFormulas out;

 private:
  // Empty: there is no formula on the line.
  [[nodiscard]] Result<std::string> program_of(const FormulaLine& line) {
    if (line.text.size() > kMostFormulaBytes)
      return input_problem(line.place(0),
                           "a formula has " + std::to_string(line.text.size()) + " bytes",
                           "import reads up to " + std::to_string(kMostFormulaBytes));
    Result<FormulaTokens> read = read_line(line);
    if (read.problem()) return std::move(read).problem();
    FormulaTokens& tokens = read.value();
    if (tokens.tokens.empty()) return std::string();
    if (Problem problem = names_.find(line, tokens)) return problem;
    Result<Written> formula = read_formula(
        {options_.format, line, tokens,
         [this](std::string_view name) { return names_.parameter_of(name); }, options_.defined});
    if (formula.problem()) return std::move(formula).problem();
    Result<std::string> made =
        checked(line, write_program(formula.value().text, names_.parameters(), options_.defined));
    if (!made.problem()) note_renamed();
    return made;
  }

  void note_renamed() {
    for (StatedInput& input : names_.renamed()) {
      const bool is_known = std::ranges::any_of(out.renamed, [&](const StatedInput& other) {
        return other.name == input.name && other.parameter == input.parameter;
      });
      if (!is_known) out.renamed.push_back(std::move(input));
    }
  }

  [[nodiscard]] Result<FormulaTokens> read_line(const FormulaLine& line) const {
    if (options_.format == FormulaFormat::Latex) return read_latex(line, is_input_);
    TokenOptions how{options_.format, options_.has_decimal_comma};
    // A sheet with `;` between arguments has decimal commas.
    if (options_.format == FormulaFormat::Excel && line.text.find(';') != std::string_view::npos)
      how.has_decimal_comma = true;
    return read_tokens(how, line);
  }

  // The program in its canonical form. The front end says where a formula is too much for one.
  [[nodiscard]] Result<std::string> checked(const FormulaLine& line, const std::string& source) {
    const Formatted formatted = format(formatter_, source);
    modules_.load(source);
    const std::string& text = formatted.ok ? formatted.text : source;
    compiler_.compile(text, compilation_);
    if (compilation_.ok) return text;
    std::string why = "the formula makes no program";
    for (const Diagnostic& d : compilation_.diagnostics)
      if (diagnostic_row(d.code()).severity == Severity::Error) {
        why += ": " + diagnostic_message(d, compilation_.text.empty() ? text : compilation_.text);
        break;
      }
    return input_problem(line.place(0), why, "split it into smaller ones");
  }

  const ImportOptions& options_;
  InputNames names_;
  std::function<bool(std::string_view)> is_input_;
  engine::ModuleLoader modules_;
  frontend::Compiler compiler_;   // with the modules
  frontend::Compiler formatter_;  // which looks at the text alone
  frontend::Compilation compilation_;
};

// The column of formulas in the header of a table; none: the text is no such table.
[[nodiscard]] std::optional<size_t> equation_column(std::string_view text,
                                                    std::span<const engine::TableCell> header) {
  for (size_t k = 0; k < header.size(); ++k)
    if (is_same_but_for_case(text.substr(header[k].begin, header[k].length), "Equation"))
      return header.size() > 1 ? std::optional(k) : std::nullopt;
  return std::nullopt;
}

// False: the text is no table with such a column.
[[nodiscard]] bool import_table(std::string text, std::string_view file, Importer& importer) {
  const engine::Watch watch;
  engine::CsvRecords records(text, 0, 1, text.size(), file, ',', watch);
  std::vector<engine::TableCell> cells;
  if (records.next(cells)) return false;
  const std::optional<size_t> column = equation_column(text, cells);
  if (!column) return false;
  for (;;) {
    if (Problem problem = records.next(cells)) {
      importer.out.problems.push_back(std::move(problem));
      return true;
    }
    if (cells.empty()) return true;
    if (cells.size() <= *column) {
      importer.out.problems.push_back(
          input_problem(records.place(1), "the row has no cell in the column `Equation`",
                        "the header names " + std::to_string(*column + 1) + " columns or more"));
      continue;
    }
    const engine::TableCell& cell = cells[*column];
    const bool is_quoted = cell.begin > 0 && text[cell.begin - 1] == '"';
    importer.read({std::string_view(text).substr(cell.begin, cell.length), file, records.line(),
                   cell.column - (is_quoted ? 0 : 1)});
  }
}

void import_lines(std::string_view text, std::string_view file, Importer& importer) {
  u64 line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    importer.read({trimmed_end(whole), file, ++line, 0});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string ImportedProgram::named(std::string_view name) const {
  const std::string head = "pub fn " + std::string(kEntryName) + "(";
  std::string out = source;
  const size_t at = out.rfind(head);
  return at == std::string::npos
             ? out
             : out.replace(at, head.size(), "pub fn " + std::string(name) + "(");
}

ImportedFormulas import_formulas(std::string text, std::string_view file,
                                 const ImportOptions& options) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  Importer importer(options);
  if (options.format != FormulaFormat::Pysr || !import_table(text, file, importer))
    import_lines(text, file, importer);
  return std::move(importer.out);
}

Result<std::vector<StatedInput>> read_stated_inputs(std::span<const std::string_view> words) {
  std::vector<StatedInput> inputs;
  for (std::string_view rest : words) {
    for (bool is_last = false; !is_last;) {
      const size_t comma = rest.find(',');
      is_last = comma == std::string_view::npos;
      const std::string_view word = trimmed(rest.substr(0, comma));
      if (!is_last) rest.remove_prefix(comma + 1);
      const size_t equals = word.rfind('=');
      const bool has_name = equals != std::string_view::npos;
      StatedInput input{std::string(trimmed(word.substr(0, equals))),
                        has_name ? std::string(trimmed(word.substr(equals + 1))) : std::string()};
      if (input.name.empty() || (has_name && !engine::is_program_name(input.parameter)))
        return option_problem("`--input " + printable(word, 60) + "` names no input",
                              "write `--input x0,x1`, or `--input x0=speed`");
      const std::string& parameter = has_name ? input.parameter : input.name;
      const bool is_double = std::ranges::any_of(inputs, [&](const StatedInput& other) {
        return other.name == input.name ||
               (other.parameter.empty() ? other.name : other.parameter) == parameter;
      });
      if (is_double)
        return option_problem("`--input` names `" + printable(parameter, 60) + "` twice",
                              "give each input a name of its own");
      inputs.push_back(std::move(input));
    }
  }
  return inputs;
}

Result<std::vector<StatedInput>> read_stated_signature(std::string_view text) {
  Result<engine::Signature> read = engine::read_signature(text);
  if (read.problem()) return std::move(read).problem();
  const engine::Signature& signature = read.value();
  std::string wanted = "(";
  std::vector<StatedInput> inputs;
  for (const std::string& name : signature.names) {
    wanted += (inputs.empty() ? "" : ", ") + name + ": f64";
    inputs.push_back({name, name});
  }
  if (signature.text() != wanted + ") -> f64")
    return option_problem("`--signature " + printable(text, 80) + "` is not of f64 alone",
                          "formulas take and give f64: `fn(x: f64, y: f64) -> f64`");
  return inputs;
}

}  // namespace komuz::services

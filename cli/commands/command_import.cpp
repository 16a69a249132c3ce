// SPDX-License-Identifier: Apache-2.0
// komuz import: formulas of other tools in, candidates out.
#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/outputs.h"
#include "engine/support/json_text.h"
#include "services/display_text.h"
#include "services/files/files.h"
#include "services/import/import_formulas.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kFormatNames[] = {
// clang-format off
#define FORMAT(Id, name, ...) name,
#include "services/import/formats.def"
    // clang-format on
};
constexpr std::string_view kDecimalMarks[] = {".", ","};
constexpr OptionRow kOptions[] = {
    {"from", "TOOL",
     "sympy, gplearn, deap, operon, pysr, exprtk, muparser, excel, latex, python or octave",
     one_of(kFormatNames)},
    {"output", "OUT",
     "candidates (.jsonl; default: standard output), or of one formula the program (.komuz)",
     files("jsonl ndjson komuz"), 'o'},
    {"input", "NAMES",
     "the inputs, such as a,b: all functions have them in this order; x0=speed renames one"},
    {"signature", "TEXT", "the same as a signature: 'fn(x: f64, y: f64) -> f64'"},
    {"define", "FUNCTION",
     "a function of your own that formulas call: 'pdiv(a, b) = a / b if b != 0 else 1'"},
    {"decimal", "MARK", "with `,`: 1,5 is a number of a spreadsheet, and `;` parts arguments",
     one_of(kDecimalMarks)},
};

// The name of a file without its folder and ending.
std::string stem_of(const std::string& path) {
  if (path == "-") return "formula";
  const size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string candidates_text(const services::ImportedFormulas& imported, const std::string& stem) {
  std::string text;
  for (const services::ImportedProgram& program : imported.programs) {
    text += "{\"id\": ";
    engine::append_json_string(text, stem + ":" + std::to_string(program.line));
    text += ", \"source\": ";
    engine::append_json_string(text, program.source);
    text += "}\n";
  }
  return text;
}

Exit read_options(Args& args, Terminal& terminal, services::ImportOptions& options) {
  const size_t format = args.choice("from");
  const bool has_comma = args.choice("decimal") == 1;
  if (!args.error().empty()) return terminal.usage_error("import", args.error());
  if (!args.has("from"))
    return terminal.usage_error("import", "say what wrote the formulas: `--from sympy`");
  options.format = services::formula_formats()[format].format;
  options.has_decimal_comma = has_comma;
  if (has_comma && options.format != services::FormulaFormat::Excel)
    return terminal.usage_error("import",
                                "`--decimal ,` is for `--from excel`: no other tool here "
                                "writes numbers so");
  if (args.has("define")) {
    Result<std::vector<services::DefinedFunction>> defined =
        services::read_definitions(options.format, args.values("define"));
    if (defined.problem()) {
      terminal.error(defined.problem().text(), {});
      return Exit::Usage;
    }
    options.defined = std::move(defined).value();
  }
  if (args.has("input") && args.has("signature"))
    return terminal.usage_error("import", "one of --input and --signature");
  if (!args.has("input") && !args.has("signature")) return Exit::Success;
  Result<std::vector<services::StatedInput>> inputs =
      args.has("input") ? services::read_stated_inputs(args.values("input"))
                        : services::read_stated_signature(*args.value("signature"));
  if (inputs.problem()) {
    terminal.error(inputs.problem().message(), inputs.problem().remedy());
    return Exit::Usage;
  }
  options.inputs = std::move(inputs).value();
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  services::ImportOptions options;
  if (const Exit read = read_options(args, terminal, options); read != Exit::Success) return read;
  if (args.positional.size() != 1 || args.has_rest)
    return terminal.usage_error(
        "import", "name one file of formulas, or `-`: `komuz import --from sympy formulas.txt`");
  const std::string path(args.positional[0]);
  const std::string out(args.value("output").value_or("-"));
  const Output output{"-o", out, true, false, false};
  if (const Exit checked = check_outputs({&output, 1}, {&path, 1}, terminal);
      checked != Exit::Success)
    return checked;
  std::string text;
  if (const Problem problem = services::read_file(path, text)) {
    terminal.error(problem.message(), problem.remedy());
    return Exit::InputOutput;
  }
  const services::ImportedFormulas imported =
      services::import_formulas(std::move(text), path == "-" ? "<stdin>" : path, options);
  for (const Problem& problem : imported.problems) terminal.error(problem.text());
  const size_t count = imported.programs.size();
  if (count == 0 && imported.problems.empty())
    return terminal.input_error("`" + path + "` has no formula",
                                "write each formula on a line of its own");
  const bool is_program = out.ends_with(".komuz");
  if (is_program && count != 1)
    return terminal.input_error("`" + path + "` has " + counted(count, "formula") +
                                    " that can be read, and `-o " + out + "` takes one program",
                                "write candidates: `-o OUT.jsonl`");
  const std::string made =
      is_program ? imported.programs[0].source : candidates_text(imported, stem_of(path));
  if (out == "-") {
    terminal.out.write(made);
  } else if (const Problem problem = write_file(out, made)) {
    terminal.error(problem.message(), problem.remedy());
    return Exit::InputOutput;
  }
  for (const services::StatedInput& input : imported.renamed)
    terminal.note("the input `" + services::printable(input.name, 60) + "` is the parameter `" +
                      input.parameter + "`",
                  "");
  terminal.err.write(counted(count, "formula") + " read, " +
                     std::to_string(imported.problems.size()) + " left out\n");
  return imported.problems.empty() ? Exit::Success : Exit::Failure;
}

}  // namespace

constinit const Command kImportCommand = {
    .name = "import",
    .summary = "make candidates of formulas that other tools print",
    .usage =
        "  komuz import --from TOOL FILE [-o OUT] [--input NAMES | --signature TEXT]\n"
        "FILE has a formula on each line, as the tool prints it, or is `-` for standard input; of\n"
        "pysr it may be hall_of_fame.csv. Each becomes a program that means what the formula "
        "means\n"
        "in its tool: precedences, protected operators and thresholds are those of the tool\n"
        "(docs/import.md). A line that cannot be read is reported, and the others go on. The id "
        "of\n"
        "a candidate is the name of FILE and the line: `front:3`.\n",
    .examples =
        "  komuz import --from pysr hall_of_fame.csv -o front.jsonl\n"
        "  komuz import --from gplearn best.txt --input length,width | komuz eval - --cases "
        "data.csv\n"
        "  echo '=A2*EXP(-B2)' | komuz import --from excel - -o decay.komuz\n",
    .arguments = {files(), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

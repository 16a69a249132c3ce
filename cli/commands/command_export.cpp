// SPDX-License-Identifier: Apache-2.0
// komuz export: writes a function in another language.
#include <algorithm>

#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/outputs.h"
#include "cli/files/whole_file.h"
#include "cli/programs/program.h"
#include "cli/terminal/bar_watch.h"
#include "engine/cases/cases_table.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_entry.h"
#include "engine/cases/suite.h"
#include "engine/testing/single_run.h"
#include "lang/copy_code.h"
#include "services/export/export.h"
#include "services/export/self_check.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kTargets[] = {
#define TARGET(Name, spelling, endings, Form, comment, what) spelling,
#include "services/export/targets.def"
};
constexpr std::string_view kDialects[] = {"sqlite", "duckdb"};

constexpr OptionRow kOptions[] = {
    {"to", "TARGET",
     "python, numpy, c, cuda, julia, rust, latex, mathml, sympy, excel, sql or javascript; "
     "default: "
     "by the ending of OUT",
     one_of(kTargets)},
    {"output", "OUT", "the file to write; default: standard output",
     files("py c h cu cuh jl rs tex mathml mml sql js mjs"), 'o'},
    {"entry", "NAME", "the function; default: the only `pub fn`"},
    {"test", "CASES.csv",
     "the file compares itself, when it is run, with the results of Komuz on these arguments",
     files("csv jsonl")},
    {"cells", "x=A2,y=B2", "of excel: the cell of each parameter; default: A2, B2, …"},
    {"table", "NAME", "of sql: the table (default t)"},
    {"dialect", "NAME", "of sql: sqlite (default) or duckdb", one_of(kDialects)},
};

// More cases make a file that nobody wants to read.
constexpr size_t kMostCases = 10'000;

// The arguments in a file, and the results of Komuz. Rows that trap are left out: `trapped` counts them.
Exit read_check(const std::string& path, Program& program, u32 function, Terminal& terminal,
                services::ExportOptions& out, size_t& trapped) {
  Interrupt interrupt;
  const BarWatch bar(terminal, &interrupt, interrupt.token());
  std::string bytes;
  if (const Problem unread = read_whole_file(path, kCasesLimit, bar, bytes))
    return terminal.input_error(unread.message(), unread.remedy());
  engine::CasesTable table;
  engine::CaseFields fields;
  fields.has_expectations = false;
  Problem error = engine::read_cases(path, std::move(bytes), fields, table, bar);
  const CodeView code = program.code.view();
  const engine::Signature signature = engine::signature_of(code, code.functions[function]);
  engine::Suite suite;
  if (!error) error = engine::make_columns(table, signature, suite, interrupt.token());
  if (error) return terminal.input_error(error.text());
  if (suite.count > kMostCases)
    return terminal.input_error(
        path + " has " + std::to_string(suite.count) + " cases",
        "a file checks itself on " + std::to_string(kMostCases) + " at most: give it fewer");
  if (const services::Note note = services::indicators_note(table, suite); !note.message.empty())
    terminal.note(note.message, note.remedy);
  // Cases hold slices as lists, and a function behind the code takes these.
  Code own;
  if (suite.has_slices) {
    own = copy_code(code);
    const std::string fault = engine::add_slice_entry(own, function, suite.case_types);
    if (!fault.empty()) return terminal.input_error("the cases do not fit the function: " + fault);
    out.case_types = suite.case_types;
  }
  const CodeView runs = suite.has_slices ? own.view() : code;
  const u32 slots = static_cast<u32>(suite.argument_types.size());
  for (u32 row = 0; row < suite.count; ++row) {
    services::ExportCase one;
    for (u32 slot = 0; slot < slots; ++slot)
      one.arguments.push_back(suite.argument_cell(slot, row));
    engine::SingleRun run;
    engine::run_single(runs, function, one.arguments, kDefaultFuel, run);
    if (run.trap != Trap::None) {
      ++trapped;
      continue;
    }
    one.result = std::move(run.value);
    out.cases.push_back(std::move(one));
  }
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  services::ExportOptions options;
  if (args.has_rest || args.positional.size() != 1)
    return terminal.usage_error("export", "name one program: `komuz export FILE --to python`");
  const std::string path(args.positional[0]), out(args.value("output").value_or("-"));
  if (args.has("to")) {
    options.target = static_cast<services::ExportTarget>(args.choice("to"));
  } else if (const auto target = services::target_of_file(out)) {
    options.target = *target;
  } else {
    return terminal.usage_error(
        "export", "say what to write: `--to` takes one of " + services::target_list());
  }
  options.dialect = static_cast<services::SqlDialect>(args.choice("dialect"));
  options.cells = args.value("cells").value_or("");
  options.table = args.value("table").value_or("t");
  options.entry = args.value("entry").value_or("");
  if (!args.error().empty()) return terminal.usage_error("export", args.error());
  const bool is_sql = options.target == services::ExportTarget::Sql;
  for (const std::string_view option : {"table", "dialect"})
    if (args.has(option) && !is_sql)
      return terminal.usage_error("export", "`--" + std::string(option) + "` is for `--to sql`");
  if (args.has("cells") && options.target != services::ExportTarget::Excel)
    return terminal.usage_error("export", "`--cells` is for `--to excel`");
  const std::string check(args.value("test").value_or(""));
  if (!check.empty() && !services::checks_itself(options.target))
    return terminal.usage_error("export",
                                "`--test` is for targets that run by themselves, and not for " +
                                    std::string(services::target_row(options.target).spelling));
  Program program;
  if (const Exit loaded = load_correct_program(path, ErrorForm::Text, terminal, program);
      loaded != Exit::Success)
    return loaded;
  const engine::EntryChoice entry = engine::choose_entry(program.code.view(), options.entry);
  if (!entry.refusal.empty()) return terminal.usage_error("export", path + ": " + entry.refusal);
  options.name = path;
  size_t trapped = 0;
  if (!check.empty())
    if (const Exit read = read_check(check, program, static_cast<u32>(entry.function), terminal,
                                     options, trapped);
        read != Exit::Success)
      return read;
  std::vector<std::string> inputs = {path};
  if (!check.empty()) inputs.push_back(check);
  const Output outputs[] = {{"-o", out, true}};
  if (const Exit checked = check_outputs(outputs, inputs, terminal); checked != Exit::Success)
    return checked;
  const Result<services::Exported> made =
      program.is_code ? services::export_code(program.code.view(), options)
                      : services::export_source(
                            program.source, options,
                            program.project ? &program.project->modules().library() : nullptr);
  if (made.problem()) {
    if (made.problem().is(ProblemKind::Option))
      return terminal.usage_error("export", made.problem().text());
    return terminal.input_error(made.problem().text());
  }
  if (out == "-")
    terminal.out.write(made.value().text);
  else if (const auto error = write_file(out, made.value().text))
    return terminal.input_error(error.message(), error.remedy());
  terminal.out.flush();
  for (const std::string& note : made.value().notes) terminal.note(note, "");
  if (trapped != 0)
    terminal.note(std::to_string(trapped) + " of the cases end in a trap: they are not checked",
                  "");
  return Exit::Success;
}

}  // namespace

constinit const Command kExportCommand = {
    .name = "export",
    .summary = "write a function in another language",
    .usage =
        "  komuz export FILE --to TARGET [--entry NAME] [-o OUT] [--test CASES.csv]\n"
        "What is written means the same. What a target has in another form comes along as small\n"
        "functions; what may differ is said in a note; what a target cannot say is refused.\n",
    .examples =
        "  komuz export examples/collatz/loop.komuz --to python\n"
        "  komuz export best.komuz -o best.py --test data.csv && python3 best.py\n"
        "  komuz export best.komuz --to excel --cells x=B2\n",
    .arguments = {files(kProgramEndings), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

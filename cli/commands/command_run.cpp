// SPDX-License-Identifier: Apache-2.0
// komuz run: runs one function of one program on arguments from the command line.
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "cli/programs/native_run.h"
#include "cli/programs/program.h"
#include "cli/programs/table_run.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"
#include "engine/cases/slice_entry.h"
#include "engine/testing/single_run.h"
#include "engine/values/value_text.h"
#include "services/options/table_options.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"entry", "NAME", "the function to run; default: the only `pub fn`"},
    {"cases", "FILE",
     "run it on each row of a table, CSV or JSONL, and write the table with the results",
     files("csv tsv jsonl ndjson gz")},
    {"out", "OUT", "with --cases: the file to write; default `-`, standard output",
     files("csv tsv jsonl ndjson"), 'o'},
    {"output", "NAME", "with --cases: the column of the results; default: named as the function"},
    {"input", "FIELD",
     "with --cases: a column that parameters take, by name, else in order; repeat it for each"},
    services::kSeparatorOption,
    services::kDecimalOption,
    services::kSkipMissingOption,
    {"fuel", "N", "ticks that the run, or a row, may use (default 1000000)"},
    kNativeOption,
    kStatsOption,
    {"json", "", "one object: the value or trap, and the fuel used; or the errors, one a line"},
};

struct Arguments {
  std::string types;  // as one tuple, with lists for slices
  std::vector<u64> cells;
};

// Reads one text for each parameter. Returns the fault; empty if there is none.
std::string read_arguments(const engine::Signature& signature,
                           std::span<const std::string_view> texts, Arguments& out) {
  const std::string_view types = signature.parameter_types;
  const size_t wanted = signature.names.size();
  if (texts.size() != wanted) {
    return "the entry takes " + counted(wanted, "argument") + ", found " + grouped(texts.size()) +
           ": " + signature.text();
  }
  constexpr size_t kTupleHead = 2;  // kTupleCode and the number of elements
  size_t at = kTupleHead;
  out.types = types.substr(0, kTupleHead);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t end = skip_type(types, at);
    engine::CaseType type = engine::case_type(types.substr(at, end - at), texts.subspan(i, 1),
                                              engine::ValueStyle::Text);
    at = end;
    const size_t before = out.cells.size();
    out.cells.resize(before + count_cells(type.code));
    if (!type.error)
      type.error = engine::parse_value(type.code, texts[i], engine::ValueStyle::Text,
                                       std::span(out.cells).subspan(before));
    if (type.error) {
      return "argument `" + signature.names[i] + "`: " + type.error->message +
             (type.error->remedy.empty() ? "" : "; " + type.error->remedy);
    }
    out.types += type.code;
  }
  return {};
}

services::TrapSite trap_site(const Program& program, const engine::SingleRun& outcome) {
  const CodeView code = program.code.view();
  const u32 instruction = outcome.place;
  return {.trap = outcome.trap,
          .function = code.name(code.functions[code.function_at(instruction)]),
          .place = offset_of(code.places[instruction]),
          .depth = outcome.depth,
          .fuel = outcome.fuel,
          .compared =
              engine::compared_text(outcome.compared, code.places[instruction], program.asserted)};
}

std::string outcome_json(const Program& program, const engine::Signature& signature,
                         const engine::SingleRun& outcome) {
  nlohmann::ordered_json object;
  if (outcome.trap == Trap::None) {
    std::string value;
    engine::print_value(value, signature.result_type, outcome.value, engine::ValueStyle::Json);
    object["value"] = nlohmann::ordered_json::parse(value);
  } else {
    const CodeView code = program.code.view();
    const services::TrapSite site = trap_site(program, outcome);
    auto& trap = object["trap"];
    trap["code"] = trap_name(site.trap);
    trap["function"] = site.function;
    const u32 code_place = code.places[outcome.place];
    const services::NamedSource source = program.source_of(code_place);
    if (file_of(code_place) != 0) trap["file"] = source.name;
    if (!source.text.empty()) {
      const Place place = place_of(source.text, site.place);
      trap["line"] = place.line;
      trap["column"] = place.column;
    }
    trap["depth"] = site.depth;
    services::add_compared(trap, site.compared);
  }
  object["fuel"] = outcome.fuel;
  return json_line(object);
}

// The first option that has no meaning beside the others.
std::string find_conflict(const Args& args) {
  if (args.value("cases")) {
    if (args.has("json")) return "`--json` is about one run: a table of JSONL gives JSONL";
    return args.rest.empty() ? "" : "`--cases` has the arguments: none go behind `--`";
  }
  for (const std::string_view name : {"out", "output", "input"})
    if (args.value(name))
      return "`--" + std::string(name) + "` is about a table: add `--cases FILE`";
  return {};
}

Exit run(Args& args, Terminal& terminal) {
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  NativeRun native(args, terminal);
  if (!args.error().empty()) return terminal.usage_error("run", args.error());
  if (args.positional.size() != 1) {
    return terminal.usage_error("run", args.positional.empty()
                                           ? "no program: `komuz run FILE --entry NAME -- ARGS…`"
                                           : "one program at a time; its arguments go behind `--`");
  }
  if (!args.rest.empty() && args.rest[0] == "--")
    return terminal.usage_error("run", "one `--` is enough; what is behind it are arguments");
  if (const std::string conflict = find_conflict(args); !conflict.empty())
    return terminal.usage_error("run", conflict);
  Program program;
  const ErrorForm form = args.has("json") ? ErrorForm::Lines : ErrorForm::Text;
  const Exit loaded =
      load_correct_program(std::string(args.positional[0]), form, terminal, program);
  if (loaded != Exit::Success) return loaded;

  const engine::EntryChoice entry =
      engine::choose_entry(program.code.view(), args.value("entry").value_or(""));
  if (!entry.refusal.empty())
    return terminal.usage_error("run", program.path + ": " + entry.refusal);
  u32 function = static_cast<u32>(entry.function);
  engine::TableForm table_form;
  if (const Problem wrong = services::read_table_form(args, "cases", table_form))
    return terminal.usage_error("run", wrong.message());
  if (const auto cases = args.value("cases")) {
    const std::vector<std::string_view> inputs = args.values("input");
    return run_on_table({.cases_path = std::string(*cases),
                         .out_path = std::string(args.value("out").value_or("-")),
                         .column = std::string(args.value("output").value_or("")),
                         .inputs = {inputs.begin(), inputs.end()},
                         .form = table_form,
                         .fuel = fuel},
                        program, function, native.tier(), terminal);
  }
  const engine::Signature signature =
      engine::signature_of(program.code.view(), program.code.functions[function]);
  Arguments arguments;
  if (const std::string wrong = read_arguments(signature, args.rest, arguments); !wrong.empty())
    return terminal.usage_error("run", wrong);
  const bool has_slices = engine::has_slices(signature.parameter_types);
  if (has_slices)
    if (const std::string wrong = engine::add_slice_entry(program.code, function, arguments.types);
        !wrong.empty())
      return terminal.usage_error("run", "with these arguments, " + wrong);

  const CodeView code = program.code.view();
  engine::SingleRun outcome;
  engine::run_single(code, function, arguments.cells,
                     has_slices ? engine::slice_entry_fuel(fuel) : fuel, outcome, nullptr,
                     native.tier());
  if (has_slices) engine::hide_slice_entry(code, function, outcome.view());
  const bool trapped = outcome.trap != Trap::None;
  if (args.has("json")) {
    terminal.out.write(outcome_json(program, signature, outcome));
  } else if (trapped) {
    terminal.err.write(services::render_trap(trap_site(program, outcome),
                                             program.source_of(code.places[outcome.place]),
                                             terminal.err.style()));
  } else {
    std::string text;
    engine::print_value(text, signature.result_type, outcome.value, engine::ValueStyle::Text);
    terminal.out.write(text + "\n");
  }
  return trapped ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kRunCommand = {
    .name = "run",
    .summary = "run one function of a program",
    .usage =
        "  komuz run FILE [--entry NAME] [-- ARGS…]\n"
        "  komuz run FILE [--entry NAME] --cases TABLE [-o OUT]\n"
        "FILE is a program (.komuz) or bytecode (.kbc), which is checked first.\n",
    .examples =
        "  komuz run examples/tour.komuz --entry gcd -- 1071 462\n"
        "  21\n"
        "  komuz run examples/tour.komuz --entry minmax -- 2.5 -1.0\n"
        "  (-1.0, 2.5)\n"
        "  komuz run best.komuz --cases new.csv -o predicted.csv\n",
    .arguments = {files(kProgramEndings), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

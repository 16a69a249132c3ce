// SPDX-License-Identifier: Apache-2.0
// komuz run: one function of one program on arguments from the command line.
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "cli/command.h"
#include "cli/json_line.h"
#include "cli/program.h"
#include "engine/signature.h"
#include "engine/slice_cases.h"
#include "engine/slice_entry.h"
#include "engine/value_text.h"
#include "vm/vm.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"entry", "NAME", "the function to run; else the only `pub fn`"},
    {"fuel", "N", "ticks that the run may use (default 1000000)"},
    {"json", "", "one object: value or trap, and the fuel used; or the errors, a line each"},
};

// A value's cells in the memory of argument columns: 64 bytes each, as the machines want them aligned and padded.
struct alignas(64) ColumnBytes {
  std::array<std::byte, 64> bytes{};
};

struct Arguments {
  std::string types;  // as one tuple, slices as lists
  std::vector<ColumnBytes> storage;
  std::vector<ArgumentColumn> columns;
};

// Reads one text for each parameter. Returns what is wrong, or nothing.
std::string read_arguments(const engine::Signature& signature,
                           std::span<const std::string_view> texts, Arguments& out) {
  const std::string_view types = signature.parameter_types;
  const size_t wanted = signature.names.size();
  if (texts.size() != wanted) {
    return "the entry takes " + counted(wanted, "argument") + ", found " + grouped(texts.size()) +
           ": " + signature.text();
  }
  std::vector<u64> cells;
  std::vector<Scalar> cell_types;
  constexpr size_t kTupleHead = 2;  // kTupleCode and the number of elements
  size_t at = kTupleHead;
  out.types = types.substr(0, kTupleHead);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t end = skip_type(types, at);
    engine::CaseType type = engine::case_type(types.substr(at, end - at), texts.subspan(i, 1),
                                              engine::ValueStyle::Text);
    at = end;
    const size_t before = cells.size();
    cells.resize(before + count_cells(type.code));
    engine::append_cell_types(type.code, cell_types);
    if (!type.error)
      type.error = engine::parse_value(type.code, texts[i], engine::ValueStyle::Text,
                                       std::span(cells).subspan(before));
    if (type.error) {
      return "argument `" + signature.names[i] + "`: " + type.error->message +
             (type.error->remedy.empty() ? "" : "; " + type.error->remedy);
    }
    out.types += type.code;
  }
  out.storage.resize(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    // Canonical cells are little-endian and extended: a column holds their low bytes.
    std::memcpy(out.storage[i].bytes.data(), &cells[i], scalar_bytes(cell_types[i]));
    out.columns.push_back({cell_types[i], out.storage[i].bytes.data()});
  }
  return {};
}

struct Outcome {
  std::vector<u64> value;
  std::array<Trap, 1> trap{};
  std::array<u32, 1> place{}, depth{};
  std::array<u64, 1> fuel{};
};

Outcome run_once(const CodeView& code, u32 function, const Arguments& arguments, u64 fuel,
                 bool has_slices) {
  Outcome outcome;
  outcome.value.resize(code.functions[function].result_cells);
  const OutcomesView view = {.values = outcome.value,
                             .traps = outcome.trap,
                             .places = outcome.place,
                             .depths = outcome.depth,
                             .fuel = outcome.fuel};
  vm::run_reference({.code = code,
                     .function = function,
                     .cases = {.columns = arguments.columns, .count = 1},
                     .fuel = has_slices ? engine::slice_entry_fuel(fuel) : fuel},
                    view);
  if (has_slices) engine::hide_slice_entry(code, function, view);
  return outcome;
}

services::TrapSite trap_site(const CodeView& code, const Outcome& outcome) {
  const u32 instruction = outcome.place[0];
  return {.trap = outcome.trap[0],
          .function = code.name(code.functions[code.function_at(instruction)]),
          .place = offset_of(code.places[instruction]),
          .depth = outcome.depth[0],
          .fuel = outcome.fuel[0]};
}

std::string outcome_json(const Program& program, const engine::Signature& signature,
                         const Outcome& outcome) {
  nlohmann::ordered_json object;
  if (outcome.trap[0] == Trap::None) {
    std::string value;
    engine::print_value(value, signature.result_type, outcome.value, engine::ValueStyle::Json);
    object["value"] = nlohmann::ordered_json::parse(value);
  } else {
    const CodeView code = program.code.view();
    const services::TrapSite site = trap_site(code, outcome);
    auto& trap = object["trap"];
    trap["code"] = trap_name(site.trap);
    trap["function"] = site.function;
    const u32 code_place = code.places[outcome.place[0]];
    const services::NamedSource source = program.source_of(code_place);
    if (file_of(code_place) != 0) trap["file"] = source.name;
    if (!source.text.empty()) {
      const Place place = place_of(source.text, site.place);
      trap["line"] = place.line;
      trap["column"] = place.column;
    }
    trap["depth"] = site.depth;
  }
  object["fuel"] = outcome.fuel[0];
  return json_line(object);
}

Exit run(Args& args, Terminal& terminal) {
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  if (!args.error().empty()) return terminal.usage_error("run", args.error());
  if (args.positional.size() != 1) {
    return terminal.usage_error("run", args.positional.empty()
                                           ? "no program: `komuz run FILE --entry NAME -- ARGS…`"
                                           : "one program at a time; its arguments go behind `--`");
  }
  if (!args.rest.empty() && args.rest[0] == "--")
    return terminal.usage_error("run", "one `--` is enough; what is behind it are arguments");
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
  const Outcome outcome = run_once(code, function, arguments, fuel, has_slices);
  const bool trapped = outcome.trap[0] != Trap::None;
  if (args.has("json")) {
    terminal.out.write(outcome_json(program, signature, outcome));
  } else if (trapped) {
    terminal.err.write(services::render_trap(trap_site(code, outcome),
                                             program.source_of(code.places[outcome.place[0]]),
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
        "FILE is a program (.komuz) or bytecode (.kbc), which is checked first.\n",
    .examples =
        "  komuz run examples/tour.komuz --entry gcd -- 1071 462\n"
        "  21\n"
        "  komuz run examples/tour.komuz --entry minmax -- 2.5 -1.0\n"
        "  (-1.0, 2.5)\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

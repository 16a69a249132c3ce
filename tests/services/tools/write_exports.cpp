// SPDX-License-Identifier: Apache-2.0
// write_exports FOLDER COUNT SEED [FILE…]: random programs in every target, with cases and what Komuz makes of them, for
// tests/export/check_targets.py. A file for each target, an object a line; with FILEs (`c`, `duckdb`) these alone. The first
// programs are the mathematical functions, one each, on many arguments; they have `function`.
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "engine/candidates/load_modules.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"
#include "engine/cases/slice_entry.h"
#include "engine/testing/single_run.h"
#include "frontend_gpu/frontend.h"
#include "gen/gen.h"
#include "lang/builtins.h"
#include "lang/copy_code.h"
#include "services/export/export.h"
#include "services/export/target_table.h"

namespace komuz::tools {
namespace {

constexpr u32 kCases = 12, kFunctionCases = 2000;
constexpr u64 kFuel = 20'000;

struct Sample {
  std::string source, function;
  Op op = Op::LoadConst;
};

std::vector<std::string> cells_of(std::string_view types) {
  std::vector<std::string> out;
  for_each_cell(types, [&](Scalar type) { out.emplace_back(scalar_name(type)); });
  return out;
}

// Of the columns of a table, as services/export/ names them.
std::vector<std::string> names_of(const CodeView& code, const Function& f) {
  std::vector<std::string> out;
  const std::string_view types = code.parameter_types(f);
  size_t at = 2;
  for (u32 parameter = 0; at < types.size(); ++parameter) {
    const size_t end = skip_type(types, at);
    const NameRange range = code.parameter_names[f.parameters_begin + parameter];
    const std::string name(code.names.substr(range.begin, range.end - range.begin));
    const std::string_view type = types.substr(at, end - at);
    for (std::string& cell : services::cell_names(type, name, static_cast<u32>(count_cells(type))))
      out.push_back(std::move(cell));
    at = end;
  }
  return out;
}

// The parameters' types with lists of at most five elements for slices.
std::string case_types_of(std::string_view types) {
  std::string out(types.substr(0, 2));
  for (size_t at = 2; at < types.size();) {
    const size_t end = skip_type(types, at);
    if (static_cast<u8>(types[at]) == kSliceCode)
      out += std::string{static_cast<char>(kListCode), 5, 0} +
             std::string(types.substr(at + 1, end - at - 1));
    else
      out += types.substr(at, end - at);
    at = end;
  }
  return out;
}

// How check_targets.py makes an argument of cells of a case.
nlohmann::json shape_of(const services::EntryArgument& argument, const services::EntryTypes& types,
                        std::span<const services::SlotInCase> slots) {
  using services::ArgumentKind;
  const services::SlotInCase& at = slots[argument.slot];
  switch (argument.kind) {
    case ArgumentKind::Number:
    case ArgumentKind::Length: return {{"kind", "number"}, {"first", at.first}};
    case ArgumentKind::Array:
      return {{"kind", "array"}, {"first", at.first}, {"cells", argument.cells}};
    case ArgumentKind::Slice:
    case ArgumentKind::Reference: {
      const services::SlotInCase& of =
          argument.kind == ArgumentKind::Slice ? slots[argument.slot + 1] : at;
      return {{"kind", "slice"},
              {"first", of.first},
              {"length", of.length_at},
              {"per_element", of.per_element}};
    }
    case ArgumentKind::Record: break;
  }
  struct Open {
    u32 record;
    size_t field;
    nlohmann::json made;
  };
  const auto start = [&](u32 record) {
    return Open{record,
                0,
                {{"kind", "record"},
                 {"name", types.records[record].name},
                 {"fields", nlohmann::json::array()}}};
  };
  std::vector<Open> open = {start(argument.record)};
  u32 cell = at.first;
  for (;;) {
    Open& top = open.back();
    const services::RecordType& record = types.records[top.record];
    if (top.field == record.fields.size()) {
      nlohmann::json made = std::move(top.made);
      open.pop_back();
      if (open.empty()) return made;
      Open& outer = open.back();
      outer.made["fields"].push_back(
          {types.records[outer.record].fields[outer.field++].name, std::move(made)});
      continue;
    }
    const services::RecordField& field = record.fields[top.field];
    if (field.record != services::kNoRecord) {
      open.push_back(start(field.record));
      continue;
    }
    nlohmann::json made = {
        {"kind", field.length == 0 ? "number" : "array"}, {"first", cell}, {"cells", field.cells}};
    cell += field.cells;
    top.made["fields"].push_back({field.name, std::move(made)});
    ++top.field;
  }
}
nlohmann::json shapes_of(const services::Exported& exported,
                         std::span<const services::SlotInCase> slots) {
  nlohmann::json out = nlohmann::json::array();
  for (const services::EntryArgument& argument : exported.arguments)
    out.push_back(shape_of(argument, exported.types, slots));
  return out;
}
// How the cells of a result that is a record are called behind it.
nlohmann::json paths_of(const services::Exported& exported) {
  nlohmann::json out = nlohmann::json::array();
  if (exported.types.result_record != services::kNoRecord)
    for (const services::RecordCell& cell :
         cells_of_record(exported.types, exported.types.result_record))
      out.push_back(cell.path);
  return out;
}

bool has_mathematics(const CodeView& code) {
  for (const Instruction i : code.instructions)
    if (is_mathematical(i.op)) return true;
  return false;
}

// Arguments at which functions are hard, then random ones of all sizes.
std::vector<std::vector<u64>> function_cases(u32 parameters, bool is_wide) {
  std::vector<f64> edges = {
      0.0,  -0.0, 1.0,   -1.0,  0.5,    -0.5,   2.0,      -2.0,      10.0,      0.1,
      3.0,  1e-5, -1e-5, 700.0, -700.0, 1e-300, 1e300,    -1e300,    1e22,      -1e22,
      20.0, -20., 88.0,  -88.0, 1e-38,  1e38,   4.9e-324, 0.9999999, 1.0000001, -0.9999999};
  edges.push_back(std::nan(""));
  edges.push_back(INFINITY);
  edges.push_back(-INFINITY);
  std::vector<std::vector<u64>> cases;
  const auto cell = [&](f64 value) {
    return is_wide ? std::bit_cast<u64>(value) : u64{std::bit_cast<u32>(static_cast<f32>(value))};
  };
  const auto canonical = [&](u64 bits) {
    if (is_wide) return std::isnan(std::bit_cast<f64>(bits)) ? kCanonicalNan64 : bits;
    return std::isnan(std::bit_cast<f32>(static_cast<u32>(bits))) ? kCanonicalNan32 : bits;
  };
  for (const f64 a : edges) {
    if (parameters == 1)
      cases.push_back({canonical(cell(a))});
    else
      for (const f64 b : edges) cases.push_back({canonical(cell(a)), canonical(cell(b))});
  }
  u64 state = 12345;
  const auto next = [&] {
    state += 0x9E3779B97F4A7C15u;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  };
  while (cases.size() < kFunctionCases + edges.size()) {
    std::vector<u64> one;
    for (u32 k = 0; k < parameters; ++k) {
      const f64 unit = static_cast<f64>(next() >> 11) * 0x1p-53;
      const f64 size = std::exp2(unit * 24 - 14);
      const f64 value = next() % 2 == 0 ? size : -size;
      one.push_back(cell(next() % 4 == 0 ? unit * 2 - 1 : value));
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

int run(const std::string& folder, u64 count, u64 seed, const std::set<std::string>& wanted) {
  std::vector<Sample> samples;
  for (const BuiltinRow& row : kBuiltins)
    if (is_mathematical(row.op) && row.name != "log0")
      for (const std::string type : {"f64", "f32"}) {
        const bool has_two = op_row(row.op).form == OpForm::Binary;
        const std::string name(row.name);
        samples.push_back({"pub fn f(x: " + type + (has_two ? ", y: " + type : "") + ") -> " +
                               type + " { " + name + "(x" + (has_two ? ", y" : "") + ") }",
                           name + " " + type, row.op});
      }
  for (u64 k = 0; k < count; ++k) {
    gen::Options options;
    options.tests = false;
    options.functions = 3;
    // Arrays and lists in some; many of these take slices, and are refused.
    options.containers = k % 6 == 0;
    options.chains = k % 12 == 0;
    // Programs with loops and calls, of scalars alone, and formulas.
    const bool is_program = k % 3 == 0;
    samples.push_back({is_program
                           ? gen::generate_program(seed + k, options)
                           : gen::generate_scalar_program(seed + k, static_cast<gen::Family>(k % 5),
                                                          4 + static_cast<u32>(k % 29)),
                       "", Op::LoadConst});
  }
  // A file that is not wanted is not open.
  const auto open = [&](const std::string& name) {
    return wanted.empty() || wanted.contains(name) ? std::ofstream(folder + "/" + name + ".jsonl")
                                                   : std::ofstream();
  };
  std::vector<std::ofstream> files;
  for (const services::TargetRow& row : services::kTargetRows)
    files.push_back(open(std::string(row.spelling)));
  std::ofstream duckdb = open("duckdb");
  std::map<std::string, u64> refused;
  u64 exported = 0;
  engine::ModuleLoader modules(nullptr);
  frontend::Options how;
  how.library = &modules.library();
  how.is_plain = true;
  frontend::Compiler compiler(how);
  for (size_t number = 0; number < samples.size(); ++number) {
    const Sample& sample = samples[number];
    frontend::Compilation compilation;
    compiler.compile(sample.source, compilation);
    if (!compilation.ok) continue;
    const CodeView code = compilation.code.view();
    const engine::EntryChoice entry = engine::choose_entry(code, {});
    if (!entry.refusal.empty()) continue;
    const Function& f = code.functions[entry.function];
    nlohmann::ordered_json object;
    object["id"] = number;
    if (!sample.function.empty()) object["function"] = sample.function;
    object["program"] = sample.source;
    const std::string_view types = code.parameter_types(f);
    const std::string case_types = case_types_of(types);
    const std::vector<services::SlotInCase> slots = services::slots_in_case(types, case_types);
    if (slots.empty() && count_cells(types) != 0) continue;
    const std::vector<std::string> parameters = cells_of(case_types);
    Code runs = copy_code(code);
    u32 runs_entry = static_cast<u32>(entry.function);
    if (engine::has_slices(types) && !engine::add_slice_entry(runs, runs_entry, case_types).empty())
      continue;
    object["parameters"] = parameters;
    object["names"] = names_of(code, f);
    object["results"] = cells_of(code.result_type(f));
    object["is_measured"] = has_mathematics(code);
    const auto rows =
        sample.function.empty()
            ? gen::generate_values(seed + number, case_types, kCases)
            : function_cases(static_cast<u32>(parameters.size()), sample.function.ends_with("f64"));
    nlohmann::ordered_json cases = nlohmann::ordered_json::array();
    for (const std::vector<u64>& row : rows) {
      engine::SingleRun outcome;
      engine::run_single(runs.view(), runs_entry, row, kFuel, outcome);
      if (outcome.trap == Trap::Fuel) continue;
      nlohmann::ordered_json one;
      one.push_back(row);
      if (outcome.trap == Trap::None)
        one.push_back(outcome.value);
      else
        one.push_back(std::string(trap_name(outcome.trap)));
      cases.push_back(std::move(one));
    }
    object["cases"] = std::move(cases);
    const auto write = [&](const services::ExportOptions& options, std::ofstream& file) {
      if (!file.is_open()) return;
      const Result<services::Exported> made =
          services::export_source(sample.source, options, &modules.library());
      if (made.problem()) {
        const std::string text = made.problem().message();
        ++refused[text];
        return;
      }
      ++exported;
      if (!sample.function.empty())
        object["limit"] =
            services::measured_ulps(options.target, sample.op,
                                    sample.function.ends_with("f64") ? Scalar::F64 : Scalar::F32)
                .value_or(2);
      object["entry"] = made.value().entry;
      object["shape"] = shapes_of(made.value(), slots);
      object["paths"] = paths_of(made.value());
      object["text"] = made.value().text;
      object["notes"] = made.value().notes;
      file << object.dump() << '\n';
    };
    for (size_t target = 0; target < files.size(); ++target) {
      services::ExportOptions options;
      options.target = static_cast<services::ExportTarget>(target);
      write(options, files[target]);
      if (options.target == services::ExportTarget::Sql) {
        options.dialect = services::SqlDialect::Duckdb;
        write(options, duckdb);
      }
    }
  }
  std::printf("%llu texts of %zu programs\n", static_cast<unsigned long long>(exported),
              samples.size());
  std::ofstream why(folder + "/refused.txt");
  for (const auto& [text, times] : refused) why << times << " " << text << '\n';
  return 0;
}

}  // namespace
}  // namespace komuz::tools

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: write_exports FOLDER COUNT SEED [FILE…]\n");
    return 2;
  }
  return komuz::tools::run(argv[1], std::stoull(argv[2]), std::stoull(argv[3]),
                           std::set<std::string>(argv + 4, argv + argc));
}

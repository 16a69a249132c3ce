// SPDX-License-Identifier: Apache-2.0
#include "python/binding/program.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/cases/slice_entry.h"
#include "engine/cases/suite.h"
#include "engine/testing/run_rows.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/expand.h"
#include "frontend_gpu/frontend.h"
#include "lang/layout.h"
#include "python/binding/problems.h"
#include "services/fuel/tick_bounds.h"
#include "services/render.h"

namespace komuz::python {
namespace {

bool is_scalar(std::string_view code) {
  const std::string text = type_text(code);
  return text.find_first_of("([{&|") == std::string::npos && count_cells(code) == 1 &&
         !engine::has_variable_parts(code);
}

// The parts of a tuple.
std::vector<std::string_view> parts_of(std::string_view tuple) {
  std::vector<std::string_view> parts;
  for (size_t at = 2; at < tuple.size();) {  // behind the tuple's code and count
    const size_t end = skip_type(tuple, at);
    parts.push_back(tuple.substr(at, end - at));
    at = end;
  }
  return parts;
}

std::vector<Scalar> scalars_of_parts(const std::vector<std::string_view>& parts) {
  std::vector<Scalar> scalars;
  for (const std::string_view part : parts) {
    if (!is_scalar(part)) return {};
    engine::append_cell_types(part, scalars);
  }
  return scalars;
}

}  // namespace

void RowTraps::add(const RowTraps& other) {
  if (other.count == 0) return;
  const u64 all = count + other.count;
  if (count == 0 || other.row < row) *this = other;
  count = all;
}

Program::Program(std::string source, std::string entry, const std::string& path)
    : source_(std::move(source)), project_(std::make_unique<services::Project>(path)) {
  modules().load(source_);
  if (modules().needs_too_many())
    raise(input_problem({}, std::string(engine::ModuleLoader::kTooMany),
                        "leave some out, or join some into one"));
  frontend::Compiler compiler({.library = &modules().library()});
  frontend::Compilation made;
  compiler.compile(source_, made);
  const std::string_view diagnosed = made.text.empty() ? std::string_view(source_) : made.text;
  nlohmann::ordered_json diagnostics = nlohmann::ordered_json::array();
  for (const Diagnostic& d : made.diagnostics)
    diagnostics.push_back(services::diagnostic_json(d, {"<text>", diagnosed}));
  diagnostics_ = diagnostics.dump();
  is_compiled_ = made.ok;
  if (!made.ok) return;
  code_ = std::move(made.code);
  const engine::EntryChoice chosen = engine::choose_entry(code_.view(), entry);
  refusal_ = chosen.refusal;
  if (!refusal_.empty()) return;
  function_ = static_cast<u32>(chosen.function);
  signature_ = engine::signature_of(code_.view(), code_.functions[function_]);
  parameters_ = scalars_of_parts(parts_of(signature_.parameter_types));
  const std::string_view result = signature_.result_type;
  const bool is_tuple = type_text(result).starts_with("(");
  results_ = scalars_of_parts(is_tuple ? parts_of(result) : std::vector{result});
  most_ticks_ = services::tick_bounds(code_.view())[function_].most;
}

std::string Program::name() const {
  const CodeView code = code_.view();
  return std::string(code.name(code.functions[function_]));
}

RowTraps Program::run_json(std::string lines, std::vector<std::string>& results,
                           const RowsOptions& options, const std::stop_token& stop) const {
  engine::CaseFields fields;
  fields.has_expectations = false;
  engine::CasesTable table;
  const engine::Watch watch(stop);
  raise(engine::read_jsonl_cases("arguments", std::move(lines), fields, table, watch));
  engine::Suite suite;
  raise(engine::make_columns(table, signature_, suite, stop));
  Code code = code_;
  u32 function = function_;
  if (suite.has_slices)
    if (std::string wrong = engine::add_slice_entry(code, function, suite.case_types);
        !wrong.empty())
      raise(input_problem("with these slices, " + wrong));
  const engine::ValueFormat format(signature_.result_type);
  const size_t cells = count_cells(signature_.result_type);
  std::vector<u64> value(cells);
  RowTraps traps;
  engine::RowsRun rows(code.view(), function, suite, options.fuel, options.native.get());
  rows.run(watch, [&](u32 begin, const OutcomesView& outcomes) {
    const size_t count = outcomes.traps.size();
    for (size_t k = 0; k < count; ++k) {
      std::string& text = results.emplace_back();
      if (outcomes.traps[k] != Trap::None) {
        text = "null";
        traps.add(begin + k, outcomes.traps[k], outcomes.places[k], outcomes.depths[k]);
        continue;
      }
      for (size_t cell = 0; cell < cells; ++cell) value[cell] = outcomes.values[cell * count + k];
      format.print(text, value, engine::ValueStyle::Json);
    }
  });
  return traps;
}

Program::SourcePlace Program::place_of(u32 instruction) const {
  const CodeView code = code_.view();
  if (instruction >= code.places.size()) return {};
  const u32 place = code.places[instruction];
  std::string function(code.name(code.functions[code.function_at(instruction)]));
  std::string file;
  std::string_view text = source_;
  if (file_of(place) != 0) {
    const Library& library = project_->modules().library();
    frontend::Compiler compiler({.library = &library});
    const Module* const module = frontend::module_of_place(place, compiler, source_, library);
    if (module == nullptr) return {};
    file = module->file;
    text = module->text;
  }
  const Place found = services::NamedSource{file, text}.place(place);
  return {std::move(function), std::move(file), found.line, found.column};
}

}  // namespace komuz::python

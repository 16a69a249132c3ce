// SPDX-License-Identifier: Apache-2.0
// What Python sees of programs.
#include <pybind11/stl.h>

#include "lang/traps.h"
#include "python/binding/problems.h"
#include "python/binding/program.h"
#include "python/binding/stoppable.h"
#include "services/editor/function_costs.h"
#include "services/export/export.h"

namespace komuz::python {
namespace {

// The format of the module `struct`.
char format_of(Scalar type) {
  switch (type) {
    case Scalar::Bool: return '?';
    case Scalar::I32: return 'i';
    case Scalar::I64: return 'q';
    case Scalar::U8: return 'B';
    case Scalar::U32: return 'I';
    case Scalar::U64: return 'Q';
    case Scalar::F32: return 'f';
    case Scalar::F64: return 'd';
    default: return 0;
  }
}
std::string formats_of(const std::vector<Scalar>& types) {
  std::string formats;
  for (const Scalar type : types) formats += format_of(type);
  return formats;
}

py::object traps_of(const Program& program, const RowTraps& traps) {
  if (traps.count == 0) return py::none();
  const Program::SourcePlace place = program.place_of(traps.instruction);
  py::dict out;
  out["count"] = traps.count;
  out["row"] = traps.row;
  out["code"] = std::string(trap_name(traps.trap));
  out["function"] = place.function;
  out["file"] = place.file;
  out["line"] = place.line;
  out["column"] = place.column;
  out["depth"] = traps.depth;
  return out;
}

Program::RowsOptions options_of(Session& session, u64 fuel, u32 threads) {
  return {fuel, threads, session.native(engine::NativeChoice::Auto)};
}

py::object run_rows(const Program& program, Session& session, const NumberColumns& columns,
                    size_t rows, const std::vector<py::buffer>& results, const py::object& traps,
                    u64 fuel, u32 threads) {
  std::vector<py::buffer_info> buffers;
  std::vector<ResultColumn> places;
  for (size_t k = 0; k < results.size(); ++k) {
    buffers.push_back(results[k].request(true));
    places.push_back({program.result_scalars()[k], static_cast<std::byte*>(buffers[k].ptr)});
  }
  u8* marks = nullptr;
  if (!traps.is_none()) {
    buffers.push_back(py::reinterpret_borrow<py::buffer>(traps).request(true));
    marks = static_cast<u8*>(buffers.back().ptr);
  }
  const Program::RowsOptions options = options_of(session, fuel, threads);
  RowTraps found;
  Stoppable run;
  const auto work = [&](const std::stop_token& stop) {
    found = program.run_rows(columns.columns(), rows, places, marks, options, stop);
  };
  // A short run has ended before anybody could ask for its end.
  constexpr u64 kFew = 4096;
  if (const std::optional<u64> ticks = program.most_ticks();
      rows <= kFew && ticks && *ticks <= kFew && rows * std::max<u64>(*ticks, 1) <= 2 * kFew)
    work({});
  else
    run.run(work);
  if (run.was_interrupted()) throw Raised{stopped()};
  return traps_of(program, found);
}

py::tuple run_json(const Program& program, Session& session, std::string lines, u64 fuel) {
  std::vector<std::string> results;
  RowTraps found;
  Stoppable run;
  const Program::RowsOptions options = options_of(session, fuel, 1);
  run.run([&](const std::stop_token& stop) {
    found = program.run_json(std::move(lines), results, options, stop);
  });
  if (run.was_interrupted()) throw Raised{stopped()};
  return py::make_tuple(results, traps_of(program, found));
}

py::dict facts_of(const Program& program) {
  const engine::Signature& signature = program.signature();
  py::dict facts;
  facts["name"] = program.name();
  facts["signature"] = signature.text();
  facts["parameters"] = signature.names;
  facts["parameter_formats"] = formats_of(program.parameter_scalars());
  facts["result_formats"] = formats_of(program.result_scalars());
  facts["has_tuple"] = type_text(signature.result_type).starts_with("(");
  return facts;
}

py::dict cost_of(const Program& program) {
  py::dict out;
  for (const services::FunctionCost& cost :
       services::list_function_costs(program.source(), program.modules())) {
    if (cost.name != program.name()) continue;
    out["code_bytes"] = cost.code_bytes;
    out["stack_bytes"] = cost.stack_bytes;
    out["depth"] = cost.depth;
    out["ticks"] = cost.ticks;
    out["depends_on"] = cost.depends_on;
    out["text"] = services::cost_text(cost);
    out["code"] = cost.text;
  }
  return out;
}

std::string exported(const Program& program, const std::string& target) {
  services::ExportOptions options;
  const std::optional<services::ExportTarget> found = services::find_target(target);
  if (!found)
    raise(option_problem("there is no target `" + target + "`",
                         "the targets are " + services::target_list()));
  options.target = *found;
  options.entry = program.name();
  return value_of(services::export_source(program.source(), options, &program.modules().library()))
      .text;
}

}  // namespace

void register_program(py::module_& module) {
  py::class_<NumberColumns>(module, "NumberColumns", py::module_local())
      .def(py::init<>())
      .def("add", &NumberColumns::add)
      .def("rows", &NumberColumns::rows)
      .def("lengths",
           [](const NumberColumns& columns) {
             std::vector<size_t> rows;
             for (const NumberColumn& column : columns.columns()) rows.push_back(column.rows);
             return rows;
           })
      .def("spread", &NumberColumns::spread)
      .def("add_texts", &NumberColumns::add_texts)
      .def("csv_text", &NumberColumns::csv_text)
      .def("refuse_nan", &NumberColumns::refuse_nan);
  py::class_<Program>(module, "Program", py::module_local())
      .def(py::init<std::string, std::string, const std::string&>())
      .def("is_compiled", &Program::is_compiled)
      .def("diagnostics_json", &Program::diagnostics_json)
      .def("refusal", &Program::refusal)
      .def("is_native", &Program::is_native)
      .def("facts", facts_of)
      .def("run_rows", run_rows)
      .def("run_json", run_json)
      .def("cost", cost_of)
      .def("exported", exported);
}

}  // namespace komuz::python

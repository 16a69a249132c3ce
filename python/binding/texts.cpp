// SPDX-License-Identifier: Apache-2.0
#include "python/binding/texts.h"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "engine/cases/column_names.h"
#include "mend/standard_uses.h"
#include "python/binding/problems.h"
#include "services/apply_edits.h"
#include "services/editor/check_text.h"
#include "services/explain.h"
#include "services/files/project.h"
#include "services/format.h"
#include "services/render.h"

namespace komuz::python {
namespace {

std::string diagnostics_json(std::span<const Diagnostic> diagnostics,
                             services::NamedSource source) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic& d : diagnostics) list.push_back(services::diagnostic_json(d, source));
  return list.dump();
}

// Modules are looked for beside the file.
std::string check(const std::string& text, const std::string& file) {
  services::Project project(file);
  const services::CheckedText checked = services::check_text(text, project.modules());
  return diagnostics_json(checked.diagnostics, {file, checked.text});
}

// The text, or the diagnostics as JSON.
py::tuple format(const std::string& text) {
  frontend::Compiler compiler;
  const services::Formatted formatted = services::format(compiler, text);
  if (formatted.ok) return py::make_tuple(formatted.text, py::none());
  return py::make_tuple(py::none(), diagnostics_json(formatted.diagnostics, {"<text>", text}));
}

// The text, and a tuple of code, line and message for each edit.
py::tuple fix(const std::string& text) {
  services::Project project("");
  project.modules().load(text);
  project.modules().load(standard_use_items());  // a fix may name any
  frontend::Compiler compiler({.library = &project.modules().library()});
  const services::Fixed fixed = services::fix_source(compiler, text, services::FixKind::All);
  py::list fixes;
  for (const services::AppliedFix& of : fixed.fixes)
    fixes.append(py::make_tuple(std::string(diagnostic_row(of.code).code), of.line, of.message));
  return py::make_tuple(fixed.text, fixes);
}

py::tuple explain(const std::string& name) {
  const std::optional<services::Explanation> found = services::explain(name);
  if (!found)
    raise(option_problem(services::unknown_topic(name, "; `komuz explain` lists them"), ""));
  return py::make_tuple(services::render_explanation(*found),
                        services::explanation_json(*found).dump());
}

}  // namespace

void register_texts(py::module_& module) {
  module.def("check", check);
  module.def("format", format);
  module.def("fix", fix);
  module.def("explain", explain);
  module.def("is_name", engine::is_program_name);
  module.def("usable_name", engine::usable_name);
}

}  // namespace komuz::python

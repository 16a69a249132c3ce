// SPDX-License-Identifier: Apache-2.0
#include "python/binding/options.h"

#include <pybind11/stl.h>

#include <span>
#include <string>

#include "engine/engine.h"
#include "engine/search/search.h"
#include "python/binding/interpreter_lock.h"
#include "python/binding/problems.h"
#include "services/files/drawing_file.h"
#include "services/fit/fit_request.h"
#include "services/options/evaluation_options.h"

namespace komuz::python {
namespace {

std::span<const services::OptionRow> rows_of(const std::string& command) {
  if (command == "fit") return services::fit_options();
  return services::evaluation_options(command == "search" ? services::EvaluationKind::Search
                                                          : services::EvaluationKind::Eval);
}

// The options of the command `eval`, `search` or `fit`: by each name what its value is called, or nothing for a flag, and its help.
py::dict options_of(const std::string& command) {
  py::dict options;
  for (const services::OptionRow& row : rows_of(command))
    options[py::str(std::string(row.name))] =
        py::make_tuple(std::string(row.value), std::string(row.help));
  return options;
}

// What runs in parts and searches are cut by, where nothing is said; and how long the arguments of a call may be, as JSON.
py::dict limits() {
  const engine::SearchOptions search;
  py::dict limits;
  limits["shard_block"] = engine::Shard::kBlock;
  limits["most_shards"] = engine::Shard::kMost;
  limits["population"] = search.population;
  limits["generations"] = *search.generations;
  limits["case_line"] = engine::kMaxCaseLine;
  return limits;
}

}  // namespace

void register_options(py::module_& module) {
  module.def("options_of", options_of, py::arg("command"));
  module.def("limits", limits);
  module.def("end_threads", end_threads);
  module.def(
      "check_drawing",
      [](const std::string& option, const std::string& path) {
        if (const Problem wrong = services::find_drawing_problem(option, path))
          raise(option_problem(wrong.message(), wrong.remedy()));
      },
      py::arg("option"), py::arg("path"));
}

}  // namespace komuz::python

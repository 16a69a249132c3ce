// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "engine/sketch/unused_copies.h"
#include "python/binding/problems.h"
#include "python/binding/texts.h"
#include "services/evaluation/best_texts.h"
#include "services/files/project.h"
#include "services/render.h"

namespace komuz::python {
namespace {

class Sketch {
 public:
  explicit Sketch(std::string text) : project_(std::string()) {
    project_.modules().load(text);
    const frontend::Options options{.library = &project_.modules().library()};
    sketch_ = engine::read_sketch(text, options);
    if (sketch_) return;
    frontend::Compiler compiler(options);
    frontend::Compilation made;
    compiler.compile(text, made);
    const std::string_view diagnosed = made.text.empty() ? std::string_view(text) : made.text;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Diagnostic& d : made.diagnostics)
      list.push_back(services::diagnostic_json(d, {"<text>", diagnosed}));
    diagnostics_ = list.dump();
  }

  // Empty: there is none.
  [[nodiscard]] const std::string& diagnostics_json() const { return diagnostics_; }
  [[nodiscard]] bool has_decisions() const { return engine::has_decisions(sketch_->plan.sketch()); }
  // Nothing: there are more than 2^64.
  [[nodiscard]] std::optional<u64> variants() const {
    const engine::VariantCount count = sketch_->plan.count();
    return count.is_exact ? std::optional(count.exact) : std::nullopt;
  }
  [[nodiscard]] std::string count_text() const { return engine::count_text(sketch_->plan.count()); }

  // The program of a variant, by its name.
  [[nodiscard]] std::string fill(const std::string& name, bool is_literal) const {
    engine::Decisions decisions;
    raise(engine::read_variant_name(sketch_->plan, name, decisions));
    engine::Fill fill(sketch_->source, sketch_->plan);
    std::string text;
    if (!fill.write(decisions, text))
      raise(input_problem({}, "the sketch has no variant `" + name + "`",
                          "variants are numbered from 0"));
    engine::drop_unused_copies(sketch_->copies, sketch_->own_size, fill, text);
    const auto origin = is_literal ? services::TextOrigin::Given : services::TextOrigin::Variant;
    return services::shown_program(text, origin, &project_.modules().library());
  }

 private:
  mutable services::Project project_;
  std::optional<engine::SketchProgram> sketch_;
  std::string diagnostics_;
};

}  // namespace

void register_sketch(py::module_& module) {
  py::class_<Sketch>(module, "Sketch", py::module_local())
      .def(py::init<std::string>())
      .def("diagnostics_json", &Sketch::diagnostics_json)
      .def("has_decisions", &Sketch::has_decisions)
      .def("variants", &Sketch::variants)
      .def("count_text", &Sketch::count_text)
      .def("fill", &Sketch::fill);
}

}  // namespace komuz::python

// SPDX-License-Identifier: Apache-2.0
#include "python/binding/ranking.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "engine/results/read_details.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/support/hex_text.h"
#include "python/binding/problems.h"
#include "services/results/plotted_results.h"
#include "services/results/ranking_text.h"

namespace komuz::python {
namespace {

// A list with what `element` gives for each candidate.
template <class Element>
py::list column(const engine::Results& results, const Element& element) {
  py::list list(results.ranking.size());
  for (size_t at = 0; at < results.ranking.size(); ++at)
    list[at] = element(results.ranking[at], results.rows[results.ranking[at]]);
  return list;
}
template <class Value>
py::object value_if(bool is_there, const Value& value) {
  return is_there ? py::cast(value) : py::none();
}

}  // namespace

py::str text_of(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

py::object array_of(std::span<const f64> scores) {
  if (scores.empty()) return py::none();
  const py::object array = py::module_::import("array").attr("array");
  return array("d", py::bytes(reinterpret_cast<const char*>(scores.data()), scores.size_bytes()));
}

std::optional<f64> score_of(const engine::ResultRow& row) {
  return row.scored && !std::isnan(row.score) ? std::optional(row.score) : std::nullopt;
}

const engine::Results& Ranking::ranked() const {
  engine::rank_all(results);
  return results;
}

u32 Ranking::row(size_t at) const {
  if (at >= ranked().ranking.size()) throw py::index_error("there is no such candidate");
  return results.ranking[at];
}

std::optional<u32> Ranking::rank(size_t at) const {
  const u32 rank = results.rows[row(at)].rank;
  return rank == 0 ? std::nullopt : std::optional(rank);
}

std::string_view Ranking::status(size_t at) const {
  return engine::status_name(results.rows[row(at)].status);
}

std::optional<f64> Ranking::score(size_t at) const { return score_of(results.rows[row(at)]); }

std::string Ranking::row_json(size_t at) const {
  std::string json;
  if (logs)
    engine::write_row_json(json, results, row(at), details());
  else
    engine::write_row_json(json, results, row(at));
  return json;
}

engine::WriteDetails Ranking::details() const {
  if (!logs) return {};
  return [this](std::string& out, u32 of) { logs->write_details(out, results, of); };
}

std::string Ranking::source(size_t at) const {
  const u32 of = row(at);
  if (!sketch && logs) return logs->source_of(results, of).value_or("");
  if (!sketch) {
    const engine::FixedSource* const fixed = results.fixed_source(of);
    return fixed != nullptr ? fixed->text : std::string(texts[of]);
  }
  const engine::SketchProgram& program = sketch->program();
  engine::Decisions decisions;
  std::string text;
  if (engine::read_variant_name(program.plan, results.id(of), decisions)) return {};
  engine::Fill fill(program.source, program.plan);
  if (!fill.write(decisions, text)) return {};
  return services::shown_program(text, services::TextOrigin::Variant,
                                 &setting->request.options.programs.modules->library());
}

py::object Ranking::case_scores(size_t at) const {
  if (!logs) return array_of(results.case_scores_of(row(at)));
  engine::CandidateResult logged;
  std::string text;
  logs->write_details(text, results, row(at));
  return engine::read_details(text, nullptr, logged) ? array_of(logged.case_scores) : py::none();
}

py::dict Ranking::columns() const {
  using Row = engine::ResultRow;
  static_cast<void>(ranked());
  const auto id_or_none = [&](u32 of) {
    return of == engine::kNone ? py::object(py::none()) : text_of(results.id(of));
  };
  py::dict all;
  all["id"] = column(results, [&](u32 of, const Row&) { return text_of(results.id(of)); });
  all["rank"] = column(results, [](u32, const Row& r) { return value_if(r.rank != 0, r.rank); });
  all["status"] = column(results, [](u32, const Row& r) { return text_of(status_name(r.status)); });
  all["score"] = column(results, [](u32, const Row& r) { return value_if(r.scored, r.score); });
  all["passed"] =
      column(results, [](u32, const Row& r) { return value_if(engine::was_run(r), r.passed); });
  all["fuel"] =
      column(results, [](u32, const Row& r) { return value_if(engine::was_run(r), r.fuel); });
  all["code_bytes"] =
      column(results, [](u32, const Row& r) { return value_if(r.code_bytes != 0, r.code_bytes); });
  all["duplicate_of"] =
      column(results, [&](u32, const Row& r) { return id_or_none(r.duplicate_of); });
  all["behaviour"] = column(results, [](u32, const Row& r) {
    return value_if(engine::was_run(r), engine::hex_text(r.behaviour));
  });
  all["same_behaviour_as"] =
      column(results, [&](u32, const Row& r) { return id_or_none(r.same_behaviour_as); });
  all["pareto"] = column(results, [](u32, const Row& r) { return py::bool_(r.pareto); });
  return all;
}

const std::vector<services::RankedProgram>& Ranking::told_programs() const {
  if (told_variants != 0 && programs.empty())
    programs = services::ranked_variants(sketch->program(), ranked(), told_variants);
  return programs;
}

std::string Ranking::report_json() const {
  std::string json;
  engine::ReportAdditions additions{.programs = {}, .optimised = optimised.json};
  const std::vector<services::RankedProgram>& all = told_programs();
  const std::span told(all.data(),
                       std::min<u64>(all.size(), setting->request.options.details.programs));
  if (setting->request.options.programs.shard.of == 1)
    additions.programs =
        services::programs_json(told, services::origin_of(ranked(), sketch.has_value()));
  const auto append = [&](std::string_view piece) {
    json += piece;
    return true;
  };
  engine::write_report_json(append, ranked(), details(), 1, additions);
  if (logs) raise(logs->read_error());
  return json;
}

std::string Ranking::table(u64 most) const {
  const std::vector<u32> shown = services::shown_rows(ranked(), setting->request.table_rows, most);
  return services::ranking_table(results, setting->request.table_rows, shown, {}, {},
                                 sketch ? services::shown_decisions(sketch->program(), results)
                                        : services::ShownPrograms()) +
         summary();
}

std::string Ranking::chart() const { return services::PlottedResults(ranked()).draw(); }

std::string Ranking::summary() const { return services::counts_line(ranked()); }

py::dict Ranking::facts() const {
  py::dict facts;
  facts["complete"] = results.complete;
  facts["was_interrupted"] = was_interrupted;
  facts["score"] = text_of(engine::score_name(results.score));
  facts["cases"] = results.cases;
  facts["candidates"] = results.candidates();
  facts["signature"] = value_if(results.typed, results.signature);
  facts["entry"] = setting->request.options.programs.entry;
  facts["has_harness"] = !setting->request.harness_path.empty();
  facts["to_optimise"] = setting->request.optimised != 0;
  facts["optimised"] = optimised.json;
  facts["stats"] = setting->stats();
  py::list said;
  for (const services::Note& note : notes)
    if (!note.message.empty()) said.append(py::make_tuple(note.message, note.remedy));
  facts["notes"] = said;
  return facts;
}

void register_ranking(py::module_& module) {
  py::class_<Ranking, std::shared_ptr<Ranking>>(module, "Ranking", py::module_local())
      .def("__len__", &Ranking::size)
      .def("id", [](const Ranking& r, size_t at) { return text_of(r.id(at)); })
      .def("rank", &Ranking::rank)
      .def("status", &Ranking::status)
      .def("score", &Ranking::score)
      .def("row_json", [](const Ranking& r, size_t at) { return py::bytes(r.row_json(at)); })
      .def("source", [](const Ranking& r, size_t at) { return text_of(r.source(at)); })
      .def("case_scores", &Ranking::case_scores)
      .def("columns", &Ranking::columns)
      .def("report_json", [](const Ranking& r) { return py::bytes(r.report_json()); })
      .def("table", &Ranking::table)
      .def("chart", &Ranking::chart)
      .def("summary", &Ranking::summary)
      .def("facts", &Ranking::facts);
}

}  // namespace komuz::python

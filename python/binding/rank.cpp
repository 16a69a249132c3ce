// SPDX-License-Identifier: Apache-2.0
#include "python/binding/rank.h"

#include <pybind11/stl.h>

#include <utility>

#include "engine/engine.h"
#include "python/binding/given_cases.h"
#include "python/binding/problems.h"
#include "python/binding/python_candidates.h"
#include "python/binding/python_progress.h"
#include "python/binding/ranking.h"
#include "python/binding/ranking_end.h"
#include "python/binding/run_setting.h"
#include "python/binding/stoppable.h"
#include "services/evaluation/best_programs.h"
#include "services/evaluation/evaluation_log.h"
#include "services/evaluation/given_programs.h"
#include "services/evaluation/mended_sketch.h"
#include "services/evaluation/sketch_problem.h"
#include "services/files/candidate_input.h"
#include "services/files/files.h"

namespace komuz::python {
namespace {

using services::EvaluationKind;

// What Python gives beside the options. Exactly one of the first two is there, or the options name paths.
struct Inputs {
  std::optional<py::iterator> candidates;
  std::optional<GivenText> sketch;
  std::optional<u64> total;  // of the candidates, if it is known
  GivenTables cases;
  py::object progress = py::none();

  [[nodiscard]] bool has_paths() const { return !candidates && !sketch; }
};

class Run {
 public:
  Run(RunSetting& setting, Ranking& ranking, Inputs& inputs, Stoppable& stoppable)
      : setting_(setting),
        out_(ranking),
        request_(setting.request),
        inputs_(inputs),
        stoppable_(stoppable) {}

  void run(const std::stop_token& stop) {
    stop_ = stop;
    setting_.read(inputs_.cases, stop);
    if (!stop.stop_requested()) evaluate();
  }

 private:
  // The sketch that is given or, as `komuz eval` does it, the only program of the paths if it has something to decide.
  void open_sketch(engine::ResultSink& sink) {
    const bool is_wanted = request_.search || request_.variants.samples || inputs_.sketch;
    GivenText text;
    if (inputs_.sketch) {
      text = *inputs_.sketch;
    } else {
      const std::string path(request_.candidates[0]);
      if (!inputs_.has_paths() || request_.candidates.size() != 1 || !path.ends_with(".komuz")) {
        if (!is_wanted) return;
        raise(option_problem("variants are those of one sketch, a program with holes", ""));
      }
      text.name = path;
      const Problem unread = services::read_file(path, text.text, services::kMostSourceBytes);
      if (unread && !is_wanted) return;
      raise(unread);
    }
    std::optional<engine::SketchProgram> sketch =
        services::read_mended_sketch(request_, text.name, text.text, out_.notes);
    if (!sketch || !engine::has_decisions(sketch->plan.sketch())) {
      if (!is_wanted) return;
      raise(input_problem({},
                          "`" + text.name + (sketch ? "` has nothing to decide" : "` has errors"),
                          sketch ? std::string(services::kNoDecisions)
                                 : "`komuz.check` shows them, and `komuz.fix` mends what it can"));
    }
    out_.notes.push_back(services::free_holes_note(*sketch, text.name));
    raise(services::find_sketch_problem(*sketch, text.name, request_));
    if (request_.search) {
      engine::settle(sketch->plan, *request_.search, request_.options);
      raise(services::take_proposals(request_, *sketch, setting_.cases, stop_));
      raise(services::take_starts(request_, *sketch, stop_, setting_.notes));
      out_.sketch.emplace(std::move(*sketch), *request_.search, sink);
    } else {
      out_.sketch.emplace(std::move(*sketch), request_.variants);
    }
    request_.options.programs.sketch = &out_.sketch->program();
    raise(services::find_size_problem(out_.sketch->program(), text.name, request_));
  }

  void evaluate() {
    setting_.open_machines();
    RowNotes rows;
    open_sketch(rows);
    setting_.open_log(stop_);
    if (out_.sketch)
      out_.sketch->set_replay([this] { return setting_.log && setting_.log->has_more(); });
    rows.has_variants = out_.sketch.has_value();
    services::CandidateInput input;
    std::optional<PythonCandidates> given;
    std::optional<KeptTexts> kept;
    std::optional<services::BestPrograms> best;
    engine::CandidateSource* source = nullptr;
    engine::ResultSink* sink = &rows;
    const u64 told = setting_.told_programs();
    if (out_.sketch) {
      source = &out_.sketch->source();
      if (out_.sketch->sink() != nullptr) sink = out_.sketch->sink();
    } else {
      if (inputs_.candidates) {
        source = &given.emplace(*inputs_.candidates, inputs_.total, stoppable_);
      } else {
        raise(input.open(request_.candidates, stop_));
        source = &input.source();
      }
      source = &kept.emplace(*source, out_.texts);
      best.emplace(*source, rows, told);
      source = &*best;
      sink = &*best;
    }
    put_off_ranking();
    PythonProgress progress(inputs_.progress, stoppable_);
    Problem error = engine::evaluate(*source, setting_.cases, request_.options, out_.results, sink,
                                     &progress, stop_);
    // If no case fits there are no results: the run may begin anew with other cases.
    if (error && setting_.log && !out_.results.typed && !setting_.log->has_more())
      setting_.log->discard();
    raise(std::move(error));
    if (stop_.stop_requested())
      out_.results.complete = false;
    else
      engine::rank_all(out_.results);
    if (out_.results.complete && inputs_.has_paths() && !out_.sketch) raise(input.problem());
    find_emptiness();
    if (out_.sketch)
      out_.told_variants = told;
    else if (told != 0)
      out_.programs = best->programs();
    note(rows);
  }

  // Of many rows the ranking takes longer than an interrupt may: then whoever looks at it waits.
  void put_off_ranking() {
    engine::RankingOptions& ranking = request_.options.ranking;
    ranking.ranks_later = ranking.best_rows == 0;
    if (ranking.ranks_later) ranking.best_rows = 1;
  }

  void find_emptiness() const {
    if (out_.results.candidates() != 0 || !out_.results.complete) return;
    if (out_.sketch && out_.sketch->is_late())
      raise(input_problem({}, "the time was up before a variant was done",
                          "give the search more of it, such as `time=10`"));
    if (request_.options.programs.shard.of == 1)
      raise(input_problem({}, "there are no candidates",
                          "give texts of programs, a sketch, or a path of program files"));
  }

  void note(const RowNotes& rows) {
    if (setting_.log) setting_.notes.push_back(services::damages_note(*setting_.log));
    out_.notes = setting_.notes_on(out_.results);
    if (out_.sketch) return;
    out_.notes.push_back(rows.equal_ids());
    if (!request_.options.programs.signature)
      out_.notes.push_back(services::signature_note(out_.results));
  }

  RunSetting& setting_;
  Ranking& out_;
  services::EvaluationRequest& request_;
  Inputs& inputs_;
  Stoppable& stoppable_;
  std::stop_token stop_;
};

std::shared_ptr<Ranking> rank(Session& session, EvaluationKind kind,
                              const std::vector<std::string>& words, Inputs inputs) {
  const auto setting = std::make_shared<RunSetting>(session, kind, words, inputs.has_paths());
  const auto ranking = std::make_shared<Ranking>(setting);
  Stoppable stoppable;
  Run run(*setting, *ranking, inputs, stoppable);
  stoppable.run([&](const std::stop_token& stop) { run.run(stop); });
  // The last that asks the cases. Results have what they need of these: so the memory of arrays is free again.
  if (setting->request.unprotects) make_best_text(*ranking);
  setting->close();
  ranking->was_interrupted = stoppable.was_interrupted();
  if (ranking->was_interrupted) ranking->results.complete = false;
  return ranking;
}

}  // namespace

void register_rank(py::module_& module) {
  py::class_<Session>(module, "Session", py::module_local()).def(py::init<>());
  using Text = std::optional<std::pair<std::string, std::string>>;
  const auto named = [](const Text& text) {
    return text ? std::optional(GivenText{text->first, text->second}) : std::nullopt;
  };
  module.def(
      "rank",
      [named](Session& session, bool is_search, const std::vector<std::string>& words,
              const py::object& candidates, std::optional<u64> total, const Text& sketch,
              const py::object& cases, const py::object& held_out, const py::object& progress) {
        Inputs inputs;
        if (!candidates.is_none()) inputs.candidates = py::iter(candidates);
        inputs.total = total;
        inputs.sketch = named(sketch);
        inputs.cases = {given_cases(cases), given_cases(held_out)};
        inputs.progress = progress;
        return rank(session, is_search ? EvaluationKind::Search : EvaluationKind::Eval, words,
                    std::move(inputs));
      },
      py::arg("session"), py::arg("is_search"), py::arg("words"), py::arg("candidates"),
      py::arg("total"), py::arg("sketch"), py::arg("cases"), py::arg("held_out"),
      py::arg("progress"));
}

}  // namespace komuz::python

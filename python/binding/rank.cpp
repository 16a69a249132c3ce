// SPDX-License-Identifier: Apache-2.0
#include "python/binding/rank.h"

#include <pybind11/stl.h>

#include <utility>

#include "engine/engine.h"
#include "engine/log/log_header.h"
#include "engine/search/migration.h"
#include "python/binding/given_cases.h"
#include "python/binding/problems.h"
#include "python/binding/python_candidates.h"
#include "python/binding/python_progress.h"
#include "python/binding/ranking_end.h"
#include "services/evaluation/best_programs.h"
#include "services/evaluation/evaluation_log.h"
#include "services/evaluation/given_programs.h"
#include "services/evaluation/mended_sketch.h"
#include "services/evaluation/merged_programs.h"
#include "services/evaluation/sketch_problem.h"
#include "services/files/candidate_input.h"
#include "services/files/files.h"

namespace komuz::python {
namespace {

using services::EvaluationKind;

class Run {
 public:
  Run(RunSetting& setting, Ranking& ranking, RunInputs& inputs, Stoppable& stoppable)
      : setting_(setting),
        out_(ranking),
        request_(setting.request),
        inputs_(inputs),
        stoppable_(stoppable) {}

  void run(const std::stop_token& stop) {
    stop_ = stop;
    setting_.read(std::move(inputs_.cases), stop);
    if (!stop.stop_requested()) evaluate();
    raise(std::move(failure_));
  }

 private:
  // Before anything is made that depends on the seed.
  void join_islands() {
    engine::SearchOptions& search = *request_.search;
    services::Island island = *inputs_.island;
    const std::string most = std::to_string(search.population);
    if (island.migrants >= search.population)
      raise(option_problem("`migrants` is " + std::to_string(island.migrants) +
                               ", and a generation has " + most + " variants",
                           "let fewer migrate"));
    if (search.time.count() != 0)
      raise(option_problem("islands end by `generations`, since no two runs of a `time` are alike",
                           "say how many generations each island has"));
    island.seed = search.seed;
    search.seed = engine::island_seed(island.seed, island.number.index);
    request_.island = island;
    if (island.number.of == 1) return;
    auto migration = std::make_shared<engine::Migration>();
    migration->every = island.every;
    migration->migrants = island.migrants;
    migration->exchange = [this](std::span<const engine::Decisions> leaving) {
      return exchange(leaving);
    };
    search.migration = std::move(migration);
  }

  std::optional<std::vector<engine::Decisions>> exchange(
      std::span<const engine::Decisions> leaving) {
    const engine::VariantPlan& plan = out_.sketch->program().plan;
    std::vector<std::string> names;
    for (const engine::Decisions& one : leaving) names.push_back(engine::variant_name(plan, one));
    const auto coming = inputs_.exchange(std::move(names));
    if (!coming) return std::nullopt;
    std::vector<engine::Decisions> decisions(coming->size());
    for (size_t k = 0; k < coming->size(); ++k)
      if (Problem wrong = engine::read_variant_name(plan, (*coming)[k], decisions[k])) {
        failure_ = std::move(wrong);
        return std::nullopt;
      }
    return decisions;
  }

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
        services::read_mended_sketch(request_, text.name, text.text, setting_.notes);
    if (!sketch || !engine::has_decisions(sketch->plan.sketch())) {
      if (!is_wanted) return;
      raise(input_problem({},
                          "`" + text.name + (sketch ? "` has nothing to decide" : "` has errors"),
                          sketch ? std::string(services::kNoDecisions)
                                 : "`komuz.check` shows them, and `komuz.fix` mends what it can"));
    }
    setting_.notes.push_back(services::free_holes_note(*sketch, text.name));
    raise(services::find_sketch_problem(*sketch, text.name, request_));
    if (request_.search) {
      if (inputs_.island) join_islands();
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
    rows.has_variants = out_.sketch.has_value();
    if (inputs_.only_checks) return;
    if (inputs_.parts) return merge(rows);
    setting_.open_log(stop_);
    if (out_.sketch)
      out_.sketch->set_replay([this] { return setting_.log && setting_.log->has_more(); });
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
      // Nobody looks at the ranking of a part.
      if (request_.options.programs.shard.of == 1) source = &kept.emplace(*source, out_.texts);
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

  void merge(RowNotes& rows) {
    using Take = engine::MergedLogs::Take;
    engine::MergedLogs& logs = out_.logs.emplace();
    const Problem error =
        logs.read(inputs_.parts->paths, out_.results,
                  inputs_.parts->is_partial ? Take::Parts : Take::Whole, engine::Watch(stop_));
    if (stop_.stop_requested()) return;
    raise(error);
    const std::string version = engine::header_text(logs.header(), "komuz").value_or("?");
    if (version != KOMUZ_VERSION)
      raise(input_problem({},
                          "the parts were run by komuz " + version + ", and this is " KOMUZ_VERSION,
                          "install one version everywhere: scores and code may differ"));
    if (logs.lacks_memory()) out_.results.complete = false;
    find_emptiness();
    if (out_.sketch)
      out_.told_variants = setting_.told_programs();
    else if (setting_.told_programs() != 0)
      out_.programs = services::programs_of(logs, out_.results);
    for (u32 row = 0; row < out_.results.rows.size(); ++row) rows.on_result(out_.results, row);
    note(rows);
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
  RunInputs& inputs_;
  Stoppable& stoppable_;
  std::stop_token stop_;
  Problem failure_;
};

}  // namespace

struct RankRun::State {
  State(Session& session, EvaluationKind kind, const std::vector<std::string>& words,
        RunInputs given, Stoppable& stoppable)
      : inputs(std::move(given)),
        setting(std::make_shared<RunSetting>(session, kind, words, inputs.has_paths())),
        ranking(std::make_shared<Ranking>(setting)),
        run(*setting, *ranking, inputs, stoppable) {
    // Of a part the log has them.
    if (setting->request.options.programs.shard.of > 1 || inputs.island)
      setting->request.options.details.keep_details = false;
  }

  RunInputs inputs;
  std::shared_ptr<RunSetting> setting;
  std::shared_ptr<Ranking> ranking;
  Run run;
};

RankRun::RankRun(Session& session, EvaluationKind kind, const std::vector<std::string>& words,
                 RunInputs inputs, Stoppable& stoppable)
    : state_(std::make_unique<State>(session, kind, words, std::move(inputs), stoppable)) {}
RankRun::~RankRun() = default;

void RankRun::run(const std::stop_token& stop) {
  state_->run.run(stop);
  // The last that asks the cases. Results have what they need of these: so the memory of arrays is free again.
  if (state_->setting->request.unprotects) make_best_text(*state_->ranking, stop);
  state_->setting->close();
}
const std::shared_ptr<Ranking>& RankRun::ranking() const { return state_->ranking; }

namespace {

std::shared_ptr<Ranking> rank(Session& session, EvaluationKind kind,
                              const std::vector<std::string>& words, RunInputs inputs) {
  Stoppable stoppable;
  RankRun run(session, kind, words, std::move(inputs), stoppable);
  stoppable.run([&](const std::stop_token& stop) { run.run(stop); });
  const std::shared_ptr<Ranking> ranking = run.ranking();
  ranking->was_interrupted = stoppable.was_interrupted();
  if (ranking->was_interrupted) ranking->results.complete = false;
  return ranking;
}

}  // namespace

void register_rank(py::module_& module) {
  py::class_<Session>(module, "Session", py::module_local()).def(py::init<>());
  module.def(
      "rank",
      [](Session& session, bool is_search, const std::vector<std::string>& words,
         const py::object& candidates, std::optional<u64> total, const NameAndText& sketch,
         const py::object& cases, const py::object& held_out, const py::object& progress) {
        RunInputs inputs;
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
  // A run that is cut into parts: looks at all but the candidates.
  module.def(
      "check_run",
      [](Session& session, bool is_search, const std::vector<std::string>& words,
         const NameAndText& sketch, const NameAndText& cases,
         const std::optional<IslandNumbers>& island) {
        RunInputs inputs;
        inputs.sketch = named(sketch);
        inputs.cases.cases = given_text(cases);
        inputs.island = island_of(island);
        inputs.only_checks = true;
        const auto checked =
            rank(session, is_search ? EvaluationKind::Search : EvaluationKind::Eval, words,
                 std::move(inputs));
        if (!checked->was_interrupted) return;
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
      },
      py::arg("session"), py::arg("is_search"), py::arg("words"), py::arg("sketch"),
      py::arg("cases"), py::arg("island"));
  // … and joins its logs.
  module.def(
      "merge",
      [](Session& session, bool is_search, const std::vector<std::string>& words,
         const NameAndText& sketch, const NameAndText& cases, const std::vector<std::string>& paths,
         bool is_partial) {
        RunInputs inputs;
        inputs.sketch = named(sketch);
        inputs.cases.cases = given_text(cases);
        inputs.parts = {paths, is_partial};
        return rank(session, is_search ? EvaluationKind::Search : EvaluationKind::Eval, words,
                    std::move(inputs));
      },
      py::arg("session"), py::arg("is_search"), py::arg("words"), py::arg("sketch"),
      py::arg("cases"), py::arg("paths"), py::arg("is_partial"));
}

}  // namespace komuz::python

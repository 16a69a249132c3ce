// SPDX-License-Identifier: Apache-2.0
#include "python/binding/rank.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/cases/signature.h"
#include "engine/cases/split_cases.h"
#include "engine/engine.h"
#include "engine/log/log_header.h"
#include "engine/results/equal_ids.h"
#include "engine/search/migration.h"
#include "mend/standard_uses.h"
#include "neural/tier/tier.h"
#include "python/binding/problems.h"
#include "python/binding/python_candidates.h"
#include "python/binding/ranking.h"
#include "services/evaluation/best_programs.h"
#include "services/evaluation/evaluation_log.h"
#include "services/evaluation/given_programs.h"
#include "services/evaluation/merged_programs.h"
#include "services/evaluation/sketch_problem.h"
#include "services/files/candidate_input.h"
#include "services/files/files.h"
#include "services/files/open_harness.h"
#include "services/options/environment.h"

namespace komuz::python {
namespace {

using services::EvaluationKind;

class RowNotes final : public engine::ResultSink {
 public:
  bool has_variants = false;

  void on_result(const engine::Results& results, u32 row) override {
    // Variants of a sketch have names of their own.
    if (!has_variants) equal_ids_.add(results.id(row));
  }
  [[nodiscard]] services::Note equal_ids() const { return services::equal_ids_note(equal_ids_); }

 private:
  engine::EqualIds equal_ids_;
};

// Tells Python how far the run has come, a few times a second.
class PythonProgress final : public engine::ProgressSink {
 public:
  PythonProgress(const py::object& progress, Stoppable& run) : progress_(progress), run_(run) {}
  void on_progress(u64 done, std::optional<u64> total) override {
    constexpr std::chrono::milliseconds kPause{100};
    const auto now = std::chrono::steady_clock::now();
    const bool is_end = total && done == *total;
    if (progress_.ptr() == Py_None || run_.is_stopping() || (now < next_ && !is_end)) return;
    next_ = now + kPause;
    const py::gil_scoped_acquire acquired;
    try {
      progress_(done, total);
    } catch (py::error_already_set& error) {
      run_.fail(std::move(error));
    }
  }

 private:
  const py::object& progress_;
  Stoppable& run_;
  std::chrono::steady_clock::time_point next_{};
};

class Run {
 public:
  Run(Ranking& ranking, RunInputs& inputs, Stoppable& stoppable)
      : out_(ranking), request_(ranking.request), inputs_(inputs), stoppable_(stoppable) {}

  void run(const std::stop_token& stop) {
    stop_ = stop;
    engine::ModuleLoader& modules = out_.project.modules();
    request_.options.programs.modules = &modules;
    if (request_.options.programs.fix) modules.load(standard_use_items());  // a fix may name any
    if (!request_.harness_path.empty()) take_harness(modules);
    read_cases();
    if (!stop.stop_requested()) evaluate();
    raise(std::move(failure_));
  }

 private:
  void take_harness(engine::ModuleLoader& modules) {
    const std::string& path = request_.harness_path;
    std::string& entry = request_.options.programs.entry;
    const services::OpenedHarness opened = value_of(services::open_harness(path, entry, modules));
    if (opened.needs_too_many)
      raise(input_problem({path}, std::string(engine::ModuleLoader::kTooMany),
                          "leave some out, or join some into one"));
    using Kind = services::HarnessProblem::Kind;
    if (opened.fault.kind == Kind::HasErrors)
      raise(input_problem({path}, "the harness has errors", "`komuz check` shows them"));
    if (opened.fault.kind != Kind::None)
      raise(input_problem({}, opened.fault.message, opened.fault.remedy + opened.fault.by_option));
    request_.options.programs.harness = opened.number;
    const CodeView code = modules.library()[opened.number].code.view();
    request_.options.programs.signature =
        engine::signature_of(code, code.functions[code.find_function(entry)]);
    if (request_.cases_path.empty() && !request_.options.programs.signature->names.empty())
      raise(input_problem({},
                          "`" + entry + "` of the harness is " +
                              request_.options.programs.signature->text() +
                              ", and there are no cases",
                          "give the rows that it is run with as cases"));
  }

  void read(const std::optional<GivenText>& given, const std::string& path,
            engine::CasesTable& table) {
    std::string bytes;
    if (!given) raise(services::read_file(path, bytes, engine::kMaxCaseBytes));
    const engine::Watch watch(stop_);
    const Problem problem =
        engine::read_cases(given ? given->name : path, given ? given->text : std::move(bytes),
                           request_.fields, table, watch);
    if (!stop_.stop_requested()) raise(problem);
  }

  void read_cases() {
    out_.cases = engine::single_case();
    if (!request_.cases_path.empty()) read(inputs_.cases, request_.cases_path, out_.cases);
    if (!request_.held_out_path.empty()) {
      read(inputs_.held_out, request_.held_out_path, out_.held_out);
      request_.options.ranking.held_out = &out_.held_out;
    }
    if (request_.split) {
      const size_t all = out_.cases.rows.size();
      if (all < 2)
        raise(input_problem({}, "`--split` needs two cases, and there is one",
                            "hold out other cases by `--held-out`"));
      const size_t moved = engine::cases_in_share(all, *request_.split);
      out_.notes.push_back(
          services::split_note(out_.cases, moved, "`--split-seed N` draws others"));
      out_.held_out = engine::split_cases(out_.cases, moved, request_.split_seed);
      request_.options.ranking.held_out = &out_.held_out;
    }
    if (!request_.fields.inputs.empty()) request_.input_names = out_.cases.columns;
    for (services::Note note :
         {services::names_note(out_.cases), services::left_out_note(out_.cases),
          services::left_out_note(out_.held_out), services::constants_note(out_.cases)})
      out_.notes.push_back(std::move(note));
  }

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
    request_.options.programs.modules->load(text.text);
    std::optional<engine::SketchProgram> sketch =
        engine::read_sketch(text.text, services::compile_options(request_));
    if (!sketch || !engine::has_decisions(sketch->plan.sketch())) {
      if (!is_wanted) return;
      raise(
          input_problem({}, "`" + text.name + (sketch ? "` has nothing to decide" : "` has errors"),
                        sketch ? std::string(services::kNoDecisions) : "`komuz check` shows them"));
    }
    raise(services::find_sketch_problem(*sketch, text.name, request_));
    if (request_.search) {
      if (inputs_.island) join_islands();
      engine::settle(sketch->plan, *request_.search, request_.options);
      raise(services::take_proposals(request_, *sketch, out_.cases, stop_));
      raise(services::take_starts(request_, *sketch, stop_, out_.notes));
      out_.sketch.emplace(std::move(*sketch), *request_.search, sink);
    } else {
      out_.sketch.emplace(std::move(*sketch), request_.variants);
    }
    request_.options.programs.sketch = &out_.sketch->program();
    raise(services::find_size_problem(out_.sketch->program(), text.name, request_));
  }

  void evaluate() {
    const engine::Device device = value_of(engine::open_device(request_.device));
    request_.options.machines.compiler = device.compiler.get();
    request_.options.machines.device = device.warps.get();
    engine::lend_device(device, request_.options.machines.native);
    RowNotes rows;
    open_sketch(rows);
    rows.has_variants = out_.sketch.has_value();
    if (inputs_.only_checks) return;
    if (inputs_.parts) return merge(rows);
    services::CandidateInput input;
    std::optional<PythonCandidates> given;
    std::optional<KeptTexts> kept;
    std::optional<services::BestPrograms> best;
    engine::CandidateSource* source = nullptr;
    engine::ResultSink* sink = &rows;
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
      best.emplace(*source, rows, told_programs());
      source = &*best;
      sink = &*best;
    }
    engine::ResultLog log;
    raise(services::open_log(request_, out_.cases, KOMUZ_VERSION, {.stop = stop_}, log));
    if (!request_.log_path.empty()) request_.options.details.log = &log;
    if (out_.sketch) out_.sketch->set_replay([&log] { return log.has_more(); });
    PythonProgress progress(inputs_.progress, stoppable_);
    Problem error = engine::evaluate(*source, out_.cases, request_.options, out_.results, sink,
                                     &progress, stop_);
    request_.options.details.log = nullptr;
    raise(std::move(error));
    if (stop_.stop_requested()) out_.results.complete = false;
    if (out_.results.complete && inputs_.has_paths() && !out_.sketch) raise(input.problem());
    find_emptiness();
    if (told_programs() != 0)
      out_.programs = out_.sketch ? services::ranked_variants(out_.sketch->program(), out_.results,
                                                              told_programs())
                                  : best->take();
    note(rows);
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
    if (told_programs() != 0)
      out_.programs = out_.sketch ? services::ranked_variants(out_.sketch->program(), out_.results,
                                                              told_programs())
                                  : services::programs_of(logs, out_.results);
    for (u32 row = 0; row < out_.results.rows.size(); ++row) rows.on_result(out_.results, row);
    note(rows);
  }

  [[nodiscard]] u64 told_programs() const {
    return request_.options.programs.shard.of > 1 ? 0 : request_.options.details.programs;
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
    std::vector<services::Note>& notes = out_.notes;
    notes.push_back(services::exact_note(out_.results));
    notes.push_back(services::scale_note(out_.results));
    if (out_.results.typed && request_.harness_path.empty())
      notes.push_back(services::order_note(out_.results, request_.input_names));
    if (out_.sketch) return;
    notes.push_back(rows.equal_ids());
    if (!request_.options.programs.signature)
      notes.push_back(services::signature_note(out_.results));
  }

  Ranking& out_;
  services::EvaluationRequest& request_;
  RunInputs& inputs_;
  Stoppable& stoppable_;
  std::stop_token stop_;
  Problem failure_;
};

size_t choice_of(services::Args& args, std::string_view option, const char* variable,
                 std::string_view usual) {
  const std::string_view set = services::environment_value(variable);
  return args.choice(option, set.empty() ? usual : set);
}

}  // namespace

struct RankRun::State {
  RunInputs inputs;
  std::shared_ptr<Ranking> ranking;
  std::optional<neural::Tier> tier;
  std::optional<Run> run;
};

RankRun::RankRun(Session& session, EvaluationKind kind, const std::vector<std::string>& words,
                 RunInputs inputs, Stoppable& stoppable)
    : state_(std::make_unique<State>()) {
  if (std::string wrong = services::environment_error(); !wrong.empty())
    raise(option_problem(std::move(wrong), ""));
  state_->inputs = std::move(inputs);
  // Modules are looked for beside the harness first, as for a command line.
  const auto harness = std::ranges::find(words, "--harness");
  const bool has_harness = harness != words.end() && harness + 1 != words.end();
  const std::string first = state_->inputs.has_paths() ? words.front() : std::string();
  const auto ranking = std::make_shared<Ranking>(has_harness ? *(harness + 1) : first);
  state_->ranking = ranking;
  ranking->project.files().add_folder_of(first);
  ranking->words.assign(words.begin(), words.end());
  const std::vector<std::string_view> views(ranking->words.begin(), ranking->words.end());
  services::Args args(services::evaluation_options(kind), views);
  services::EvaluationRequest& request = ranking->request;
  if (Problem wrong = services::read_request(kind, args, request))
    raise(option_problem(wrong.message(), wrong.remedy()));
  const size_t native = choice_of(args, services::kNativeOption.name, "KOMUZ_NATIVE", "auto");
  const size_t cheaper = choice_of(args, services::kTierOption.name, "KOMUZ_TIER", "hybrid");
  if (!args.error().empty()) raise(option_problem(args.error(), ""));
  neural::Tier& tier = state_->tier.emplace(static_cast<neural::TierChoice>(cheaper));
  request.options.machines.native = session.native(static_cast<engine::NativeChoice>(native)).get();
  if (tier.choice() != neural::TierChoice::Traditional) request.options.machines.cheaper = &tier;
  state_->run.emplace(*ranking, state_->inputs, stoppable);
}
RankRun::~RankRun() = default;

void RankRun::run(const std::stop_token& stop) {
  state_->run->run(stop);
  state_->ranking->request.options.machines = {};
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
         const NameAndText& cases, const NameAndText& held_out, const py::object& progress) {
        RunInputs inputs;
        if (!candidates.is_none()) inputs.candidates = py::iter(candidates);
        inputs.total = total;
        inputs.sketch = named(sketch);
        inputs.cases = named(cases);
        inputs.held_out = named(held_out);
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
        inputs.cases = named(cases);
        inputs.island = island_of(island);
        inputs.only_checks = true;
        rank(session, is_search ? EvaluationKind::Search : EvaluationKind::Eval, words,
             std::move(inputs));
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
        inputs.cases = named(cases);
        inputs.parts = {paths, is_partial};
        return rank(session, is_search ? EvaluationKind::Search : EvaluationKind::Eval, words,
                    std::move(inputs));
      },
      py::arg("session"), py::arg("is_search"), py::arg("words"), py::arg("sketch"),
      py::arg("cases"), py::arg("paths"), py::arg("is_partial"));
}

}  // namespace komuz::python

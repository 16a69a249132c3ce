// SPDX-License-Identifier: Apache-2.0
#include "python/binding/rank.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/cases/signature.h"
#include "engine/cases/split_cases.h"
#include "engine/engine.h"
#include "engine/results/equal_ids.h"
#include "mend/standard_uses.h"
#include "neural/tier/tier.h"
#include "python/binding/given_cases.h"
#include "python/binding/problems.h"
#include "python/binding/python_candidates.h"
#include "python/binding/ranking.h"
#include "python/binding/session.h"
#include "python/binding/stoppable.h"
#include "services/evaluation/best_programs.h"
#include "services/evaluation/given_programs.h"
#include "services/evaluation/mended_sketch.h"
#include "services/evaluation/sketch_problem.h"
#include "services/files/candidate_input.h"
#include "services/files/files.h"
#include "services/files/open_harness.h"
#include "services/options/environment.h"

namespace komuz::python {
namespace {

using services::EvaluationKind;

// A text with the name under which messages speak of it.
struct NamedText {
  std::string name, text;
};

// What Python gives beside the options. Exactly one of the first two is there, or the options name paths.
struct Inputs {
  std::optional<py::iterator> candidates;
  std::optional<NamedText> sketch;
  std::optional<u64> total;  // of the candidates, if it is known
  std::optional<GivenCases> cases, held_out;
  py::object progress = py::none();

  [[nodiscard]] bool has_paths() const { return !candidates && !sketch; }
};

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
  Run(Ranking& ranking, Inputs& inputs, Stoppable& stoppable)
      : out_(ranking), request_(ranking.request), inputs_(inputs), stoppable_(stoppable) {}

  void run(const std::stop_token& stop) {
    stop_ = stop;
    engine::ModuleLoader& modules = out_.project.modules();
    request_.options.programs.modules = &modules;
    if (request_.options.programs.fix) modules.load(standard_use_items());  // a fix may name any
    if (!request_.harness_path.empty()) take_harness(modules);
    read_cases();
    if (!stop.stop_requested()) evaluate();
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

  void read(const std::optional<GivenCases>& given, const std::string& path,
            engine::CasesTable& table) {
    std::string bytes;
    if (!given) raise(services::read_file(path, bytes, engine::kMaxCaseBytes));
    const engine::Watch watch(stop_);
    const Problem problem =
        given && given->columns
            ? engine::read_given_cases(given->name, given->columns, request_.fields, table, watch)
            : engine::read_cases(given ? given->name : path, given ? given->text : std::move(bytes),
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

  // The sketch that is given or, as `komuz eval` does it, the only program of the paths if it has something to decide.
  void open_sketch(engine::ResultSink& sink) {
    const bool is_wanted = request_.search || request_.variants.samples || inputs_.sketch;
    NamedText text;
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
      source = &kept.emplace(*source, out_.texts);
      best.emplace(*source, rows, told_programs());
      source = &*best;
      sink = &*best;
    }
    put_off_ranking();
    PythonProgress progress(inputs_.progress, stoppable_);
    Problem error = engine::evaluate(*source, out_.cases, request_.options, out_.results, sink,
                                     &progress, stop_);
    raise(std::move(error));
    if (stop_.stop_requested())
      out_.results.complete = false;
    else
      engine::rank_all(out_.results);
    if (out_.results.complete && inputs_.has_paths() && !out_.sketch) raise(input.problem());
    find_emptiness();
    if (out_.sketch)
      out_.told_variants = told_programs();
    else if (told_programs() != 0)
      out_.programs = best->take();
    note(rows);
  }

  // Of many rows the ranking takes longer than an interrupt may: then whoever looks at it waits.
  void put_off_ranking() {
    engine::RankingOptions& ranking = request_.options.ranking;
    ranking.ranks_later = ranking.best_rows == 0;
    if (ranking.ranks_later) ranking.best_rows = 1;
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
  Inputs& inputs_;
  Stoppable& stoppable_;
  std::stop_token stop_;
};

size_t choice_of(services::Args& args, std::string_view option, const char* variable,
                 std::string_view usual) {
  const std::string_view set = services::environment_value(variable);
  return args.choice(option, set.empty() ? usual : set);
}

std::shared_ptr<Ranking> rank(Session& session, EvaluationKind kind,
                              const std::vector<std::string>& words, Inputs inputs) {
  if (std::string wrong = services::environment_error(); !wrong.empty())
    raise(option_problem(std::move(wrong), ""));
  // Modules are looked for beside the harness first, as for a command line.
  const auto harness = std::ranges::find(words, "--harness");
  const bool has_harness = harness != words.end() && harness + 1 != words.end();
  const std::string first = inputs.has_paths() ? words.front() : std::string();
  const auto ranking = std::make_shared<Ranking>(has_harness ? *(harness + 1) : first);
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
  neural::Tier tier(static_cast<neural::TierChoice>(cheaper));
  request.options.machines.native = session.native(static_cast<engine::NativeChoice>(native)).get();
  if (tier.choice() != neural::TierChoice::Traditional) request.options.machines.cheaper = &tier;
  Stoppable stoppable;
  Run run(*ranking, inputs, stoppable);
  stoppable.run([&](const std::stop_token& stop) { run.run(stop); });
  request.options.machines = {};
  // Results have what they need of the cases: so the memory of arrays is free again.
  ranking->cases = ranking->held_out = {};
  ranking->was_interrupted = stoppable.was_interrupted();
  if (ranking->was_interrupted) ranking->results.complete = false;
  return ranking;
}

}  // namespace

void register_rank(py::module_& module) {
  py::class_<Session>(module, "Session", py::module_local()).def(py::init<>());
  using Text = std::optional<std::pair<std::string, std::string>>;
  const auto named = [](const Text& text) {
    return text ? std::optional(NamedText{text->first, text->second}) : std::nullopt;
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
        inputs.cases = given_cases(cases);
        inputs.held_out = given_cases(held_out);
        inputs.progress = progress;
        return rank(session, is_search ? EvaluationKind::Search : EvaluationKind::Eval, words,
                    std::move(inputs));
      },
      py::arg("session"), py::arg("is_search"), py::arg("words"), py::arg("candidates"),
      py::arg("total"), py::arg("sketch"), py::arg("cases"), py::arg("held_out"),
      py::arg("progress"));
}

}  // namespace komuz::python

// SPDX-License-Identifier: Apache-2.0
// The epochs, as evaluate.h draws them.
#include "engine/run/evaluate.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>

#include "base/machine/memory.h"
#include "engine/log/run_log.h"
#include "engine/native/cheaper_code.h"
#include "engine/native/native_tier.h"
#include "engine/results/best_scores.h"
#include "engine/run/best_candidate.h"
#include "engine/run/candidate_modules.h"
#include "engine/run/collect_rows.h"
#include "engine/run/device_ranking.h"
#include "engine/run/device_team.h"
#include "engine/run/epoch.h"
#include "engine/run/find_signature.h"
#include "engine/run/program_supply.h"
#include "engine/run/read_epoch.h"
#include "engine/run/rounds.h"
#include "engine/run/set_aside.h"
#include "engine/run/shared_lanes.h"
#include "engine/run/shown_programs.h"
#include "engine/run/workers.h"
#include "engine/search/deadline.h"
#include "engine/search/search.h"

namespace komuz::engine {
namespace {

// What is known of the results before there are any.
Results& begin_results(Results& results, const CasesTable& cases, const EvaluateOptions& options) {
  results = Results();
  results.score = options.ranking.score;
  results.tolerance = options.ranking.tolerance;
  results.weights = cases.weights;
  results.has_case_scores = options.details.case_scores == CaseScores::Kept;
  results.ends_at_failure = options.ranking.ends_at_failure;
  results.fixes = options.programs.fix != nullptr && options.programs.sketch == nullptr;
  if (!options.programs.sketch_fixes.empty())
    results.fixed_sketch = {options.programs.sketch->source, options.programs.sketch_fixes};
  if (options.ranking.held_out != nullptr) results.held_out.emplace();
  results.cases = static_cast<u32>(cases.rows.size());
  return results;
}

// Do the options' devices run programs?
bool runs_on_devices(const MachineOptions& machines) {
  if (machines.device == nullptr) return false;
  // Where all code is to be native, a GPU runs kernels, and none of its batch machine's programs.
  const bool is_native =
      machines.native != nullptr && machines.native->choice() == NativeChoice::Always;
  // Nor does a device, where all code is to be cheaper.
  const bool is_cheaper = machines.cheaper != nullptr && machines.cheaper->is_for_all();
  return !is_native && !is_cheaper;
}

class Evaluation {
 public:
  Evaluation(const CasesTable& cases, const EvaluateOptions& options, Results& results,
             ResultSink* sink, ProgressSink* progress, const Deadline& deadline)
      : options_(options),
        results_(begin_results(results, cases, options_)),
        sink_(sink),
        progress_(progress),
        deadline_(deadline),
        stop_(deadline.token()),
        own_signatures_(cases, options_.ranking.held_out),
        workers_(options_, own_signatures_, stop_),
        modules_(options_),
        signature_(own_signatures_, options_, results),
        log_(options_),
        winner_(options.ranking.score),
        reader_(options_, results, stop_),
        collector_(options_, results_),
        best_(options.ranking.score, options.ranking.cut_off) {
    supply_ = open_supply({options_, epoch_, workers_, devices_});
  }

  Problem run(CandidateSource& source) {
    Problem error = begin();
    if (error) return error;
    if (!results_.complete) {
      collector_.finish();
      return {};
    }
    error = run_candidates(source);
    // A search that has come to the end of its time has come to its end.
    if (deadline_.has_passed() && !machine::is_memory_short()) {
      results_.complete = true;
      source.search()->end_late();
    }
    // Ranking needs memory, too.
    epoch_.forget_programs();
    if (!error && results_.complete && !results_.typed && signature_.first_unfit())
      return signature_.first_unfit();
    collector_.finish();
    try {
      error = find_more(std::move(error));
      // A stream that broke off may have more candidates another time.
      if (!error && !source.problem()) error = end_log();
    } catch (const std::bad_alloc&) {
      forget_more();
    }
    if (error) results_.complete = false;
    return error;
  }

  // The first three are what a run is made of, and Rounds calls them one by one. A stop leaves the results incomplete.
  Problem begin() {
    signature_.stop_when(stop_);
    if (!options_.programs.signature) return {};
    Problem error = signature_.use_stated();
    if (error.is(ProblemKind::Stop)) {
      results_.complete = results_.typed = false;
      return {};
    }
    if (!error) log_.set_signature(results_, 0);
    return error;
  }
  Problem run_candidates(CandidateSource& source) {
    const std::optional<u64> all = source.total();
    total_ =
        all ? std::optional(collector_.size() + options_.programs.shard.count(*all)) : std::nullopt;
    Problem error;
    try {
      error = run_all(source);
    } catch (const std::bad_alloc&) {
      error = end_without_memory();
    }
    if (!error.is(ProblemKind::Stop)) return error;
    results_.complete = false;
    return {};
  }
  // What is told of the best of the ranked rows. `error`: that of the run.
  Problem find_more(Problem error) {
    winner_.write_source(options_.programs.sketch, results_);
    if (!error && results_.complete && results_.typed) error = judge_best();
    // What was to be told of the best may be missing.
    if (deadline_.user().stop_requested()) results_.complete = false;
    return error;
  }
  Problem end_log() { return results_.complete ? log_.end_run(results_) : Problem(); }
  void forget_more() {
    results_.best = {};
    results_.complete = false;
  }

  // Whoever looks at rows from other threads does not hold it.
  [[nodiscard]] std::unique_lock<std::mutex> rows_lock() const {
    std::mutex* const mutex = options_.details.rows_mutex;
    return mutex == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(*mutex);
  }
  // Between two rounds, with that lock.
  Problem rank_again() {
    collector_.finish();
    results_.best = {};
    results_.best_source.clear();
    results_.best_line.reset();
    results_.worst.clear();
    results_.held_out_rows.clear();
    if (results_.held_out) {
      static_cast<HeldOutResult&>(*results_.held_out) = {};
      results_.held_out->id.clear();
    }
    return find_more({});
  }

 private:
  // Rows ahead whose behaviours are on their way from memory: of millions each is a miss of all caches.
  static constexpr u32 kExpected = 8;

  Problem judge_best() {
    // Programs that run once more are found by their ranks.
    if (shown_.are_wanted()) rank_all(results_);
    if (Problem error = modules_.load(winner_.source())) return error;
    // The end of a search's time has stopped them.
    workers_.first().stop_when(deadline_.user());
    winner_.list_cases(workers_.first(), results_);
    if (!shown_.are_wanted()) return {};
    EvaluateOptions keeping = options_;
    keeping.details.case_scores = CaseScores::Kept;
    // What runners know of the cases holds for those of the run.
    CandidateRunner scored(keeping), held_out(options_);
    for (CandidateRunner* const runner : {&scored, &held_out}) runner->stop_when(deadline_.user());
    scored.use(own_signatures_, CandidateRunner::CasesKind::Ranked);
    held_out.use(own_signatures_, CandidateRunner::CasesKind::HeldOut);
    const auto load = [this](std::string_view source) { return modules_.load(source); };
    return shown_.run({workers_.first(), scored, held_out}, load, deadline_.user(), results_);
  }

  Problem run_all(CandidateSource& source) {
    if (devices_.runs_there()) {
      const Result<bool> is_ranked = rank_on_device(source);
      if (is_ranked.problem() || is_ranked.value()) return is_ranked.problem();
    }
    return run_epochs(source);
  }
  // True: the device has ranked all candidates.
  Result<bool> rank_on_device(CandidateSource& source) {
    const auto learn = [this](const Candidate& candidate) { return learn_signature(candidate, 0); };
    const auto on_variants = [this](u64 done) { tell_progress(done); };
    return DeviceRanking({options_, results_, collector_, winner_, shown_, sink_, workers_,
                          devices_.first(), *supply_, learn, on_variants})
        .run(source);
  }
  // Rows that were begun, and not committed, are none. What is to be written of the others still is.
  Problem end_without_memory() {
    results_.complete = false;
    collector_.drop_unfinished();
    return log_.end_epoch();
  }

  Problem run_epochs(CandidateSource& source) {
    const u32 epoch = epoch_of(source);
    Problem error;
    do {
      // Rows have numbers of 32 bits.
      if (collector_.size() >= kNone - epoch) results_.complete = false;
      if (!results_.complete) break;
      error = read_epoch(source, epoch);
      if (!error && epoch_.size() != 0) error = run_epoch(source);
    } while (!error && results_.complete && epoch_.size() != 0);
    return error;
  }

  [[nodiscard]] u32 epoch_of(CandidateSource& source) const {
    const MachineOptions& machines = options_.machines;
    const bool takes_many =
        (devices_.runs_there() || machines.compiler != nullptr) && options_.ranking.cut_off == 0;
    if (!takes_many) return std::max(1u, machines.epoch);
    // Of a search an epoch is a generation, however many devices there are: the next one follows from it.
    return std::max(1u,
                    source.search() != nullptr ? machines.device_epoch : machines.devices_epoch());
  }

  Problem read_epoch(CandidateSource& source, u32 most) {
    log_.begin_epoch();
    modules_.begin_epoch();
    epoch_.begin(collector_.size());
    fresh_ = 0;
    if (source.search() != nullptr) set_aside_.begin_generation(epoch_.row(0));
    Problem error = reader_.read(source, most, see_);
    if (stop_.stop_requested()) results_.complete = false;
    return error;
  }
  // The rest of the last block.
  Problem read_more(CandidateSource& source) {
    fresh_ = epoch_.size();
    Problem error = reader_.read_more(source, set_aside_.block_end(fresh_ - 1), see_);
    if (stop_.stop_requested()) results_.complete = false;
    return error;
  }

  // What is to be known of a candidate, whether it is of this shard or not.
  Problem see(Candidate& candidate, bool is_own) {
    if (!is_own) modules_.forget_others();
    const bool is_compiled = is_own || !results_.typed;
    if (is_compiled)
      if (Problem error = modules_.load(candidate.source)) return error;
    if (is_own) modules_.keep();
    log_.see(candidate, is_own);
    if (is_compiled && candidate.error.empty())
      if (const std::string problem = modules_.problem_of(candidate.id); !problem.empty())
        candidate.error = reader_.keep(problem);
    return is_own ? Problem{} : learn_signature(candidate, epoch_.row(0));
  }

  // Of a candidate that is not run. `row`: from which on the signature is known.
  Problem learn_signature(const Candidate& candidate, u32 row) {
    if (results_.typed || !candidate.error.empty()) return {};
    CandidateRunner& runner = workers_.first();
    CandidateResult unused;
    static_cast<void>(runner.identify(candidate));
    if (!runner.compile(candidate, stop_, unused)) return {};
    return take_signature(runner, candidate, row, unused);
  }
  // Tries that of a candidate which has been compiled; where the cases do not fit it, that is in `out`.
  Problem take_signature(const CandidateRunner& runner, const Candidate& candidate, u32 row,
                         CandidateResult& out) {
    const std::unique_lock lock = rows_lock();
    Problem error = signature_.take(runner.signature(), candidate.id, out);
    if (results_.typed) log_.set_signature(results_, row);
    return error;
  }

  Problem run_epoch(CandidateSource& source) {
    limits_ = {options_.ranking.ends_at_failure, best_.least()};
    if (!epoch_.make_slots(stop_)) {
      results_.complete = false;
      return log_.end_epoch();
    }
    do {
      look_at_errors();
      if (Problem error = take_from_log()) return error;
      devices_.deal(fresh_, epoch_.size());
      if (Problem error = supply_->prepare(fresh_)) return error;
      if (Problem error = run_programs()) {
        if (!error.is(ProblemKind::Stop)) return error;
        break;  // what was refused before is
      }
      if (stop_.stop_requested() || !set_aside_.waits_for_more()) break;
      if (Problem error = read_more(source)) return error;
      epoch_.add_slots();
    } while (fresh_ != epoch_.size());
    set_aside_.run(results_.suite, limits_);
    return end_epoch();
  }

  void look_at_errors() {
    for (u32 i = fresh_; i < epoch_.size(); ++i)
      if (const std::string_view error = epoch_.candidate(i).error; !error.empty())
        refuse(std::string(error), epoch_.result(i));
  }

  Problem take_from_log() {
    if (Problem error = log_.take_rows(reader_.batch().rows)) return error;
    for (u32 i = fresh_; i < log_.taken(); ++i) {
      const LoggedRow& logged = log_.row(i);
      const Candidate& candidate = epoch_.candidate(i);
      // What the log says of a duplicate is the name of another, so it has to be one.
      if (logged.is_duplicate && options_.programs.sketch == nullptr &&
          !(workers_.first().identify(candidate) == logged.program) && !stop_.stop_requested())
        return log_.other_candidate(candidate);
      CandidateResult& result = epoch_.result(i);
      result.clear();
      result.row = logged.row;
      result.done = true;
      epoch_.is_duplicate(logged.program, i);
    }
    return {};
  }

  // Until one candidate has given the signature, they are run one after the other.
  Problem run_programs() {
    for (u32 device = 0; devices_.runs_there() && device < devices_.size(); ++device)
      devices_.runner(device).begin_epoch();
    u32 next = fresh_;
    for (; next < epoch_.size() && !results_.typed && !stop_.stop_requested(); ++next) {
      if (next < log_.taken())
        if (Problem error = learn_signature(epoch_.candidate(next), epoch_.row(next))) return error;
      if (Problem error = run_candidate(0, next)) return error;
    }
    if (results_.typed)
      if (Problem error = supply_->make(next, results_.suite)) return error;
    const auto run = [this, next](u32 worker, u32 at) {
      // Of a large epoch even to look at all that are left takes long.
      if (stop_.stop_requested()) return;
      // Only a signature can be in error, and that is known.
      static_cast<void>(run_candidate(worker, next + at));
      // Worker 0 is the thread that called evaluate().
      if (worker == 0) tell_progress(epoch_.row(next + at));
    };
    const u32 count = epoch_.size() - next;
    Problem error;
    bool is_committing = false;
    const auto commit_done = [&](u32 done) {
      if (devices_.runs_there() || error || next + done <= kExpected) return;
      is_committing = true;
      error = commit(next + done - kExpected);
      is_committing = false;
    };
    try {
      if (results_.typed && lanes_.pays(results_.suite))
        lanes_.run(workers_.pool, count, results_.suite, limits_, stop_, run, commit_done);
      else
        workers_.pool.run(count, run, commit_done);
    } catch (const std::bad_alloc&) {
      if (is_committing) throw;
      return error;  // of a worker: up to the first that is not done they are rows
    }
    if (!devices_.runs_there()) return error;
    return devices_.at_once([this](u32 device) {
      return devices_.runner(device).run(results_.suite, limits_, workers_.pool, stop_);
    });
  }

  Problem run_candidate(u32 worker, u32 i) {
    CandidateResult& result = epoch_.result(i);
    if (result.done || stop_.stop_requested() || !supply_->supply(worker, i)) return {};
    const Candidate& candidate = epoch_.candidate(i);
    if (!results_.typed) {
      const CandidateRunner& runner = workers_.runners[worker];
      if (Problem error = take_signature(runner, candidate, epoch_.row(i), result)) return error;
      if (!results_.typed) return {};
    }
    run_program(worker, i, result.compiled_text(candidate.source), result);
    return {};
  }

  // Leaves to the candidate's device what fits it.
  void run_program(u32 worker, u32 i, std::string_view source, CandidateResult& result) {
    CandidateRunner& runner = workers_.runners[worker];
    if (!runner.accept(results_.suite, result)) return;
    // A device and shared lanes have the columns of the suite.
    const bool is_own = runner.has_own_arguments();
    if (!is_own && devices_.runs_there() &&
        devices_.runner(devices_.device_of(i))
            .enqueue(worker, runner.code(), runner.entry(), source, result))
      return;
    if (!is_own && lanes_.add(worker, runner.code(), runner.entry(), source, result)) return;
    runner.run(source, results_.suite, limits_, runner.first_budget(), stop_, result);
  }

  // Makes rows of the epoch's candidates before `end`, up to the first that a stop left unfinished. All of them
  // have been looked at, and so have the kExpected behind them; workers may be busy with the others.
  Problem commit(u32 end) {
    const u32 looked_at = std::min(end + kExpected, epoch_.size());
    const std::unique_lock lock = rows_lock();
    Problem error;
    for (; epoch_.committed() < end && !error; epoch_.commit()) {
      const u32 i = epoch_.committed();
      CandidateResult& result = epoch_.result(i);
      const Candidate& candidate = epoch_.candidate(i);
      const u32 row = epoch_.row(i), first = epoch_.representative(i);
      if (first == row && result.set_aside) break;
      if (i + kExpected < looked_at) collector_.expect(epoch_.result(i + kExpected).row);
      if (first == row && !result.done) {
        results_.complete = false;
        break;
      }
      if (i < log_.taken()) {
        const Suite* suite = results_.typed ? &results_.suite : nullptr;
        // A stop came before the cases had types.
        if (suite == nullptr && was_run(log_.row(i).row) && stop_.stop_requested()) {
          results_.complete = false;
          break;
        }
        error = log_.restore_details(i, first != row, suite, own_signatures_, stop_, result);
        if (error) break;
      }
      const AddedRow added =
          first == row ? add_row(candidate, result) : collector_.add_duplicate(candidate.id, first);
      if (options_.machines.cheaper != nullptr && i >= log_.taken() && first == row &&
          (was_run(result.row) || result.cheaper.was_run))
        options_.machines.cheaper->tell(candidate.id, result.cheaper);
      if (sink_ != nullptr) sink_->on_result(results_, added.row);
      error = log_.add_row(i, results_, added, epoch_.slot(i).program, candidate);
      collector_.end_row();
    }
    return error;
  }

  Problem end_epoch() {
    // With a log they do keep others: the run may go on, from there.
    if (stop_.stop_requested() && options_.details.log == nullptr) set_aside_.leave_stopped();
    Problem error = commit(epoch_.size());
    if (epoch_.committed() != epoch_.size()) results_.complete = false;
    if (!error) error = log_.end_epoch();
    if (machine::has_memory_neared_its_end()) collector_.drop_rows();
    tell_progress(collector_.size());
    return error;
  }

  AddedRow add_row(const Candidate& candidate, CandidateResult& result) {
    if (result.row.scored) best_.add(result.row.score);
    shown_.see(result.row, candidate);
    winner_.see(result.row, candidate, result.compiled_text(candidate.source), result.line);
    return collector_.add(candidate.id, result);
  }

  void tell_progress(u64 done) {
    if (progress_ != nullptr) progress_->on_progress(done, total_);
  }

  const EvaluateOptions options_;
  Results& results_;
  ResultSink* sink_;
  ProgressSink* progress_;
  const Deadline& deadline_;
  std::stop_token stop_;
  OwnSignatures own_signatures_;
  Workers workers_;
  SharedLanes lanes_{options_};
  DeviceTeam devices_{options_, workers_.pool.size(), runs_on_devices(options_.machines)};
  std::optional<u64> total_;
  CandidateModules modules_;
  SignatureFinder signature_;
  RunLog log_;
  BestCandidate winner_;
  ShownPrograms shown_{options_};
  EpochReader reader_;
  const EpochReader::See see_ = [this](Candidate& candidate, bool is_own) {
    return see(candidate, is_own);
  };
  RowCollector collector_;
  Epoch epoch_{reader_.batch(), workers_.pool.size()};
  u32 fresh_ = 0;  // the first of the epoch's candidates that have not been looked at
  std::unique_ptr<ProgramSupply> supply_;
  SetAside set_aside_{options_, epoch_, workers_, collector_};
  BestScores best_;
  ScoreLimits limits_;  // of the epoch
};

// The options without what says nothing beside the others.
EvaluateOptions settled(EvaluateOptions options) {
  if (binds_variants(options)) options.machines.compiler = nullptr;
  if (options.ranking.score != ScoreKind::Exact) options.ranking.ends_at_failure = false;
  return options;
}

// A device does not know what else can be done; who has several says which one is to go.
Problem with_advice(Problem error) {
  return error.is(ProblemKind::Device) && error.remedy().empty()
             ? std::move(error).with_remedy("use `--device cpu`")
             : error;
}

// There is not even memory for a ranking. Nothing is made anew, as a list without elements takes some, too.
void forget_all(Results& results) {
  results.complete = results.typed = false;
  results.rows.clear();
  results.lines.clear();
  results.ids.clear();
  results.failures.clear();
  results.diagnostics.clear();
  results.fixed.clear();
  results.case_scores.clear();
  results.ranking.clear();
  results.best = {};
  results.best_source.clear();
  results.best_line.reset();
  results.held_out.reset();
  results.held_out_rows.clear();
  results.worst.clear();
  results.summary.reset();
  results.head.reset();
}

}  // namespace

Problem evaluate(CandidateSource& candidates, const CasesTable& cases,
                 const EvaluateOptions& options, Results& out, ResultSink* sink,
                 ProgressSink* progress, std::stop_token stop) {
  try {
    if (Problem error = check(options)) {
      out = Results();
      return error;
    }
    const EvaluateOptions own = settled(options);
    std::stop_source stopper;
    const std::stop_callback asked(stop, [&] { stopper.request_stop(); });
    const machine::ShortageStop short_of_memory(stopper);
    const Deadline deadline(candidates.search(), stopper.get_token());
    candidates.set_stop(deadline.token());
    if (SearchCandidates* const search = candidates.search()) search->begin(own);
    const auto evaluation = std::make_shared<Evaluation>(cases, own, out, sink, progress, deadline);
    Problem error = evaluation->run(candidates);
    if (own.details.keeps_rest && stop.stop_requested()) out.rest = evaluation;
    return with_advice(std::move(error));
  } catch (const std::bad_alloc&) {
    forget_all(out);
    return {};
  }
}

struct Rounds::State {
  State(const CasesTable& cases, const EvaluateOptions& given, Results& out, ResultSink* sink,
        ProgressSink* progress, const std::stop_token& stop)
      : options(settled(given)),
        results(out),
        asked(stop, [this] { stopper.request_stop(); }),
        deadline(nullptr, stopper.get_token()),
        evaluation(cases, options, out, sink, progress, deadline) {}

  // Memory may end in any step; then it is the last one.
  template <class Step>
  Problem take(const Step& step) {
    if (!goes_on) return {};
    Problem error;
    try {
      error = step();
    } catch (const std::bad_alloc&) {
      results.complete = false;
    }
    if (error) results.complete = false;
    goes_on = results.complete;
    return with_advice(std::move(error));
  }

  const EvaluateOptions options;
  Results& results;
  std::stop_source stopper;
  std::stop_callback<std::function<void()>> asked;
  machine::ShortageStop short_of_memory{stopper};
  Deadline deadline;
  Evaluation evaluation;
  bool goes_on = true;
};

Rounds::Rounds(const CasesTable& cases, const EvaluateOptions& options, Results& out,
               ResultSink* sink, ProgressSink* progress, const std::stop_token& stop)
    : state_(std::make_unique<State>(cases, options, out, sink, progress, stop)) {}
Rounds::~Rounds() = default;

bool Rounds::goes_on() const { return state_->goes_on; }

Problem Rounds::begin() {
  return state_->take([this]() -> Problem {
    if (Problem error = check(state_->options)) return error;
    return state_->evaluation.begin();
  });
}

Problem Rounds::run(CandidateSource& candidates) {
  return state_->take([&] {
    candidates.set_stop(state_->deadline.token());
    return state_->evaluation.run_candidates(candidates);
  });
}

// What there is is ranked after a stop, too.
Problem Rounds::rank_now() {
  try {
    Problem error = state_->evaluation.rank_again();
    if (!state_->results.complete) state_->goes_on = false;
    return with_advice(std::move(error));
  } catch (const std::bad_alloc&) {
    state_->evaluation.forget_more();
    state_->goes_on = false;
    return {};
  }
}

Problem Rounds::rank(const std::function<void()>& take) {
  const std::unique_lock lock = state_->evaluation.rows_lock();
  Problem error = rank_now();
  if (take) take();
  return error;
}

Problem Rounds::end(const std::function<void()>& take) {
  const std::unique_lock lock = state_->evaluation.rows_lock();
  Problem error = rank_now();
  if (!error) error = state_->take([this] { return state_->evaluation.end_log(); });
  state_->goes_on = false;
  if (take) take();
  return error;
}

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// The epochs, as evaluate.h draws them.
#include "engine/run/evaluate.h"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>

#include "base/machine/memory.h"
#include "engine/candidates/load_modules.h"
#include "engine/log/run_log.h"
#include "engine/results/best_scores.h"
#include "engine/results/identity_table.h"
#include "engine/run/best_candidate.h"
#include "engine/run/block_budget.h"
#include "engine/run/candidate_runner.h"
#include "engine/run/collect_rows.h"
#include "engine/run/device_runner.h"
#include "engine/run/epoch_slot.h"
#include "engine/run/find_signature.h"
#include "engine/run/read_epoch.h"
#include "engine/run/shared_lanes.h"
#include "engine/search/deadline.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/support/worker_pool.h"
#include "frontend_gpu/device/batch.h"

namespace komuz::engine {
namespace {

class Evaluation {
 public:
  Evaluation(const CasesTable& cases, const EvaluateOptions& options, Results& results,
             ResultSink* sink, ProgressSink* progress, const Deadline& deadline)
      : options_(options),
        results_(results),
        sink_(sink),
        progress_(progress),
        deadline_(deadline),
        stop_(deadline.token()),
        pool_(options.threads),
        own_signatures_(cases, options_.held_out),
        signature_(own_signatures_, options_, results),
        log_(options),
        winner_(options.score),
        reader_(options_, results, stop_),
        best_(options.score, options.cut_off) {
    for (u32 i = 0; i < pool_.size(); ++i) {
      CandidateRunner& runner = runners_.emplace_back(options_);
      runner.stop_when(stop_);
      runner.use(own_signatures_, CandidateRunner::CasesKind::Ranked);
    }
    if (options_.device != nullptr) device_.emplace(*options_.device, options_, pool_.size());
    results_ = Results();
    results_.score = options.score;
    results_.tolerance = options.tolerance;
    results_.has_case_scores = options.case_scores == CaseScores::Kept;
    results_.ends_at_failure = options.ends_at_failure;
    results_.fixes = options.fix != nullptr && options.sketch == nullptr;
    if (!options.sketch_fixes.empty())
      results_.fixed_sketch = {options.sketch->source, options.sketch_fixes};
    if (options.held_out != nullptr) results_.held_out.emplace();
    results_.cases = static_cast<u32>(cases.rows.size());
    collector_.emplace(options_, results_);
  }

  Problem run(CandidateSource& source) {
    signature_.stop_when(stop_);
    if (options_.signature) {
      Problem error = signature_.use_stated();
      if (error.is(ProblemKind::Stop)) {
        results_.complete = results_.typed = false;
        collector_->finish();
        return {};
      }
      if (error) return error;
      log_.set_signature(results_, 0);
    }
    if (const std::optional<u64> all = source.total()) total_ = options_.shard.count(*all);
    bool is_swept = false;
    Problem error;
    try {
      error = sweep(source, is_swept);
      if (!error && !is_swept) error = run_epochs(source);
    } catch (const std::bad_alloc&) {
      error = end_without_memory();
    }
    if (error.is(ProblemKind::Stop)) {
      error = {};
      results_.complete = false;
    }
    // A search that has come to the end of its time has come to its end.
    if (deadline_.has_passed() && !machine::is_memory_short()) {
      results_.complete = true;
      source.search()->end_late();
    }
    // Ranking needs memory, too.
    identities_.reset();
    if (!error && results_.complete && !results_.typed && signature_.first_unfit())
      return signature_.first_unfit();
    collector_->finish();
    try {
      winner_.write_source(options_.sketch, results_);
      if (!error && results_.complete && results_.typed) error = judge_best();
      // A stream that broke off may have more candidates another time.
      if (!error && results_.complete && !source.problem()) error = log_.end_run(results_);
    } catch (const std::bad_alloc&) {
      results_.best = {};
      results_.complete = false;
    }
    if (error) results_.complete = false;
    return error;
  }

 private:
  // Rows ahead whose behaviours are on their way from memory: of millions each is a miss of all caches.
  static constexpr u32 kExpected = 8;

  Problem judge_best() {
    if (Problem error = load_modules(winner_.source())) return error;
    // The end of a search's time has stopped them.
    runners_[0].stop_when(deadline_.user());
    winner_.list_cases(runners_[0], results_);
    // What runners know of the cases holds for those of the run.
    CandidateRunner runner(options_);
    runner.stop_when(deadline_.user());
    runner.use(own_signatures_, CandidateRunner::CasesKind::HeldOut);
    winner_.run_held_out(runners_[0], runner, deadline_.user(), results_);
    return {};
  }

  // Where only the best are looked at, a device ranks the variants that it makes. Else nothing is done but that the first of
  // them may have given the signature.
  Problem sweep(CandidateSource& source, bool& is_swept) {
    if (!may_sweep(source.search() != nullptr)) return {};
    if (source.search() != nullptr) return search(*source.search(), is_swept);
    const VariantNumbers* const numbers = source.numbers();
    if (numbers == nullptr || numbers->count == 0 || numbers->count >= kNone) return {};
    bool is_possible = false;
    Problem error = open_variants({variant_name(numbers->at(0)), {}, numbers->at(0)}, is_possible);
    if (error || !is_possible) return error;
    SweptVariants swept;
    error = device_->sweep(results_.suite, *numbers, collector_->most_ranked(),
                           progress_of_variants(), stop_, is_swept, swept);
    if (error || !is_swept) return error;
    if (swept.variants != numbers->count) results_.complete = false;
    return add_ranked(swept, [&](size_t k) -> Variant {
      const u64 number = numbers->at(swept.best[k].row);
      return {variant_name(number), {}, number};
    });
  }
  // Rows that were begun, and not committed, are none. What is to be written of the others still is.
  Problem end_without_memory() {
    results_.complete = false;
    collector_->drop_unfinished();
    return log_.end_epoch();
  }

  // The same of a search, which breeds there, too.
  Problem search(SearchCandidates& source, bool& is_swept) {
    const VariantPlan& plan = source.plan();
    Decisions first;
    if (!DeviceSearch::can_search(source) || !plan.unrank(0, first)) return {};
    bool is_possible = false;
    Problem error =
        open_variants({variant_name(plan, first), first, Candidate::kNoNumber}, is_possible);
    if (error || !is_possible) return error;
    SweptVariants swept;
    error = device_->search(results_.suite, source, collector_->most_ranked(),
                            progress_of_variants(), stop_, is_swept, swept);
    if (error || !is_swept) return error;
    if (stop_.stop_requested() || swept.is_cut_short) results_.complete = false;
    return add_ranked(swept, [&](size_t k) -> Variant {
      return {variant_name(plan, swept.decisions[k]), swept.decisions[k], Candidate::kNoNumber};
    });
  }

  // A variant of the sketch, which has a number or decisions.
  struct Variant {
    std::string id;
    Decisions decisions;
    u64 number;
  };
  [[nodiscard]] Candidate candidate_of(const Variant& variant) const {
    return {variant.id, options_.sketch->source, {}, variant.decisions, variant.number};
  }
  // Does the device make variants? This is one of them, which gives the signature where none is stated.
  Problem open_variants(const Variant& first, bool& is_possible) {
    Problem error = learn_signature(candidate_of(first), 0);
    const Candidate candidate = candidate_of(first);
    is_possible =
        !error && results_.typed && (makes_on_device(candidate) || expands_on_device(candidate));
    return error;
  }
  [[nodiscard]] std::function<void(u64)> progress_of_variants() {
    return [this](u64 done) {
      if (progress_ != nullptr) progress_->on_progress(done, total_);
    };
  }
  // A search needs rows, and what cases brought, for itself alone: where it is done elsewhere it needs none.
  [[nodiscard]] bool may_sweep(bool is_search) const {
    constexpr u64 kMostRanked = 4096;  // they are compared with each other
    const CaseScores most = is_search ? CaseScores::ForSink : CaseScores::None;
    const bool has_best_alone = options_.best_rows != 0 && !options_.ranks_later &&
                                (is_search || !options_.sink_needs_rows) &&
                                options_.log == nullptr && options_.case_scores <= most &&
                                (sink_ == nullptr || sink_->needs_best_alone());
    return device_ && options_.sketch != nullptr && has_best_alone && options_.cut_off == 0 &&
           options_.shard.of == 1 && collector_->most_ranked() <= kMostRanked;
  }

  // The rows of the best are made here, with all that is said of them: what a device has found is run once more.
  Problem add_ranked(const SweptVariants& swept,
                     const std::function<Variant(size_t ranked)>& variant_of) {
    limits_ = {options_.ends_at_failure, {}};
    std::vector<size_t> in_input_order(swept.best.size());
    std::iota(in_input_order.begin(), in_input_order.end(), size_t{0});
    std::ranges::sort(in_input_order, {}, [&](size_t k) { return swept.best[k].row; });
    std::vector<Variant> variants;
    for (const size_t k : in_input_order) variants.push_back(variant_of(k));
    std::vector<CandidateResult> results(variants.size());
    pool_.run(static_cast<u32>(results.size()), [&](u32 worker, u32 k) {
      CandidateRunner& runner = runners_[worker];
      const Candidate variant = candidate_of(variants[k]);
      static_cast<void>(runner.identify(variant));
      // There is no end to wait for: a stop that came before has ended the sweep.
      if (runner.compile(variant, {}, results[k]) && runner.accept(results_.suite, results[k]))
        runner.run_alone(variant.source, results_.suite, limits_, {}, results[k]);
    });
    for (size_t k = 0; k < results.size(); ++k) {
      const RankedProgram& ranked = swept.best[in_input_order[k]];
      const std::string& id = variants[k].id;
      if (rank_key(options_.score, results[k].row) != ranked.key)
        return device_problem("the device and the processor disagree on variant " + id);
      winner_.see(results[k].row, candidate_of(variants[k]), options_.sketch->source);
      const AddedRow added = collector_->add_ranked(id, results[k], ranked);
      if (sink_ != nullptr) sink_->on_result(results_, added.row);
      collector_->end_row();
    }
    collector_->set_counts(swept);
    return {};
  }

  Problem run_epochs(CandidateSource& source) {
    const bool takes_many = (device_ || options_.compiler != nullptr) && options_.cut_off == 0;
    const u32 epoch = std::max(1u, takes_many ? options_.device_epoch : options_.epoch);
    Problem error;
    do {
      // Rows have numbers of 32 bits.
      if (collector_->size() >= kNone - epoch) results_.complete = false;
      if (!results_.complete) break;
      error = read_epoch(source, epoch);
      if (!error && !batch_.rows.empty()) error = run_epoch(source);
    } while (!error && results_.complete && !batch_.rows.empty());
    return error;
  }

  Problem read_epoch(CandidateSource& source, u32 most) {
    log_.begin_epoch();
    if (has_modules()) {
      options_.modules->keep_few(lasting_modules_);
      needed_modules_ = options_.modules->library().size();
    }
    first_row_ = collector_->size();
    fresh_ = 0;
    // A generation is to be known when it ends, so its blocks begin with it.
    is_search_ = source.search() != nullptr;
    if (is_search_) first_block_ = first_row_;
    Problem error = reader_.read(source, most, see_);
    if (stop_.stop_requested()) results_.complete = false;
    return error;
  }
  // The rest of the last block.
  Problem read_more(CandidateSource& source) {
    fresh_ = static_cast<u32>(batch_.rows.size());
    Problem error = reader_.read_more(source, block_end(fresh_ - 1), see_);
    if (stop_.stop_requested()) results_.complete = false;
    return error;
  }
  // Behind the last candidate of the block of candidate `i` of the epoch, as such a number.
  [[nodiscard]] u32 block_end(u32 i) const {
    const u64 behind = first_row_ + u64{i} - first_block_;
    return i + static_cast<u32>(BlockBudget::kBlock - behind % BlockBudget::kBlock);
  }

  // What is to be known of a candidate, whether it is of this shard or not.
  Problem see(Candidate& candidate, bool is_own) {
    // Of others they are needed no longer than to learn the signature.
    if (!is_own && has_modules()) options_.modules->keep_few(needed_modules_);
    const bool is_compiled = is_own || !results_.typed;
    if (is_compiled)
      if (Problem error = load_modules(candidate.source)) return error;
    if (is_own && has_modules()) needed_modules_ = options_.modules->library().size();
    log_.see(candidate, is_own);
    if (is_compiled && has_modules() && candidate.error.empty())
      if (const std::string problem = options_.modules->problem_of(candidate.id); !problem.empty())
        candidate.error = reader_.keep(problem);
    return is_own ? Problem() : learn_signature(candidate, first_row_);
  }
  // May candidates name modules? Those of a sketch are there.
  [[nodiscard]] bool has_modules() const {
    return options_.modules != nullptr && options_.sketch == nullptr;
  }
  Problem load_modules(std::string_view source) {
    if (!has_modules()) return {};
    options_.modules->load(source);
    const std::string& changed = options_.modules->changed();
    if (changed.empty()) return {};
    return input_problem({}, "the module `" + changed + "` has changed since candidates used it",
                         "evaluate again");
  }

  // Of a candidate that is not run. `row`: from which on the signature is known.
  Problem learn_signature(const Candidate& candidate, u32 row) {
    if (results_.typed || !candidate.error.empty()) return {};
    CandidateRunner& runner = runners_[0];
    CandidateResult unused;
    static_cast<void>(runner.identify(candidate));
    if (!runner.compile(candidate, stop_, unused)) return {};
    return take_signature(runner, candidate, row, unused);
  }
  // Tries that of a candidate which has been compiled; where the cases do not fit it, that is in `out`.
  Problem take_signature(const CandidateRunner& runner, const Candidate& candidate, u32 row,
                         CandidateResult& out) {
    const Problem error = signature_.take(runner.signature(), candidate.id, out);
    if (results_.typed) log_.set_signature(results_, row);
    return error;
  }

  Problem run_epoch(CandidateSource& source) {
    limits_ = {options_.ends_at_failure, best_.least()};
    committed_ = 0;
    if (!make_slots()) {
      results_.complete = false;
      return log_.end_epoch();
    }
    do {
      look_at_errors();
      if (Problem error = take_from_log()) return error;
      if (Problem error = compile_on_device()) return error;
      if (Problem error = run_programs()) {
        if (!error.is(ProblemKind::Stop)) return error;
        break;  // what was refused before is
      }
      if (stop_.stop_requested() || !waits_for_more()) break;
      if (Problem error = read_more(source)) return error;
    } while (fresh_ != batch_.rows.size());
    run_set_aside();
    return end_epoch();
  }

  // Is somebody of a block set aside of which not all candidates have been read?
  [[nodiscard]] bool waits_for_more() const {
    const auto count = static_cast<u32>(batch_.rows.size());
    if (is_search_ || options_.candidate_budget) return false;
    for (u32 i = count; i > committed_ && block_end(i - 1) > count; --i)
      if (is_set_aside(i - 1)) return true;
    return false;
  }
  [[nodiscard]] bool is_set_aside(u32 i) const {
    return slots_[i].result.set_aside && representative(i) == first_row_ + i;
  }

  // Those of a generation of a million take a while. False: a stop came before they were there.
  [[nodiscard]] bool make_slots() {
    constexpr size_t kStep = 4096;
    const size_t count = batch_.rows.size();
    slots_.reserve(count);
    while (slots_.size() < count) {
      if (stop_.stop_requested()) return false;
      slots_.resize(std::min(count, slots_.size() + kStep));
    }
    return true;
  }

  void look_at_errors() {
    if (slots_.size() < batch_.rows.size()) slots_.resize(batch_.rows.size());
    for (size_t i = fresh_; i < batch_.rows.size(); ++i)
      if (!batch_.rows[i].error.empty())
        refuse(std::string(batch_.rows[i].error), slots_[i].result);
  }

  Problem take_from_log() {
    if (Problem error = log_.take_rows(batch_.rows)) return error;
    for (u32 i = fresh_; i < log_.taken(); ++i) {
      const LoggedRow& logged = log_.row(i);
      EpochSlot& slot = slots_[i];
      // The log has no text of a duplicate.
      if (logged.is_duplicate && options_.sketch == nullptr &&
          !(runners_[0].identify(batch_.rows[i]) == logged.program) && !stop_.stop_requested())
        return log_.other_candidate(batch_.rows[i]);
      slot.result.clear();
      slot.result.row = logged.row;
      slot.result.done = true;
      slot.program = logged.program;
      if (slot.program != frontend::TextHash{})
        slot.identity = identities_->insert(slot.program, first_row_ + i).place;
    }
    return {};
  }

  // Has an earlier candidate the same program? Of candidates that are looked at the other way round both are compiled:
  // commit() finds the first, whatever the order was.
  bool is_duplicate(CandidateRunner& runner, u32 i) {
    return is_duplicate(runner.identify(batch_.rows[i]), i);
  }
  bool is_duplicate(const frontend::TextHash& identity, u32 i) {
    slots_[i].program = identity;
    if (identity == frontend::TextHash{}) return false;
    const u32 row = first_row_ + i;
    const SharedIdentities::Inserted inserted = identities_->insert(identity, row);
    slots_[i].identity = inserted.place;
    return inserted.first != row;
  }

  // The row of the first candidate that has the program of this one, once it and all before it have been identified.
  [[nodiscard]] u32 representative(u32 i) const {
    const SharedIdentities::Place place = slots_[i].identity;
    return place == nullptr ? first_row_ + i : SharedIdentities::first(place);
  }

  // The device's part of compiling; workers do the rest when they come to a program.
  Problem compile_on_device() {
    if (options_.compiler == nullptr) return {};
    pool_.run(static_cast<u32>(batch_.rows.size()) - fresh_, [this](u32 worker, u32 at) {
      const u32 i = fresh_ + at;
      if (!slots_[i].result.done && !stop_.stop_requested()) identify(worker, i);
    });
    sources_.clear();
    for (u32 i = fresh_; i < batch_.rows.size() && !stop_.stop_requested(); ++i) {
      EpochSlot& slot = slots_[i];
      if (slot.result.done || representative(i) != first_row_ + i) continue;
      slot.on_device = static_cast<u32>(sources_.size());
      sources_.push_back(batch_.rows[i].is_variant() ? std::string_view(slot.text)
                                                     : batch_.rows[i].source);
    }
    options_.compiler->use_library(options_.modules == nullptr ? nullptr
                                                               : &options_.modules->library());
    options_.compiler->use_budget(options_.compile_budget);
    return sources_.empty() ? Problem() : options_.compiler->run(sources_);
  }

  // A variant's text is kept for the device.
  void identify(u32 worker, u32 i) {
    CandidateRunner& runner = runners_[worker];
    EpochSlot& slot = slots_[i];
    const Candidate& candidate = batch_.rows[i];
    if (is_duplicate(runner, i) || !candidate.is_variant()) return;
    if (slot.program == frontend::TextHash{})
      static_cast<void>(runner.compile(candidate, stop_, slot.result));  // it says why
    else
      slot.text = runner.text_of(candidate);
  }

  // Until one candidate has given the signature, they are run one after the other.
  Problem run_programs() {
    if (device_) device_->begin_epoch();
    u32 next = fresh_;
    for (; next < batch_.rows.size() && !results_.typed && !stop_.stop_requested(); ++next) {
      if (next < log_.taken())
        if (Problem error = learn_signature(batch_.rows[next], first_row_ + next)) return error;
      if (Problem error = run_candidate(0, next)) return error;
    }
    if (Problem error = make_on_device(next)) return error;
    const auto run = [this, next](u32 worker, u32 at) {
      // Of a large epoch even to look at all that are left takes long.
      if (stop_.stop_requested()) return;
      // Only a signature can be in error, and that is known.
      static_cast<void>(run_candidate(worker, next + at));
      // Worker 0 is the thread that called evaluate().
      if (worker == 0 && progress_ != nullptr)
        progress_->on_progress(first_row_ + next + at, total_);
    };
    const u32 count = static_cast<u32>(batch_.rows.size()) - next;
    Problem error;
    bool is_committing = false;
    const auto commit_done = [&](u32 done) {
      if (device_ || error || next + done <= kExpected) return;
      is_committing = true;
      error = commit(next + done - kExpected);
      is_committing = false;
    };
    try {
      if (results_.typed && lanes_.pays(results_.suite))
        lanes_.run(pool_, count, results_.suite, limits_, stop_, run, commit_done);
      else
        pool_.run(count, run, commit_done);
    } catch (const std::bad_alloc&) {
      if (is_committing) throw;
      return error;  // of a worker: up to the first that is not done they are rows
    }
    if (device_) error = device_->run(results_.suite, limits_, pool_, stop_);
    return error;
  }

  // Variants from candidate `first` on, where a device makes them.
  Problem make_on_device(u32 first) {
    variants_.clear();
    for (u32 i = first; i < batch_.rows.size() && device_ && results_.typed; ++i) {
      const Candidate& candidate = batch_.rows[i];
      if (slots_[i].result.done || !candidate.is_variant()) continue;
      if (!makes_on_device(candidate)) return {};
      slots_[i].on_device = variants_.size();
      if (candidate.number != Candidate::kNoNumber)
        variants_.add(candidate.number);
      else
        variants_.add(candidate.decisions);
    }
    return variants_.size() == 0 ? Problem() : device_->make_variants(variants_);
  }
  // Does the device make variants? Whether one is accepted they all are.
  bool makes_on_device(const Candidate& candidate) {
    if (makes_on_device_) return *makes_on_device_;
    makes_on_device_ = false;
    if (options_.sketch->obstacle != BindObstacle::None || options_.expands_variants) return false;
    CandidateRunner& runner = runners_[0];
    CandidateResult unused;
    static_cast<void>(runner.identify(candidate));
    makes_on_device_ = runner.compile(candidate, stop_, unused) &&
                       runner.accept(results_.suite, unused) &&
                       device_->use_variants(runner.code(), runner.entry(), results_.suite);
    return *makes_on_device_;
  }

  // Does the device make variants that have no bound code, where nobody looks at them one by one?
  bool expands_on_device(const Candidate& candidate) {
    if (options_.sketch->obstacle == BindObstacle::None) return false;
    CandidateRunner& runner = runners_[0];
    CandidateResult unused;
    static_cast<void>(runner.identify(candidate));
    return runner.compile(candidate, stop_, unused) && runner.accept(results_.suite, unused) &&
           device_->use_expanded(runner, results_.suite);
  }

  // Identifies, compiles and runs. A text is compiled right after it is identified, which lexes it.
  Problem run_candidate(u32 worker, u32 i) {
    CandidateRunner& runner = runners_[worker];
    const Candidate& candidate = batch_.rows[i];
    EpochSlot& slot = slots_[i];
    if (slot.result.done || stop_.stop_requested()) return {};
    if (makes_on_device_.value_or(false) && slot.on_device != kNone) {
      const MadeVariant& made = device_->made()[slot.on_device];
      if (made.made == Made::Done) {
        if (is_duplicate({made.identity_low, made.identity_high}, i)) return {};
        slot.result.row.code_bytes = made.bytes;
        device_->enqueue_made(worker, made, candidate, slot.result);
        return {};
      }
    }
    if (options_.compiler == nullptr) {
      if (is_duplicate(runner, i)) return {};
      if (!runner.compile(candidate, stop_, slot.result)) return {};
    } else if (slot.on_device == kNone ||
               !runner.read(*options_.compiler, slot.on_device, candidate, stop_, slot.result)) {
      return {};
    }
    if (!results_.typed) {
      if (Problem error = take_signature(runner, candidate, first_row_ + i, slot.result))
        return error;
      if (!results_.typed) return {};
    }
    run_program(worker, source_of(candidate, slot.result), slot.result);
    return {};
  }

  // Leaves to the device what fits it.
  void run_program(u32 worker, std::string_view source, CandidateResult& result) {
    CandidateRunner& runner = runners_[worker];
    if (!runner.accept(results_.suite, result)) return;
    // A device and shared lanes have the columns of the suite.
    const bool is_own = runner.has_own_arguments();
    if (!is_own && device_ &&
        device_->enqueue(worker, runner.code(), runner.entry(), source, result))
      return;
    if (!is_own && lanes_.add(worker, runner.code(), runner.entry(), source, result)) return;
    runner.run(source, results_.suite, limits_, runner.first_budget(), stop_, result);
  }

  // Block by block.
  void run_set_aside() {
    const auto count = static_cast<u32>(batch_.rows.size());
    for (u32 begin = committed_, end = 0; begin < count && !stop_.stop_requested(); begin = end) {
      end = std::min(block_end(begin), count);
      left_.clear();
      for (u32 i = begin; i < end; ++i)
        if (is_set_aside(i)) left_.push_back(i);
      if (!left_.empty()) run_left_of_block(end);
    }
  }
  // First with what each may take, whoever turns out to be slow; then, who has not come to an end, with all that there is.
  void run_left_of_block(u32 end) {
    const u64 slow = slow_ticks(options_.fuel, options_.candidate_budget);
    if (options_.candidate_budget) return run_left({*options_.candidate_budget, slow, true});
    const u64 least = block_budget(end).least_budget();
    run_left({least, slow, false});
    std::erase_if(left_, [this](u32 i) { return !slots_[i].result.set_aside; });
    if (left_.empty() || stop_.stop_requested()) return;
    const u64 budget = block_budget(end).budget();
    if (budget != least) return run_left({budget, slow, true});
    for (const u32 i : left_) {
      slots_[i].result.set_aside = false;
      slots_[i].result.done = true;
    }
  }
  void run_left(const CaseBudget& budget) {
    const auto run = [&](u32 worker, u32 k) {
      if (stop_.stop_requested()) return;
      CandidateRunner& runner = runners_[worker];
      const Candidate& candidate = batch_.rows[left_[k]];
      CandidateResult& result = slots_[left_[k]].result;
      CaseBudget own = budget;
      own.was_set_aside = true;
      own.slow_case = result.slow_case;
      result.clear();
      static_cast<void>(runner.identify(candidate));
      if (runner.compile(candidate, stop_, result) && runner.accept(results_.suite, result))
        runner.run(source_of(candidate, result), results_.suite, limits_, own, stop_, result);
      result.set_aside = result.set_aside || (!result.done && stop_.stop_requested());
    };
    constexpr u32 kTaken = 1;  // each takes long
    pool_.run(
        static_cast<u32>(left_.size()), run, [](u32) {}, kTaken);
  }
  // Of the block that ends there, whose first candidates may be rows of earlier epochs.
  [[nodiscard]] BlockBudget block_budget(u32 end) const {
    BlockBudget block(options_.fuel);
    const u64 last = first_row_ + u64{end} - 1 - first_block_;
    for (u64 row = first_block_ + last - last % BlockBudget::kBlock; row < first_row_ + u64{end};
         ++row)
      block.add(effort(static_cast<u32>(row)));
    return block;
  }
  [[nodiscard]] u8 effort(u32 row) const {
    const u32 first_of_others = first_row_ + committed_;
    if (row >= first_of_others) row = representative(row - first_row_);
    if (row < first_of_others) return collector_->effort(row);
    const CandidateResult& result = slots_[row - first_row_].result;
    return result.set_aside ? kSlowEffort : effort_of(result.row);
  }
  // What was compiled.
  [[nodiscard]] static std::string_view source_of(const Candidate& candidate,
                                                  const CandidateResult& result) {
    return result.row.fixed ? std::string_view(result.fixed.text) : candidate.source;
  }

  // Makes rows of the epoch's candidates before `end`, up to the first that a stop left unfinished. All of them
  // have been looked at, and so have the kExpected behind them; workers may be busy with the others.
  Problem commit(u32 end) {
    const size_t looked_at = std::min<size_t>(end + kExpected, batch_.rows.size());
    Problem error;
    for (; committed_ < end && !error; ++committed_) {
      const u32 i = committed_;
      EpochSlot& slot = slots_[i];
      const u32 row = first_row_ + i, first = representative(i);
      if (first == row && slot.result.set_aside) break;
      if (i + kExpected < looked_at) collector_->expect(slots_[i + kExpected].result.row);
      if (first == row && !slot.result.done) {
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
        error = log_.restore_details(i, first != row, suite, own_signatures_, stop_, slot.result);
        if (error) break;
      }
      const AddedRow added = first == row ? add_row(batch_.rows[i], slot.result)
                                          : collector_->add_duplicate(batch_.rows[i].id, first);
      if (sink_ != nullptr) sink_->on_result(results_, added.row);
      error = log_.add_row(i, results_, added, slot.program, batch_.rows[i]);
      collector_->end_row();
      slot.clear();  // for the next epoch, while others work
    }
    return error;
  }

  // At a stop who is set aside is not finished, and keeps nobody behind it from being a row. With a log it does: the run may go on,
  // from there.
  void leave_set_aside() {
    if (!stop_.stop_requested() || options_.log != nullptr) return;
    u32 end = committed_;
    for (u32 i = committed_; i < batch_.rows.size(); ++i) {
      const bool is_own = representative(i) == first_row_ + i;
      const CandidateResult& result = slots_[i].result;
      if (is_own && !result.done && !result.set_aside) break;
      if (!is_own || result.done) end = i + 1;
    }
    for (u32 i = committed_; i < end; ++i)
      if (is_set_aside(i)) leave_stopped(slots_[i].result);
  }

  Problem end_epoch() {
    leave_set_aside();
    Problem error = commit(static_cast<u32>(batch_.rows.size()));
    if (committed_ != batch_.rows.size()) results_.complete = false;
    if (!error) error = log_.end_epoch();
    if (machine::has_memory_neared_its_end()) collector_->drop_rows();
    if (progress_ != nullptr) progress_->on_progress(collector_->size(), total_);
    return error;
  }

  AddedRow add_row(const Candidate& candidate, CandidateResult& result) {
    if (result.row.scored) best_.add(result.row.score);
    winner_.see(result.row, candidate, source_of(candidate, result));
    return collector_->add(candidate.id, result);
  }

  const EvaluateOptions options_;
  Results& results_;
  ResultSink* sink_;
  ProgressSink* progress_;
  const Deadline& deadline_;
  std::stop_token stop_;
  WorkerPool pool_;
  std::vector<CandidateRunner> runners_;  // one a worker
  SharedLanes lanes_{options_};
  std::optional<DeviceRunner> device_;
  std::optional<u64> total_;
  // Modules that were there before any candidate, and those up to the last one that a candidate of the epoch named.
  u32 lasting_modules_ = options_.modules == nullptr ? 0 : options_.modules->library().size();
  u32 needed_modules_ = lasting_modules_;
  OwnSignatures own_signatures_;
  SignatureFinder signature_;
  RunLog log_;
  BestCandidate winner_;
  EpochReader reader_;
  const CandidateBatch& batch_ = reader_.batch();
  const EpochReader::See see_ = [this](Candidate& candidate, bool is_own) {
    return see(candidate, is_own);
  };
  std::optional<RowCollector> collector_;
  std::optional<SharedIdentities> identities_{std::in_place};
  BestScores best_;
  // Of the epoch.
  u32 first_row_ = 0;
  u32 committed_ = 0;  // how many of its candidates are rows
  u32 fresh_ = 0;      // the first of its candidates that have not been looked at
  bool is_search_ = false;
  u32 first_block_ = 0;    // the first row of a block
  std::vector<u32> left_;  // candidates of a block that are set aside
  ScoreLimits limits_;
  std::vector<EpochSlot> slots_;           // those of rows are clear
  std::vector<std::string_view> sources_;  // those that a device compiles
  VariantMaker::List variants_;            // those that it makes
  std::optional<bool> makes_on_device_;
};

// There is not even memory for a ranking. Nothing is made anew, as a list without elements takes some, too.
void forget_all(Results& results) {
  results.complete = results.typed = false;
  results.rows.clear();
  results.ids.clear();
  results.failures.clear();
  results.diagnostics.clear();
  results.fixed.clear();
  results.case_scores.clear();
  results.ranking.clear();
  results.best = {};
  results.best_source.clear();
  results.held_out.reset();
  results.summary.reset();
  results.head.reset();
}

}  // namespace

Problem evaluate(CandidateSource& candidates, const CasesTable& cases,
                 const EvaluateOptions& options, Results& out, ResultSink* sink,
                 ProgressSink* progress, std::stop_token stop) {
  try {
    EvaluateOptions own = options;
    // Of bound variants nothing is compiled.
    if (own.sketch != nullptr && own.sketch->obstacle == BindObstacle::None &&
        !own.expands_variants)
      own.compiler = nullptr;
    if (own.score != ScoreKind::Exact) own.ends_at_failure = false;  // others take every case
    std::stop_source stopper;
    const std::stop_callback asked(stop, [&] { stopper.request_stop(); });
    const machine::ShortageStop short_of_memory(stopper);
    const Deadline deadline(candidates.search(), stopper.get_token());
    candidates.set_stop(deadline.token());
    const auto evaluation = std::make_shared<Evaluation>(cases, own, out, sink, progress, deadline);
    Problem error = evaluation->run(candidates);
    if (own.keeps_rest && stop.stop_requested()) out.rest = evaluation;
    // A device does not know what else can be done.
    return error.is(ProblemKind::Device) ? std::move(error).with_remedy("use `--device cpu`")
                                         : error;
  } catch (const std::bad_alloc&) {
    forget_all(out);
    return {};
  }
}

}  // namespace komuz::engine

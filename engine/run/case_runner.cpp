// SPDX-License-Identifier: Apache-2.0
#include "engine/run/case_runner.h"

#include <algorithm>
#include <cstring>

#include "base/counts.h"
#include "engine/cases/slice_entry.h"
#include "engine/run/block_budget.h"

namespace komuz::engine {
namespace {

// Cases run in slices, so that their outcomes stay in the first levels of cache, and a stop is seen between two
// slices. Sizes are multiples of 64, as Suite::view and Scorer::add require. Slices never show in results.
constexpr u32 kFirstSlice = 256, kLeastSlice = 64, kLargestSlice = 1024;
constexpr u64 kSliceTicks = 16'000'000;
constexpr size_t kSliceCells = 1u << 16;  // of results
// A GPU has memory of its own.
constexpr size_t kCrowdCells = 1u << 20;

// The size of the next slice: about kSliceTicks at the rate so far, and not much more than kSliceCells.
u32 next_slice(u64 ticks, u32 cases_done, size_t result_cells) {
  u64 cases = kFirstSlice;
  if (cases_done != 0) cases = kSliceTicks * cases_done / std::max<u64>(ticks, 1);
  cases = std::min<u64>(cases, kSliceCells / std::max<size_t>(result_cells, 1));
  return static_cast<u32>(std::clamp<u64>(cases / 64 * 64, kLeastSlice, kLargestSlice));
}

u64 job_fuel(const CaseArguments& arguments, u64 ticks) {
  return arguments.has_slices ? slice_entry_fuel(ticks) : ticks;
}

// A case that takes this many times the usual ticks is handled by itself.
constexpr u64 kUnusual = 16, kLeastTicks = 256;
// A job of this many cases takes no longer than running them one after the other.
constexpr u32 kCompany = 4;

}  // namespace

OutcomesView CaseRunner::Outcomes::view(u32 rows, size_t result_cells) {
  if (values.size() < rows * result_cells) values.resize(rows * result_cells);
  if (traps.size() < rows) {
    traps.resize(rows);
    places.resize(rows);
    depths.resize(rows);
    fuel.resize(rows);
  }
  return {std::span(values).first(rows * result_cells), std::span(traps).first(rows),
          std::span(places).first(rows), std::span(depths).first(rows),
          std::span(fuel).first(rows)};
}

// Large enough that a candidate that is longer than others, but not slow, is seldom set aside and compiled again. The
// first candidates are not taken for slow until they prove so: others would wait for them.
CaseBudget CaseRunner::first_budget() const {
  constexpr u64 kLeast = 4096;
  const u64 slow = slow_ticks(options_.limits.fuel, options_.limits.candidate_budget);
  if (options_.limits.candidate_budget) return {*options_.limits.candidate_budget, slow, true};
  if (!knows_usual_) return {slow, slow, false};
  return {std::min(slow, std::max(kLeast, kUnusual * usual_ticks_)), slow, false};
}

u64 CaseRunner::first_ticks(const CaseBudget& budget, u64 usual) const {
  const u64 most = std::min({options_.limits.fuel, budget.ticks, budget.slow});
  const u64 all = std::max(usual_ticks_, usual);
  return all >= most / kUnusual ? most : std::min(most, std::max(kLeastTicks, kUnusual * all));
}

CaseRunner::SliceSize CaseRunner::next_size(const Suite& suite, const CaseBudget& budget,
                                            u32 begin) const {
  const size_t cells = std::max<size_t>(suite.result_types.size(), 1);
  const u32 left = suite.count - begin;
  const u64 usual = begin == 0 ? 0 : scorer_.ticks() / begin;
  const u64 ticks = std::min(first_ticks(budget, usual), ticks_left());
  const u32 crowd =
      std::min<u32>(machine_.crowd_of(left), static_cast<u32>(kCrowdCells / cells / 64 * 64));
  // The function that takes slices has a tick of its own.
  if (machine_.crowd_of(crowd) != 0) return {crowd, std::min(ticks, kMostKernelTicks - 1)};
  return {std::min(next_slice(scorer_.ticks(), begin, cells), left), ticks};
}

void CaseRunner::note_ticks(u64 ticks, u64 cases) {
  knows_usual_ = true;
  usual_ticks_ = (3 * usual_ticks_ + ticks / std::max<u64>(cases, 1)) / 4;
}

void CaseRunner::run_job(TieredMachine& machine, const vm::Job& job, u64 waiting,
                         const OutcomesView& out) {
  switch (options_.machines.machine) {
    case MachineKind::Batch: machine.run(job, waiting, out); break;
    case MachineKind::Reference: vm::run_reference(job, out); break;
  }
}

OutcomesView CaseRunner::run_cases(const Program& program, const Suite& suite, u32 begin, u32 rows,
                                   u64 fuel, const std::stop_token& stop) {
  const OutcomesView view = outcomes_.view(rows, suite.result_types.size());
  const CaseArguments& taken = program.arguments;
  run_job(machine_,
          {program.code, program.entry, taken.view(begin, rows, columns_), job_fuel(taken, fuel),
           &stop},
          suite.count - begin - rows, view);
  return view;
}

void CaseRunner::run(const Program& program, const Suite& suite, const ScoreLimits& limits,
                     const CaseBudget& budget, const std::stop_token& stop, CandidateResult& out) {
  if (run_shared(program, suite, limits, budget, out)) return;
  machine_.begin();
  cheaper_.begin({program.code, program.entry, suite.count <= kFirstSlice, budget.was_set_aside},
                 stop);
  machine_.use_on_vm(cheaper_.code());
  run_slices(program, suite, limits, budget, stop, out);
  if (is_faulty_) {
    cheaper_.drop();
    machine_.use_on_vm(nullptr);
    out.has_failure = false;  // that was of the code that was wrong
    out.failure.clear();
    run_slices(program, suite, limits, budget, stop, out);
  }
  cheaper_.end(out.cheaper);
  machine_.begin();  // nothing of it is waiting any more
}

bool CaseRunner::run_shared(const Program& program, const Suite& suite, const ScoreLimits& limits,
                            const CaseBudget& budget, CandidateResult& out) {
  // Where variants are no straight lines, most of the next ones are none either.
  constexpr u32 kFew = 16, kLookAgain = 64;
  const MachineOptions& machines = options_.machines;
  // Other code is asked for whatever it costs.
  const bool is_forced =
      (machines.native != nullptr && machines.native->choice() == NativeChoice::Always) ||
      (machines.cheaper != nullptr && machines.cheaper->is_for_all());
  if (options_.programs.sketch == nullptr || machines.machine != MachineKind::Batch || is_forced ||
      suite.count > SharedValues::kMostCases || suite.result_types.size() != 1 ||
      program.arguments.has_slices || &program.arguments != &suite ||
      std::min(options_.limits.fuel, budget.ticks) == 0)
    return false;
  if (others_ > kFew && ++others_ % kLookAgain != 0) return false;
  shared_.use(suite.view(0, suite.count, columns_));
  const OutcomesView outcomes = shared_outcomes_.view(suite.count, 1);
  if (!shared_.run(program.code, program.entry, outcomes.values)) {
    ++others_;
    return false;
  }
  others_ = 0;
  // Each case takes the tick of its entry.
  if (shared_outcomes_.fuel.back() == 0) std::ranges::fill(shared_outcomes_.fuel, u64{1});
  scorer_.begin(suite, program.arguments, limits);
  scorer_.add(program.code, program.source, 0, suite.count, outcomes, out);
  note_ticks(scorer_.ticks(), suite.count);
  scorer_.finish(out);
  out.row.slow = false;
  return true;
}

void CaseRunner::run_slices(const Program& program, const Suite& suite, const ScoreLimits& limits,
                            const CaseBudget& budget, const std::stop_token& stop,
                            CandidateResult& out) {
  budget_ = budget;
  wasted_ = 0;
  is_slow_ = is_faulty_ = false;
  scorer_.begin(suite, program.arguments, limits);
  if (budget.slow_case != kNone && is_slow_case_too_long(program, suite, stop, out)) return;
  if (options_.machines.machine == MachineKind::Batch)
    machine_.expect(program.code, program.entry, suite.count, &stop);
  Known known;
  u32 begin = 0;
  for (u32 rows = 0; begin < suite.count && !scorer_.has_ended(); begin += rows) {
    const SliceSize size = next_size(suite, budget, begin);
    rows = size.rows;
    const u64 ticks_before = scorer_.ticks();
    cheaper_.start();
    const Slice slice{program, suite, stop,
                      begin,   rows,  run_cases(program, suite, begin, rows, size.ticks, stop)};
    tested_.assign(rows, size.ticks);
    has_run_long_ = false;
    known = stop.stop_requested() ? Known{0, Ending::Stopped} : complete(slice);
    if (known.ending == Ending::Stopped) return;
    if (known.ending == Ending::Exceeded) return leave(slice, known.rows, out);
    cheaper_.stop();
    CandidateScorer::FindPlace find;
    if (cheaper_.code() != nullptr) find = [&](u32 row) { find_place(slice, row); };
    scorer_.add(program.code, program.source, begin, known.rows, slice.outcomes, out, find);
    if (find && (is_faulty_ || stop.stop_requested())) return;
    cheaper_.count(known.rows, scorer_.ticks() - ticks_before, machine_.is_native());
    if (known.ending == Ending::Settled) break;
    // What moves to native code has found its way.
    if (!machine_.is_moving()) cheaper_.look(suite.count - begin - rows, stop);
    machine_.use_on_vm(cheaper_.code());
  }
  if (!budget.was_set_aside) note_ticks(scorer_.ticks(), begin == 0 ? known.rows : begin);
  scorer_.finish(out);
  out.row.slow = is_slow_;
}

bool CaseRunner::is_slow_case_too_long(const Program& program, const Suite& suite,
                                       const std::stop_token& stop, CandidateResult& out) {
  const u64 ticks = ticks_left();
  if (ticks >= options_.limits.fuel) return false;
  const u32 row = budget_.slow_case % kLanes, begin = budget_.slow_case - row;
  const u32 rows = std::min(kLanes, suite.count - begin);
  const Slice slice{program, suite, stop,
                    begin,   rows,  outcomes_.view(rows, suite.result_types.size())};
  tested_.assign(rows, 0);
  picked_.assign(1, row);
  run_picked(slice, ticks);
  if (stop.stop_requested()) return true;
  if (slice.outcomes.traps[row] != Trap::Fuel) return false;
  leave(slice, row, out);
  return true;
}

// The tick of the function that takes slices does not count for the entry.
u64 CaseRunner::ticks_of(const Slice& slice, u32 row) const {
  const u64 ticks = slice.outcomes.fuel[row];
  return ticks - (slice.program.arguments.has_slices && ticks != 0 ? 1 : 0);
}

u32 CaseRunner::next_slow(const Slice& slice, u32 from) const {
  const std::span<const Trap> traps = slice.outcomes.traps;
  // Few slices have a slow case, so most end here.
  if (has_run_long_ ||
      std::memchr(traps.data() + from, static_cast<int>(Trap::Fuel), slice.rows - from) != nullptr)
    while (from < slice.rows && traps[from] != Trap::Fuel && ticks_of(slice, from) <= budget_.slow)
      ++from;
  else
    from = slice.rows;
  return from;
}

CaseRunner::Known CaseRunner::complete(const Slice& slice) {
  u32 group = 1;  // that run on together
  for (u32 row = 0; (row = next_slow(slice, row)) != slice.rows;) {
    const Trap& trap = slice.outcomes.traps[row];
    const bool is_settled = scorer_.is_settled(row, slice.outcomes);
    const bool was_slow = trap != Trap::Fuel || tested_[row] >= budget_.slow;
    // A score that is lost is not worth a slow case.
    if (is_settled && (was_slow || scorer_.ends_at_failure())) return {row, Ending::Settled};
    const u64 most = ticks_left(), ticks = is_settled ? std::min(most, budget_.slow) : most;
    if (trap == Trap::Fuel && tested_[row] < ticks) {
      run_again(slice, row, group, ticks);
      if (slice.stop.stop_requested()) return {0, Ending::Stopped};
      if (trap != Trap::Fuel && ticks_of(slice, row) <= budget_.slow) {
        run_again(slice, row, slice.rows, std::min(most, 4 * ticks_of(slice, row)));
        if (slice.stop.stop_requested()) return {0, Ending::Stopped};
      }
      if (trap == Trap::Fuel || ticks_of(slice, row) > budget_.slow) continue;  // it is slow
      ++row;
      continue;
    }
    if (trap == Trap::Fuel ? most < options_.limits.fuel : most < ticks_of(slice, row))
      return {row, Ending::Exceeded};
    is_slow_ = true;
    group = std::min(2 * group, kLanes);
    if (trap == Trap::Fuel) {
      wasted_ += options_.limits.fuel;
      if (scorer_.settles() && slice.suite.expected_traps[slice.begin + row] != Trap::Fuel)
        return {row + 1, Ending::Settled};
    }
    ++row;
  }
  return {slice.rows, Ending::None};
}

void CaseRunner::run_again(const Slice& slice, u32 from, u32 most, u64 ticks) {
  for (u32 row = from; row < slice.rows && most != 0 && !slice.stop.stop_requested();) {
    // Few cases are run one after the other: each alone is faster than in company.
    const u32 lanes = most < kCompany ? 1 : kLanes;
    picked_.clear();
    for (; row < slice.rows && most != 0 && picked_.size() < lanes; ++row) {
      if (slice.outcomes.traps[row] != Trap::Fuel || tested_[row] >= ticks) continue;
      picked_.push_back(row);
      --most;
    }
    if (!picked_.empty()) run_picked(slice, ticks);
  }
}

OutcomesView CaseRunner::run_picked_on(TieredMachine& machine, const Slice& slice, u64 ticks) {
  const auto count = static_cast<u32>(picked_.size());
  picked_columns_ = {};
  const CaseArguments& taken = slice.program.arguments;
  const CasesView all = taken.view(slice.begin, slice.rows, picked_columns_);
  if (cells_.size() < all.columns.size()) cells_.resize(all.columns.size());
  for (size_t slot = 0; slot < all.columns.size(); ++slot) {
    const size_t bytes = scalar_bytes(all.columns[slot].type);
    const char* const from = static_cast<const char*>(all.columns[slot].data);
    char* const to = reinterpret_cast<char*>(&cells_[slot]);
    for (u32 k = 0; k < count; ++k) std::memcpy(to + k * bytes, from + picked_[k] * bytes, bytes);
    picked_columns_[slot].data = to;
  }
  const size_t cells = slice.suite.result_types.size();
  const OutcomesView own = of_picked_.view(count, cells);
  run_job(machine,
          {slice.program.code,
           slice.program.entry,
           {picked_columns_, count},
           job_fuel(taken, ticks),
           &slice.stop},
          slice.suite.count - slice.begin, own);
  return own;
}

void CaseRunner::run_picked(const Slice& slice, u64 ticks) {
  const OutcomesView own = run_picked_on(machine_, slice, ticks);
  const auto count = static_cast<u32>(picked_.size());
  const size_t cells = slice.suite.result_types.size();
  has_run_long_ = has_run_long_ || ticks > budget_.slow;
  const OutcomesView& out = slice.outcomes;
  for (u32 k = 0; k < count; ++k) {
    const u32 row = picked_[k];
    for (size_t cell = 0; cell < cells; ++cell)
      out.values[cell * slice.rows + row] = own.values[cell * count + k];
    out.traps[row] = own.traps[k];
    out.places[row] = own.places[k];
    out.depths[row] = own.depths[k];
    out.fuel[row] = own.fuel[k];
    tested_[row] = ticks;
  }
}

void CaseRunner::find_place(const Slice& slice, u32 row) {
  picked_.assign(1, row);
  const CodeView& code = slice.program.code;
  exact_.begin();
  const OutcomesView own = run_picked_on(exact_, slice, tested_[row]);
  exact_.begin();
  const OutcomesView& out = slice.outcomes;
  out.places[row] = out.depths[row] = 0;
  if (slice.stop.stop_requested()) return;  // and nothing of the candidate counts
  if (slice.program.arguments.has_slices)
    hide_slice_entry(code, static_cast<u32>(code.functions.size()) - 1, own);
  is_faulty_ = own.traps[0] != out.traps[row] || own.fuel[0] != out.fuel[row];
  out.places[row] = own.places[0];
  out.depths[row] = own.depths[0];
}

void CaseRunner::leave(const Slice& slice, u32 row, CandidateResult& out) {
  const u32 case_index = slice.begin + row;
  // Other rules hold for a settled score, and the ticks wasted by earlier cases are not available to this one.
  const bool is_known = budget_.slow_case == case_index;
  if (is_known || (!is_slow_ && wasted_ == 0 && !scorer_.is_settled(row, slice.outcomes)))
    out.slow_case = case_index;
  out.has_failure = false;
  out.row.status = Status::Unscored;
  out.row.slow = true;
  out.row.cases_run = case_index;
  DiagnosticText& why = out.diagnostics.emplace_back();
  why.code = kBudgetCode;
  const std::string ticks = counted(ticks_left(), "tick");
  const u64 line = slice.suite.lines[case_index];
  why.message = (line == 0 ? "case " + grouped(case_index) : "the case on line " + grouped(line)) +
                " took more than " + ticks +
                (wasted_ == 0 ? ", all that" : ", what was left of what") +
                " cases without an end may take of this candidate; `" +
                std::string(options_.limits.states_budget) + "` says how many";
  out.done = budget_.is_final;
  out.set_aside = !budget_.is_final;
}

}  // namespace komuz::engine

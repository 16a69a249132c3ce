// SPDX-License-Identifier: Apache-2.0
// What an evaluation (run/evaluate.h) is to do, and whom it tells: options, sinks of results and of progress.
#pragma once
#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/candidates/candidates.h"
#include "engine/candidates/shard.h"
#include "engine/results/results.h"
#include "frontend_gpu/frontend.h"
#include "lang/library.h"

namespace komuz::frontend {
class BatchCompiler;
class Compiler;
}  // namespace komuz::frontend
namespace komuz::vm {
class WarpDevice;
}

namespace komuz::engine {

// All machines give the same bytes.
enum class MachineKind : u8 { Batch, Reference };

// What each case brought to a score, for a sink or for the report, too.
enum class CaseScores : u8 { None, ForSink, Kept };

// What compiling a candidate may take: no program that somebody means comes near. A quarter of what the language takes, and
// about a second of work.
inline constexpr frontend::CompileBudget kDefaultCompileBudget = {4u << 20, 1u << 30};

class CheaperCode;
class ModuleLoader;
class NativeTier;
class ResultLog;
struct SketchProgram;

// Edits a text that has errors. Several threads ask it at once, each with a compiler of its own. Where a stop cuts
// it short, what it gives does not matter.
using FixSource =
    std::function<FixedSource(frontend::Compiler&, std::string_view, const std::stop_token&)>;

// How messages speak of what is run: as the entry of a candidate, or as a line of a session, which has no name.
enum class RunWord : u8 { Entry, Line };

// Which programs are run, and as what.
struct ProgramOptions {
  std::string entry;                   // a function's name; empty: the only `pub fn`
  std::optional<Signature> signature;  // which candidates are run; none: evaluate.h says which
  // A type code: candidates that give it are run, whatever their parameters are; empty: as above. Not with a signature.
  std::string result_type;
  // What `use` items of candidates may name. Null: nothing.
  ModuleLoader* modules = nullptr;
  // A module of these that is a harness: candidates define what it leaves open, and `entry` is a function of it, whose
  // signature may be stated. kNoModule: candidates are whole.
  u32 harness = kNoModule;
  // Candidates with errors are compiled as what it makes of them; empty: they stay as they are. The modules that it may
  // name have been loaded. Variants of a sketch stay as they are in any case.
  FixSource fix;
  // Candidates are variants of it. How they are run does not show in the results: places are those of its text,
  // sizes those of bound code where there is any. Null: they are programs, and the next two say nothing.
  const SketchProgram* sketch = nullptr;
  std::vector<AppliedFix> sketch_fixes;  // edits that were made in its text before
  bool expands_variants = false;         // each is compiled from its text, though it could be bound
  // The part of the candidates that is evaluated. Of the others it is only learnt whether they give the signature.
  Shard shard;
  RunWord word = RunWord::Entry;
};

// What a candidate may take.
struct LimitOptions {
  u64 fuel = kDefaultFuel;  // ticks of a case
  // Ticks that cases of a candidate may take together that come to no end; none: what its block has (block_budget.h), which
  // waits for the block's last candidate where there is a slow one.
  std::optional<u64> candidate_budget;
  std::string_view states_budget = "--candidate-budget N";  // how its user states it, for messages
  u32 stack_limit = kDefaultStackLimit;                     // bytes a lane
  frontend::CompileBudget compile_budget = kDefaultCompileBudget;
};

// How candidates are scored, and which of them are ranked.
struct RankingOptions {
  ScoreKind score = ScoreKind::Exact;
  f64 tolerance = 0;
  // What tolerances and errors are measured by, as stated_measure() of the score says; none: it follows from the cases
  // (score_scale.h). Of no meaning for other scores.
  std::optional<f64> measure;
  // A candidate ends at its first failing case. Only an exact score does so; others take every case.
  bool ends_at_failure = false;
  // Candidates are stopped that cannot get among so many of the best programs any more, of those of finished
  // epochs: so the size of an epoch shows in the results, and is `epoch` with a device, too. 0: none; not with
  // value scores.
  u32 cut_off = 0;
  // Cases that candidates are not ranked by: of a complete run the best are run on them, too. They have to fit their signature as the
  // others have. Null: there are none.
  const CasesTable* held_out = nullptr;
  // The programs that more is found out of at the end of a complete run (engine/run/shown_programs.h): so many of the best, at least one,
  // or of each of the best behaviours the best program; and those on the Pareto front.
  u64 shown_best = 1;
  bool shown_each_behaviour = false, shown_front = false;
  // So many of the best programs are all that the results have rows of; all candidates are counted
  // (Results::summary). 0: all have a row, are ranked, and the Pareto front is marked.
  u64 best_rows = 0;
  // Of programs that did the same on every case only the best one is among these. Ranks count behaviours then. Not without `best_rows`.
  bool best_of_each_behaviour = false;
  // The results have all rows, but only `best_rows` of the best programs are ranked, in `Results::head`: rank_all()
  // does the rest for who asks. What there is can be shown at once, however many rows there are. Not without `best_rows`.
  bool ranks_later = false;
};

// What programs are compiled and run on. But for `cut_off` none of it shows in the results.
struct MachineOptions {
  u32 threads = 0;            // 0: one for each processor
  u32 epoch = 1024;           // candidates
  u32 device_epoch = 16'384;  // candidates, where there is a device: it takes many at a time
  // Compiles what it can of an epoch in one batch (device.h); null: the workers compile. Of variants that are bound there is
  // nothing to compile.
  frontend::BatchCompiler* compiler = nullptr;
  MachineKind machine = MachineKind::Batch;
  vm::WarpDevice* device = nullptr;  // runs what it can (device.h); null: the machine above alone
  // Devices beside that one. Each has what that one has, a compiler, a machine or both. Epochs are dealt out to all of
  // them (engine/run/device_team.h); what a device ranks by itself is the first one's. A problem of one begins with its
  // name.
  struct OtherDevice {
    frontend::BatchCompiler* compiler;
    vm::WarpDevice* device;
    std::string name;
  };
  std::vector<OtherDevice> more_devices;
  std::string device_name;  // of the first

  // The candidates of an epoch of all devices.
  [[nodiscard]] u32 devices_epoch() const {
    constexpr u64 kMost = 1u << 30;
    return static_cast<u32>(std::min<u64>(device_epoch * (u64{1} + more_devices.size()), kMost));
  }
  // Makes native code of what runs long on the batch machine (native_tier.h); null: nobody does.
  NativeTier* native = nullptr;
  // Finds cheaper code for what runs long on the machine above (cheaper_code.h); null: nobody does.
  CheaperCode* cheaper = nullptr;
};

// What is kept of results, and for whom.
struct DetailOptions {
  u32 diagnostics_per_candidate = 8;
  CaseScores case_scores = CaseScores::None;
  // With a score that has worst cases: so many of them are told, of so many of the best programs.
  u32 worst_cases = 0;
  u64 worst_rows = 1;
  // Failures and diagnostics stay in the results. Without it they are there only while the sink looks at their row,
  // which bounds the memory of a long stream.
  bool keep_details = true;
  // The sink looks at the rows of duplicates as a whole, so that those of all programs stay until the end.
  bool sink_needs_rows = false;
  // Takes rows of an earlier run in place of evaluating them, and is told of all others; null: there is none. An
  // error of it ends the run, with what there is until then as the result.
  ResultLog* log = nullptr;
  // Held while rows are added: who holds it may look at them while the run goes on. Null: nobody does.
  std::mutex* rows_mutex = nullptr;
  // So many of the best variants of a sketch have their texts at the end of the log.
  u64 programs = 10;
  // Where memory nears its end, all rows go but so many of the best programs, where there is a log that has them: it goes on as if
  // `best_rows` had been that (Results::has_dropped_rows). 0: they stay.
  u64 rows_without_memory = 0;
  // Whoever evaluates ends right after a stop: then nothing of what the run took is given back before the results are shown, as that
  // takes long of a generation of a million (Results::rest).
  bool keeps_rest = false;
};

struct EvaluateOptions {
  ProgramOptions programs;
  LimitOptions limits;
  RankingOptions ranking;
  MachineOptions machines;
  DetailOptions details;
};
// Which of them do not go together; none: all do. evaluate() asks it before anything is done.
[[nodiscard]] Problem check(const EvaluateOptions& options);

// Told of each row, in input order, from the thread that called evaluate(). The row has no rank yet, and where only
// the best are wanted it is the only one that the results have.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void on_result(const Results& results, u32 row) = 0;
  // Where the results have rows of the best programs alone, are these all that it needs to be told of? It may be told of others,
  // too.
  [[nodiscard]] virtual bool needs_best_alone() const { return false; }
};

// Told how far it has come, now and then, from the thread that called evaluate().
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void on_progress(u64 done, std::optional<u64> total) = 0;
};

}  // namespace komuz::engine

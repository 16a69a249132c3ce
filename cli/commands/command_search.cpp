// SPDX-License-Identifier: Apache-2.0
// komuz search: finds good variants of a sketch in some generations.
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/evaluation/evaluation_request.h"
#include "cli/programs/native_run.h"
#include "cli/programs/tier_run.h"
#include "engine/search/search.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kCasesOption,
    kHeldOutOption,
    kSplitOption,
    kSplitSeedOption,
    {"harness", "FILE", "a program that scores candidates: the sketch defines its open functions",
     files("komuz")},
    kMaximizeOption,
    kMinimizeOption,
    {"method", "NAME", "evolve (default), lexicase, local or random", one_of(engine::kSearchNames)},
    {"propose", "NAME",
     "who says which ways are likely: plain (default, all alike) or neural, a network that reads "
     "the cases",
     one_of(kProposerNames)},
    {"start", "FILE",
     "begin with these programs where the sketch holds them: .komuz, or JSONL with `id` and "
     "`source`; repeat it",
     files("komuz jsonl")},
    {"population", "N", "variants in a generation (default 500)"},
    {"generations", "N", "how many; default 100, with --time as many as the time allows"},
    {"time", "SECONDS",
     "end after this time, even within a generation, and say how far the search came"},
    {"target", "SCORE", "end with the generation that finds a score as good as this"},
    {"seed", "N", "seed of the random numbers (default 0)"},
    kScoreOption,
    kToleranceOption,
    kFloorOption,
    kDeltaOption,
    kQuantileOption,
    kEntryOption,
    {"signature", "TEXT", "of the entry, such as 'fn(x: f64) -> f64'"},
    {"expand", "", "compile each variant from its text, even if its code could be bound"},
    kTopOption,
    kDistinctOption,
    kParetoOption,
    kBestOption,
    kUnprotectOption,
    kReportOption,
    kProgramsOption,
    kCaseScoresOption,
    kWorstOption,
    kPlotOption,
    kLogOption,
    kResumeOption,
    kWaitOption,
    kThreadsOption,
    kDeviceOption,
    kNativeOption,
    kTierOption,
    kRankingStatsOption,
    kFuelOption,
    kBudgetOption,
    kInputOption,
    kOutputOption,
    kSeparatorOption,
    kDecimalOption,
    kSkipMissingOption,
    kWeightsOption,
    kProgressOption,
    kMemoryOption,
};

Exit run(Args& args, Terminal& terminal) {
  return run_evaluation(EvaluationKind::Search, args, terminal);
}

}  // namespace

constinit const Command kSearchCommand = {
    .name = "search",
    .summary = "search for good variants of a sketch",
    .usage =
        "  komuz search SKETCH --cases FILE [OPTIONS]\n"
        "  komuz search SKETCH --harness FILE [--cases FILE] [OPTIONS]\n"
        "SKETCH is a program with holes (`komuz sketch` shows them). The search evaluates one\n"
        "generation of variants after another, as `komuz eval` does, and ranks all of them. For a\n"
        "given seed it finds the same with any number of threads and on any device.\n",
    .examples =
        "  komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv \\\n"
        "      --score squared --generations 15 --population 40\n"
        "  komuz search sketch.komuz --cases cases.csv --score squared --method local --time 10\n"
        "  komuz search sketch.komuz --cases cases.csv --score r2 --target 0.999 --generations "
        "1000\n",
    .arguments = {files("komuz"), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
// komuz search: finds good variants of a sketch in some generations.
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "engine/search/search.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kCasesOption,
    kHeldOutOption,
    {"harness", "FILE", "a program that scores candidates: the sketch defines its open functions",
     files("komuz")},
    kMaximizeOption,
    kMinimizeOption,
    {"method", "NAME", "evolve (default), lexicase, local or random", one_of(engine::kSearchNames)},
    {"population", "N", "variants of a generation (default 500)"},
    {"generations", "N", "default 100, with --time as many as there is time for"},
    {"time", "SECONDS", "end then, in the midst of a generation, too; how far it came is said"},
    {"target", "SCORE", "end with the generation that finds a score as good as this"},
    {"seed", "N", "where chance starts from (default 0)"},
    kScoreOption,
    kToleranceOption,
    kFloorOption,
    kEntryOption,
    {"signature", "TEXT", "of the entry, as 'fn(x: f64) -> f64'"},
    {"expand", "", "compile variants from their texts, though the sketch's code could be bound"},
    kTopOption,
    kDistinctOption,
    kParetoOption,
    kBestOption,
    kReportOption,
    kCaseScoresOption,
    kPlotOption,
    kLogOption,
    kResumeOption,
    kWaitOption,
    kThreadsOption,
    kDeviceOption,
    kFuelOption,
    kBudgetOption,
    kInputOption,
    kOutputOption,
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
        "SKETCH is a program with holes (`komuz sketch` shows them). A generation after the other\n"
        "is evaluated as `komuz eval` does; the ranking is of all variants that were looked at.\n"
        "For a seed the same is found with any number of threads and on any device.\n",
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

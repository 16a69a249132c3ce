// SPDX-License-Identifier: Apache-2.0
// komuz eval: candidates and cases in, a ranking out.
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/programs/authors.h"
#include "cli/programs/native_run.h"
#include "cli/programs/tier_run.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kCasesOption,
    kHeldOutOption,
    kSplitOption,
    kSplitSeedOption,
    {"harness", "FILE", "a program that scores candidates: they define its open functions",
     files("komuz")},
    kMaximizeOption,
    kMinimizeOption,
    kEntryOption,
    {"signature", "TEXT",
     "of the entry, 'fn(x: f64) -> f64' or 'fn(...) -> f64'; default: the first that fits the "
     "cases"},
    kScoreOption,
    kToleranceOption,
    kFloorOption,
    kDeltaOption,
    kQuantileOption,
    {"first-failure", "", "exact: a candidate ends at its first failing case"},
    {"cut-off", "", "stop candidates that can no longer reach the top N"},
    {"samples", "N", "for a sketch: draw N of its variants, without repetition; default: take all"},
    {"seed", "N", "for --samples: which variants are drawn (default 0)"},
    {"expand", "",
     "for a sketch: compile each variant from its text, even if its code could be bound"},
    {"fix", "", "edit candidates that have errors, as `komuz fix` does, and compile the result"},
    kTopOption,
    kDistinctOption,
    kParetoOption,
    {"best", "OUT",
     "write the best program, a variant simplified; `-` is standard output, below the table; "
     "OUT.kbc: the bytecode that --optimise makes of it; OUT.py, OUT.c and so on: in that language",
     files("komuz kbc py c cu jl rs js sql tex mathml")},
    kUnprotectOption,
    {"optimise", "N",
     "look for cheaper code of the best N programs, as `komuz optimise` does, and say what got "
     "cheaper"},
    {"by", "AUTHOR",
     "for --optimise: who proposes code besides the rules: teacher (default), model, all, or "
     "rules (nobody else)",
     one_of(kAuthorChoices)},
    kReportOption,
    kProgramsOption,
    kCaseScoresOption,
    kWorstOption,
    kPlotOption,
    kLogOption,
    kResumeOption,
    kWaitOption,
    {"shard", "I/N", "the I-th of N parts of the candidates; `komuz merge` joins their logs"},
    kThreadsOption,
    kDeviceOption,
    kNativeOption,
    kTierOption,
    kRankingStatsOption,
    kFuelOption,
    kBudgetOption,
    {"compile-budget", "B[,W]",
     "what compiling a candidate may take: bytes of text, and steps of work"},
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
  return run_evaluation(EvaluationKind::Eval, args, terminal);
}

}  // namespace

constinit const Command kEvalCommand = {
    .name = "eval",
    .summary = "compile, run and rank many candidate programs on cases",
    .usage =
        "  komuz eval CANDIDATES… --cases FILE [OPTIONS]\n"
        "  komuz eval CANDIDATES… --harness FILE [--cases FILE] [OPTIONS]\n"
        "CANDIDATES are program files, folders (all *.komuz below them), a .jsonl with\n"
        "{\"id\": …, \"source\": …} on each line, or `-` for such lines on standard input.\n",
    .examples =
        "  komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
        "\\\n"
        "      --score squared --top 5\n"
        "  komuz eval examples/collatz --cases examples/collatz/cases.jsonl \\\n"
        "      --input input1 --output output1\n"
        "  komuz eval examples/braking/candidates --harness examples/braking/harness.komuz \\\n"
        "      --cases examples/braking/roads.csv --minimize\n"
        "  komuz eval a.komuz b.komuz --cases cases.csv --tolerance 1e-9 --json report.json\n"
        "  ./proposer | komuz eval - --cases cases.csv --json -    # a line out for each line in\n",
    .arguments = {files("komuz kbc kasm jsonl ndjson")},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

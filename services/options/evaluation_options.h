// SPDX-License-Identifier: Apache-2.0
// The options of evaluations: of `komuz eval` and `komuz search`, and of the same in Python (docs/python.md). Other commands
// that rank share some of them.
#pragma once
#include <span>
#include <string_view>

#include "engine/device.h"
#include "engine/native/native_tier.h"
#include "engine/results/results.h"
#include "engine/search/search.h"
#include "neural/tier/tier.h"
#include "services/options/args.h"
#include "services/options/authors.h"
#include "services/options/common_options.h"
#include "services/options/table_options.h"
#include "services/options/table_rows.h"

namespace komuz::services {

// Endings of files that hold cases, and results.
inline constexpr std::string_view kCasesEndings = "csv tsv jsonl ndjson gz", kLogEndings = "jsonl";

// The options of both commands.
inline constexpr OptionRow kCasesOption = {
    "cases", "FILE", "the cases, CSV or JSONL (needed without a harness)", files(kCasesEndings)};
inline constexpr OptionRow kHeldOutOption = {
    "held-out", "FILE",
    "more cases, which do not affect the ranking: the shown candidates run on them at the end",
    files(kCasesEndings)};
inline constexpr OptionRow kSplitOption = {
    "split", "SHARE", "hold out this share of the cases instead, such as 0.2, drawn at random"};
inline constexpr OptionRow kSplitSeedOption = {"split-seed", "N",
                                               "which cases --split draws (default 0)"};
inline constexpr OptionRow kMaximizeOption = {
    "maximize", "", "with a harness: the largest score is the best (default)"};
inline constexpr OptionRow kMinimizeOption = {"minimize", "",
                                              "with a harness: the smallest score is the best"};
// clang-format off
inline constexpr std::string_view kListedScores =
#define SCORE(Name, name, ...) ", " name
#include "engine/scores/score_kinds.def"
    " (default exact)";
// clang-format on
inline constexpr OptionRow kScoreOption = {
    "score", "KIND", kListedScores.substr(2),
    one_of(std::span(engine::kScoreNames).first(engine::kCaseScores))};
inline constexpr OptionRow kToleranceOption = {
    "tolerance", "T", "exact: |actual - expected| <= T * max(F, |actual|, |expected|); default 0"};
inline constexpr OptionRow kFloorOption = {
    "floor", "F",
    "for --tolerance and relative: numbers nearer to 0 count as F; default: from the cases"};
inline constexpr OptionRow kDeltaOption = {
    "delta", "D",
    "for huber and log-cosh: beyond this distance errors count as distances; default: from the "
    "cases"};
inline constexpr OptionRow kQuantileOption = {
    "quantile", "Q", "for quantile: the share of cases that are to lie below (default 0.5)"};
inline constexpr OptionRow kEntryOption = {
    "entry", "NAME", "the function to run; default: the only `pub fn`, in a harness `score`"};
inline constexpr OptionRow kReportOption = {
    "json", "OUT", "write the report as JSON; `-` is standard output, instead of the table",
    files("json jsonl")};
inline constexpr OptionRow kProgramsOption = {
    "programs", "N", "the report and the log have the texts of the best N programs (default 10)"};
inline constexpr OptionRow kCaseScoresOption = {
    "case-scores", "", "add to the report what each case contributed to each candidate's score"};
inline constexpr OptionRow kWorstOption = {
    "worst", "N", "with scores of errors: tell the N worst cases of the best (default 3), 0: none"};
inline constexpr OptionRow kPlotOption = {
    "plot", "OUT.svg", "draw score against size, the best score so far, actual against expected",
    files("svg")};
inline constexpr OptionRow kBestOption = {
    "best", "OUT",
    "write the best program, simplified; `-` is standard output, below the table; OUT.py, OUT.c "
    "and so on: in that language",
    files("komuz py c cu jl rs js sql tex mathml")};
inline constexpr OptionRow kUnprotectOption = {
    "unprotect", "",
    "the best program: write `/`, log and sqrt for div0, log0 and sqrt0 where no case needs these"};
inline constexpr OptionRow kLogOption = {
    "log", "FILE",
    "write each result to this new file as it comes, so that `--resume` can continue",
    files(kLogEndings)};
inline constexpr OptionRow kResumeOption = {
    "resume", "FILE",
    "continue where this log ends, with the same command; start the log if there is none",
    files(kLogEndings)};
inline constexpr OptionRow kWaitOption = {
    "wait", "TIME", "if another run writes the log, wait for it this long, such as 60s, 10m"};
inline constexpr OptionRow kThreadsOption = {
    "threads", "N", "default: one for each processor that the process may use"};
inline constexpr OptionRow kDeviceOption = {
    "device", "NAME",
    "auto (default: a GPU if there is one), cpu, cuda, or GPUs by their numbers, such as cuda:0,1",
    one_of(engine::kDeviceNames)};
// Its value, or that of KOMUZ_DEVICE.
[[nodiscard]] Result<engine::DeviceChoice> device_choice(const Args& args);
inline constexpr OptionRow kFuelOption = {"fuel", "N",
                                          "ticks that a case may use (default 1000000)"};
inline constexpr OptionRow kBudgetOption = {
    "candidate-budget", "N",
    "ticks that the endless cases of a candidate may take together (default: by its block)"};
inline constexpr OptionRow kInputOption = {
    "input", "FIELD[=NAME]",
    "a field that parameters take, by name, else in order, and its name in programs; repeat the "
    "option for each field"};
inline constexpr OptionRow kOutputOption = {"output", "FIELD",
                                            "the field of the expected value (default `expected`)"};

inline constexpr OptionRow kNativeOption = {
    "native", "WHEN",
    "machine code for what runs long: never, auto (default) or always; results are the same",
    one_of(engine::kNativeNames)};
inline constexpr OptionRow kTierOption = {
    "tier", "NAME",
    "cheaper code, proved equal: traditional (never), neural (all programs) or hybrid (default: "
    "where it pays)",
    one_of(neural::kTierNames)};
inline constexpr OptionRow kRankingStatsOption = {
    "stats", "",
    "say at the end which programs ran as cheaper code and which as machine code, and what that "
    "took and gained"};
// Who says how often a search draws each way of a decision. Plain: all ways alike.
enum class Proposer : u8 { Plain, Neural };
// The names that users type.
inline constexpr std::string_view kProposerNames[] = {"plain", "neural"};

inline constexpr OptionRow kEvalOptions[] = {
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

inline constexpr OptionRow kSearchOptions[] = {
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

// Check: as Eval, but it ends before the first candidate would be read, with all that can be said by then.
enum class EvaluationKind : u8 { Eval, Search, Check };
[[nodiscard]] constexpr std::span<const OptionRow> evaluation_options(EvaluationKind kind) {
  if (kind == EvaluationKind::Search) return kSearchOptions;
  return kEvalOptions;
}

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// The common part of `komuz eval` and `komuz search`: candidates and cases in, a ranking out.
#pragma once
#include "cli/evaluation/table_rows.h"
#include "cli/process/args.h"
#include "cli/programs/table_options.h"
#include "cli/terminal/terminal.h"
#include "engine/device.h"
#include "engine/results/results.h"

namespace komuz::cli {

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
inline constexpr OptionRow kDeviceOption = {"device", "NAME",
                                            "auto (default: a GPU if there is one), cpu or cuda",
                                            one_of(engine::kDeviceNames)};
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

// Check: as Eval, but it ends before the first candidate would be read, with all that can be said by then.
enum class EvaluationKind : u8 { Eval, Search, Check };
[[nodiscard]] Exit run_evaluation(EvaluationKind kind, Args& args, Terminal& terminal);

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
#include "services/options/evaluation_request.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <span>

#include "base/counts.h"
#include "engine/candidates/harness_names.h"
#include "engine/candidates/load_modules.h"
#include "engine/cases/signature.h"
#include "engine/results/worst_cases.h"
#include "engine/run/block_budget.h"
#include "services/apply_edits.h"
#include "services/options/environment.h"

namespace komuz::services {
namespace {

// Names of scores in other tools: their means rank like our sums.
struct OtherName {
  std::string_view name, score;
};
constexpr OtherName kOtherNames[] = {
    {"mse", "squared"},       {"sse", "squared"},
    {"rmse", "squared"},      {"l2", "squared"},
    {"mae", "absolute"},      {"sae", "absolute"},
    {"l1", "absolute"},       {"mape", "relative"},
    {"accuracy", "exact"},    {"pinball", "quantile"},
    {"logcosh", "log-cosh"},  {"log_cosh", "log-cosh"},
    {"log-loss", "logistic"}, {"log_loss", "logistic"},
    {"logloss", "logistic"},  {"cross-entropy", "logistic"},
    {"bce", "logistic"},
};
std::string other_name_error(std::string_view word) {
  for (const OtherName& other : kOtherNames)
    if (other.name == word)
      return "`--score` has no `" + std::string(word) + "`; `" + std::string(other.score) +
             "` ranks the same way";
  return {};
}

engine::FixedSource fix_candidate(frontend::Compiler& compiler, std::string_view source,
                                  const std::stop_token& stop) {
  Fixed fixed = fix_source(compiler, source, FixKind::All, stop);
  engine::FixedSource out{std::move(fixed.text), {}};
  for (AppliedFix& fix : fixed.fixes)
    out.fixes.push_back({diagnostic_row(fix.code).code, fix.line, std::move(fix.message)});
  return out;
}

void read_search(Args& args, EvaluationRequest& request) {
  engine::SearchOptions& search = request.search.emplace();
  search.kind = static_cast<engine::SearchKind>(args.choice("method"));
  search.seed = args.number("seed", 0, 0, ~u64{0});
  search.population = static_cast<u32>(args.number("population", 500, 2, 1'000'000));
  if (args.value("time")) search.generations.reset();
  if (args.value("generations"))
    search.generations = args.number("generations", 0, 1, u64{1} << 32);
  // Rounded up, so that the least time is not taken for no limit. More than the most counts as no limit.
  constexpr f64 kMostSeconds = 1e9;
  search.time = std::chrono::milliseconds(
      static_cast<i64>(std::ceil(std::min(args.amount("time", 0), kMostSeconds) * 1000)));
  search.target = args.real("target");
  request.proposer = static_cast<Proposer>(args.choice("propose"));
  for (const std::string_view path : args.values("start")) request.start_paths.emplace_back(path);
  request.options.machines.epoch = request.options.machines.device_epoch = search.population;
}

// So many programs take hours at the most.
constexpr u64 kMostOptimised = 100'000;

// The report takes them in one piece.
constexpr u64 kMostPrograms = 1'000'000;

// "65536,10000000", or the bytes alone.
Problem read_compile_budget(const Args& args, frontend::CompileBudget& budget) {
  const auto text = args.value("compile-budget");
  if (!text) return {};
  constexpr u64 kMostBytes = 16u << 20, kMostWork = ~u32{0};
  const size_t comma = std::min(text->find(','), text->size());
  const auto read = [](std::string_view word, u64 most, u64& out) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
    return error == std::errc{} && end == word.data() + word.size() && out != 0 && out <= most;
  };
  const bool has_work = comma != text->size();
  if (read(text->substr(0, comma), kMostBytes, budget.bytes) &&
      (!has_work || read(text->substr(comma + 1), kMostWork, budget.work)))
    return {};
  return input_problem("`--compile-budget` takes bytes of text, at most " + grouped(kMostBytes) +
                       ", and behind a comma, if these are to be others, steps of work, at most " +
                       grouped(kMostWork) + ", such as `65536,10000000`, not `" +
                       std::string(*text) + "`");
}

// Options of the numbers that scores measure by.
struct MeasureOption {
  std::string_view name;
  engine::ScoreMeasure measure;
  std::string_view what;  // is said where the score has no such measure
};
constexpr MeasureOption kMeasureOptions[] = {
    {"floor", engine::ScoreMeasure::Floor,
     "`--floor` is for tolerances and `--score relative`: other scores have no floor"},
    {"delta", engine::ScoreMeasure::Delta,
     "`--delta` is for `--score huber` and `--score log-cosh`: other scores have no delta"},
    {"quantile", engine::ScoreMeasure::Quantile,
     "`--quantile` says which quantile `--score quantile` is about: name that score"},
};
// Of the options that are given, the one of the score.
Problem read_measure(Args& args, engine::RankingOptions& ranking) {
  for (const MeasureOption& option : kMeasureOptions) {
    const std::optional<f64> number = args.real(option.name);
    if (!number) continue;
    if (const std::string_view fault = engine::measure_fault(option.measure, *number);
        !fault.empty())
      return input_problem("`--" + std::string(option.name) + "` takes " + std::string(fault) +
                           ", not `" + std::string(*args.value(option.name)) + "`");
    ranking.measure = number;
  }
  return {};
}

// The first pair of options that exclude each other.
Problem find_conflict(const Args& args, engine::ScoreKind score, bool is_search) {
  if (args.value("seed") && !args.value("samples") && !is_search)
    return input_problem(
        "`--seed` says which variants `--samples N` draws; without it all are taken");
  if (args.has("first-failure") && score != engine::ScoreKind::Exact && !args.value("harness"))
    return input_problem("`--first-failure` is for `--score exact`: other scores take every case");
  if (args.value("tolerance") && score != engine::ScoreKind::Exact && !args.value("harness"))
    return input_problem(
        "`--tolerance` is for `--score exact`: other scores measure how far a result is off");
  for (const MeasureOption& option : kMeasureOptions)
    if (args.value(option.name) && engine::stated_measure(score) != option.measure &&
        !args.value("harness"))
      return input_problem(std::string(option.what));
  if (args.value(kWeightsOption.name) && !engine::adds_errors(score) && !args.value("harness"))
    return input_problem("`--weights` is for scores that add up errors, such as `--score squared`");
  if (args.value("programs") && !args.value("json") && !args.value("log") && !args.value("resume"))
    return input_problem(
        "`--programs` is for the report and the log: add `--json OUT` or `--log FILE`");
  if (args.value("worst") && (args.value("harness") || !engine::has_worst_cases(score)))
    return input_problem("`--worst` is for scores that add up errors, such as `--score squared`");
  if (args.has("case-scores") && !args.value("json"))
    return input_problem("`--case-scores` is for the report: add `--json OUT`");
  if (args.has("case-scores") && (args.has("first-failure") || args.has("cut-off")))
    return input_problem(
        "`--case-scores` takes every case: neither `--first-failure` nor `--cut-off`");
  if (Problem conflict = find_table_conflict(args)) return conflict;
  if (!args.value("harness")) {
    if (args.has("maximize") || args.has("minimize"))
      return input_problem(
          "`--maximize` and `--minimize` are for a `--harness`, whose score they rank by");
    return {};
  }
  if (args.has("first-failure") || args.has("cut-off"))
    return input_problem(
        "`--first-failure` and `--cut-off` have no meaning with a harness: any score may follow");
  if (args.has("maximize") && args.has("minimize"))
    return input_problem("either `--maximize` or `--minimize`");
  for (const std::string_view name :
       {"score", "tolerance", "floor", "delta", "quantile", "weights", "signature", "output"})
    if (args.value(name))
      return input_problem("a harness scores by itself: `--" + std::string(name) +
                           "` has no meaning with it");
  return {};
}

// About `--optimise` and what goes with it.
Problem find_optimise_problem(const Args& args, const EvaluationRequest& request) {
  const bool is_asked = request.optimised != 0;
  if (request.search) return find_code_path_problem(args, "search");
  if (!is_asked && !args.value("by") && !is_code_path(request.best_path)) return {};
  if (!is_asked && args.value("by"))
    return input_problem(
        "`--by` says who looks for cheaper code of the best programs: add `--optimise N`");
  if (!is_asked)
    return input_problem(
        "`--best` writes bytecode of what `--optimise` makes of the best program: add `--optimise "
        "1`, or name a .komuz file, which gets its text");
  if (request.streams())
    return input_problem(
        "`--optimise` is about the best of all, and a stream is answered line by line; write the "
        "report to a file");
  if (args.value("shard"))
    return input_problem(
        "the best of a `--shard` are not the best of all: `komuz optimise` takes what `komuz merge "
        "--best OUT` writes");
  return {};
}

// About the cases that are held out.
Problem find_held_out_problem(const Args& args, const EvaluationRequest& request) {
  if (args.value("held-out") && !args.value("cases"))
    return input_problem("`--held-out` names more cases: those to rank by are `--cases FILE`");
  if (request.split && !(*request.split > 0 && *request.split < 1))
    return input_problem(
        "`--split` takes a share of the cases between 0 and 1, such as 0.2, not `" +
        std::string(*args.value("split")) + "`");
  if (request.split && !args.value("cases"))
    return input_problem("`--split` holds out some of the cases: name them by `--cases FILE`");
  if (request.split && args.value("held-out"))
    return input_problem(
        "`--split` holds out some of the cases, and `--held-out` names others: either of the two");
  if (args.value("split-seed") && !request.split)
    return input_problem("`--split-seed` says which cases `--split SHARE` draws: add it");
  const std::string option = request.split ? "`--split`" : "`--held-out`";
  if (request.streams() && request.holds_out())
    return input_problem(option +
                         " is about the best of all, and a stream is answered line by line; write "
                         "the report to a file");
  if (args.value("shard") && args.value("held-out"))
    return input_problem(
        "the best of a `--shard` is not the best of all: run what `komuz merge --best OUT` "
        "writes on the cases that are held out");
  if (args.value("shard") && request.split)
    return input_problem(
        "the best of a `--shard` is not the best of all: hold out cases in a file of their own, "
        "and "
        "run what `komuz merge --best OUT` writes on these");
  return {};
}

// About `--unprotect`, which is said of the best program.
Problem find_unprotect_problem(const Args& args, const EvaluationRequest& request) {
  if (!request.unprotects) return {};
  if (!request.harness_path.empty())
    return input_problem(
        "`--unprotect` asks the cases, whose columns the program takes, and a harness calls it "
        "with others: leave it out");
  if (args.value("shard"))
    return input_problem(
        "the best of a `--shard` is not the best of all: `komuz fill --unprotect CASES` takes what "
        "`komuz merge` has ranked");
  if (request.streams())
    return input_problem(
        "`--unprotect` is about the best of all, and a stream is answered line by line; write the "
        "report to a file");
  if (is_code_path(request.best_path))
    return input_problem("`--unprotect` writes text and no bytecode: name a .komuz file");
  return {};
}

// The first missing or unavailable thing.
Problem find_problem(const Args& args, EvaluationRequest& request) {
  if (args.has_rest) return input_problem("`--` has no meaning here");
  if (Problem wrong = read_compile_budget(args, request.options.limits.compile_budget))
    return wrong;
  if (Problem conflict =
          find_conflict(args, request.options.ranking.score, request.search.has_value()))
    return conflict;
  if (const auto text = args.value("signature")) {
    const std::string of_any = engine::without_parameters(*text);
    Result<engine::Signature> read = engine::read_signature(of_any.empty() ? *text : of_any);
    if (!of_any.empty() && !read.problem() && !read.value().names.empty())
      read = input_problem("`...` stands for all parameters");
    if (read.problem())
      return input_problem(
          "`--signature` is no signature: " + read.problem().message() +
          "; write it as in a program, such as `fn(x: f64, y: i64) -> f64`, or for any "
          "parameters `fn(...) -> f64`");
    if (of_any.empty())
      request.options.programs.signature = std::move(read.value());
    else
      request.options.programs.result_type = std::move(read.value().result_type);
  }
  for (const std::string_view name : {"cases", "held-out"})
    if (const size_t files = args.values(name).size(); files > 1)
      return input_problem("`--" + std::string(name) + "` names one file, and is given " +
                           std::to_string(files) + " times; write all cases into one");
  if (request.search && args.value("time") && request.search->time.count() == 0)
    return input_problem("`--time` takes a number of seconds above 0");
  if (request.streams() && (args.has("cut-off") || args.value("shard")))
    return input_problem(
        "`--cut-off` and `--shard` wait for more candidates than one, and a stream is answered "
        "line by line; write the report to a file");
  if (request.streams() && args.value("programs"))
    return input_problem(
        "`--programs` is about the best of all, and a stream is answered line by line; write the "
        "report to a file");
  if (request.proposer == Proposer::Neural && !request.harness_path.empty())
    return input_problem(
        "`--propose neural` reads the values that cases expect, and a harness scores by itself: "
        "search without it");
  if (Problem wrong = find_held_out_problem(args, request)) return wrong;
  if (Problem wrong = find_optimise_problem(args, request)) return wrong;
  if (Problem wrong = find_unprotect_problem(args, request)) return wrong;
  if (args.value("log") && args.value("resume"))
    return input_problem("`--resume` names the log: `--log` is not needed");
  if (args.value("wait") && !args.value("log") && !args.value("resume"))
    return input_problem("`--wait` is about a log: `--log FILE` or `--resume FILE`");
  if (const auto text = args.value("shard")) {
    const std::optional<engine::Shard> shard = engine::shard_from_text(*text);
    if (!shard)
      return input_problem("`--shard` takes which part of how many, such as `2/4`, not `" +
                           std::string(*text) + "`");
    if (args.has("cut-off"))
      return input_problem(
          "what `--cut-off` stops depends on all candidates: it is not for a `--shard`");
    request.options.programs.shard = *shard;
  }
  if (request.candidates.empty())
    return input_problem(request.search ? "name a sketch"
                                        : "no candidates: name files, folders, a .jsonl or `-`");
  if (request.cases_path.empty() && request.harness_path.empty())
    return input_problem("no cases: add `--cases FILE`");
  return {};
}

}  // namespace

Result<engine::DeviceChoice> device_choice(const Args& args) {
  if (const auto given = args.value(kDeviceOption.name))
    return engine::read_device_choice("--device", *given);
  const std::string_view usual = environment_value(kDeviceVariable);
  if (usual.empty()) return engine::DeviceChoice();
  return engine::read_device_choice(kDeviceVariable, usual);
}

Problem find_code_path_problem(const Args& args, std::string_view command) {
  if (!is_code_path(args.value("best").value_or(""))) return {};
  const std::string name(command);
  return input_problem("`komuz " + name + " --best` writes text and no bytecode: take `komuz " +
                       name +
                       " --best F.komuz`, and then `komuz optimise F.komuz -o OUT.kbc`, or `komuz "
                       "build F.komuz -o OUT.kbc`");
}

frontend::Options compile_options(const EvaluationRequest& request) {
  return {.stack_limit = request.options.limits.stack_limit,
          .library = &request.options.programs.modules->library(),
          .harness = request.options.programs.harness,
          .harness_entry = request.options.programs.entry};
}

Problem read_request(EvaluationKind kind, Args& args, EvaluationRequest& request) {
  if (kind == EvaluationKind::Search) read_search(args, request);
  if (std::string wrong = other_name_error(args.value("score").value_or("")); !wrong.empty())
    return input_problem(std::move(wrong));
  request.candidates = args.positional;
  request.cases_path = args.value("cases").value_or("");
  request.held_out_path = args.value("held-out").value_or("");
  request.split = args.real("split");
  request.split_seed = args.number("split-seed", 0, 0, ~u64{0});
  request.harness_path = args.value("harness").value_or("");
  for (const std::string_view field : args.values("input"))
    request.fields.inputs.emplace_back(field);
  if (Problem wrong = read_table_form(args, "cases", request.fields.form)) return wrong;
  if (kind == EvaluationKind::Search) request.fields.output_command = "komuz search --output";
  request.fields.output = args.value("output").value_or(request.fields.output);
  request.options.programs.entry = args.value("entry").value_or("");
  request.options.ranking.score = static_cast<engine::ScoreKind>(args.choice("score"));
  if (!request.harness_path.empty()) {
    request.options.ranking.score =
        args.has("minimize") ? engine::ScoreKind::Minimize : engine::ScoreKind::Maximize;
    if (request.options.programs.entry.empty())
      request.options.programs.entry = engine::kScoreFunction;
    request.fields.has_expectations = false;
  }
  request.options.ranking.tolerance = args.amount("tolerance", 0);
  if (Problem wrong = read_measure(args, request.options.ranking)) return wrong;
  request.options.machines.threads = static_cast<u32>(args.number("threads", 0, 1, 1024));
  request.options.limits.fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  if (args.value("candidate-budget"))
    request.options.limits.candidate_budget =
        args.number("candidate-budget", kDefaultFuel, 1, u64{1} << 62);
  request.top = args.number("top", 10, 1, u64{1} << 32);
  request.options.ranking.ends_at_failure = args.has("first-failure");
  if (args.has("cut-off"))
    request.options.ranking.cut_off = static_cast<u32>(std::min<size_t>(request.top, ~u32{0}));
  request.table_rows = read_table_rows(args);
  request.json_path = args.value("json").value_or("");
  request.from_stdin = args.positional.size() == 1 && args.positional[0] == "-";
  Result<engine::DeviceChoice> device = device_choice(args);
  if (device.problem()) return std::move(device).problem();
  request.device = std::move(device).value();
  if (args.value("samples")) request.variants.samples = args.number("samples", 0, 1, u64{1} << 32);
  request.options.programs.expands_variants = args.has("expand");
  request.variants.seed = args.number("seed", 0, 0, ~u64{0});
  if (args.has("fix")) request.options.programs.fix = fix_candidate;
  request.best_path = args.value("best").value_or("");
  request.unprotects = args.has(kUnprotectOption.name);
  request.plot_path = args.value("plot").value_or("");
  request.options.details.programs =
      args.number("programs", request.options.details.programs, 0, kMostPrograms);
  if (args.value("optimise")) request.optimised = args.number("optimise", 1, 1, kMostOptimised);
  request.only_checks = kind == EvaluationKind::Check;
  if (kind != EvaluationKind::Search) request.authors = static_cast<Authors>(args.choice("by"));
  request.resumes = args.value("resume").has_value();
  request.log_wait = args.duration(kWaitOption.name).value_or(request.log_wait);
  request.log_path = args.value(request.resumes ? "resume" : "log").value_or("");
  // A candidate that is answered at once cannot wait for others.
  if (request.streams() && !request.options.limits.candidate_budget)
    request.options.limits.candidate_budget = engine::budget_alone(request.options.limits.fuel);
  // With a log, details are read back from it.
  request.options.details.keep_details =
      !request.json_path.empty() && !request.streams() && request.log_path.empty();
  // The table shows only the best; ranks on the front, reports and charts need all candidates. A log ends with the
  // best of all programs, which a ranking of behaviours does not have.
  const bool shows_behaviours = request.table_rows == TableRows::Behaviours;
  if (request.json_path.empty() && request.plot_path.empty() &&
      request.table_rows != TableRows::ParetoFront &&
      !(shows_behaviours && !request.log_path.empty())) {
    request.options.ranking.best_rows = std::max<u64>(request.top, request.optimised);
    request.options.ranking.best_of_each_behaviour = shows_behaviours;
  }
  constexpr u64 kWorst = 3, kMostWorst = 1000;
  if (!request.streams())
    request.options.details.worst_cases =
        static_cast<u32>(args.number("worst", kWorst, 0, kMostWorst));
  if (args.value("worst")) request.options.details.worst_rows = request.top;
  request.options.ranking.shown_best = request.holds_out() || args.value("worst") ? request.top : 1;
  request.options.ranking.shown_each_behaviour = shows_behaviours;
  request.options.ranking.shown_front =
      !request.json_path.empty() || request.table_rows == TableRows::ParetoFront;
  // A report and charts can be made from the log later.
  if (request.options.ranking.best_rows == 0 && request.table_rows == TableRows::Best &&
      !request.log_path.empty())
    request.options.details.rows_without_memory = request.top;
  if (args.has("case-scores")) request.options.details.case_scores = engine::CaseScores::Kept;
  if (!args.error().empty()) return input_problem(args.error());
  return find_problem(args, request);
}

}  // namespace komuz::services

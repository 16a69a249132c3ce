// SPDX-License-Identifier: Apache-2.0
// Commands about lines with open decisions: the variants that run, and the description of one of them.
#include <algorithm>
#include <bit>
#include <utility>

#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/results/case_arguments.h"
#include "engine/results/failure_text.h"
#include "engine/results/report.h"
#include "engine/testing/single_run.h"
#include "repl/command_words.h"
#include "repl/commands.h"
#include "repl/variants/kept_items.h"
#include "services/display_text.h"
#include "services/line_diff.h"
#include "services/results/problem_text.h"
#include "services/results/ranked_name.h"
#include "services/results/sketch_text.h"

namespace komuz::repl {

namespace {

constexpr std::string_view kNoLine =
    "no line with holes has been evaluated, such as `x * ?[1.0, 2.0]`";

// The case with the largest error; nothing if no case has one.
std::optional<engine::FailureText> worst_case(const engine::Results& results,
                                              const std::string& program, std::string_view entry,
                                              const Library& library, u64 fuel,
                                              const std::stop_token& stop) {
  const std::span<const f64> errors = results.case_scores_of(0);
  if (errors.empty() || results.suite.has_slices) return std::nullopt;
  const auto worst = std::ranges::max_element(errors);
  if (*worst == 0) return std::nullopt;
  const auto number = static_cast<u32>(worst - errors.begin());
  engine::FailureText out;
  out.line = results.suite.lines[number];
  std::vector<u64> arguments;
  engine::for_each_argument(
      results.suite, number,
      [&](std::string_view name, std::string_view type, std::span<const u64> cells) {
        std::string& text = out.arguments.emplace_back(std::string(name) + " = ");
        engine::print_value(text, type, cells, engine::ValueStyle::Text);
        arguments.insert(arguments.end(), cells.begin(), cells.end());
      });
  const std::string_view type = results.suite.signature.result_type;
  engine::print_value(out.expected, type, results.suite.expected_cells(number),
                      engine::ValueStyle::Text);
  frontend::Compiler compiler({.library = &library});
  frontend::Compilation plain;
  compiler.compile(program, plain);
  if (!plain.ok) return std::nullopt;
  const CodeView code = plain.code.view();
  engine::SingleRun run;
  engine::run_single(code, static_cast<u32>(code.find_function(entry)), arguments, fuel, run,
                     &stop);
  engine::print_value(out.actual, type, run.value, engine::ValueStyle::Text);
  return out;
}

}  // namespace

Answer Commands::budget(const Input& words) {
  std::optional<u64>& budget = variants_.settings().budget;
  if (words.text.empty()) return told(budget ? grouped(*budget) + " ticks\n" : "none is stated\n");
  const std::optional<u64> ticks = read_ticks(words.text);
  if (!ticks && words.text != "none")
    return refused(
        words,
        "`:budget` takes a number of ticks, from 1 to 2^62, as in `:budget 1000000`; or `none`");
  budget = ticks;
  variants_.forget_ranking();
  return {};
}

Answer Commands::samples(const Input& words) {
  engine::VariantChoice& choice = variants_.settings().choice;
  if (words.text.empty())
    return told(choice.samples
                    ? grouped(*choice.samples) + " variants of seed " +
                          std::to_string(choice.seed) + "\n"
                    : "all variants; " + grouped(VariantSettings::kSample) + " of more than " +
                          grouped(VariantSettings::kMostVariants) + "\n");
  std::string_view rest = words.text;
  const std::string_view number = take_word(rest);
  engine::VariantChoice next;
  if (number == "all" && rest.empty()) {
    choice = next;
    return {};
  }
  u64 samples = 0;
  if (!read_number(number, samples) || samples == 0 || samples > VariantSettings::kMostVariants ||
      (!rest.empty() && !read_number(rest, next.seed)))
    return refused(words, "`:samples` takes a number up to " +
                              grouped(VariantSettings::kMostVariants) +
                              ", and a seed, as in `:samples 10000 7`; or `all`");
  next.samples = samples;
  choice = next;
  return {};
}

Answer Commands::split(const Input& words) {
  VariantSettings& settings = variants_.settings();
  if (words.text.empty()) {
    if (!settings.split) return told("no cases are held out\n");
    std::string text;
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(*settings.split),
                         engine::ValueStyle::Text);
    return told(text + " of the cases, drawn by the seed " + std::to_string(settings.split_seed) +
                "\n");
  }
  std::string_view rest = words.text;
  const std::string_view share = take_word(rest);
  f64 number = 0;
  u64 seed = 0;
  const bool is_none = share == "none" && rest.empty();
  if (!is_none && (!read_number(share, number) || !(number > 0 && number < 1) ||
                   (!rest.empty() && !read_number(rest, seed))))
    return refused(words,
                   "`:split` takes a share of the cases between 0 and 1, and a seed, as in `:split "
                   "0.2 7`; or `none`");
  const std::optional<f64> wanted = is_none ? std::nullopt : std::optional(number);
  if (variants_.cases().is_there()) {
    const Problem problem = variants_.cases().split(
        wanted, seed, settings.score.value_or(engine::ScoreKind::Exact), *watch_of(stop_));
    if (problem.is(ProblemKind::Stop)) return stopped_reading();
    if (problem) return refused(words, problem.text());
  }
  settings.split = wanted;
  settings.split_seed = seed;
  variants_.forget_ranking();
  return variants_.cases().is_there() ? told_in_sentences(variants_.cases().text()) : Answer();
}

Answer Commands::variants(const Input& words) {
  if (variants_.line() == nullptr) return refused(words, std::string(kNoLine));
  const LineSketch& line = *variants_.line();
  return told(services::sketch_text(line.sketch().source, line.plan(),
                                    [&](u32 byte) { return line.place_text(byte); }));
}

Answer Commands::read_variant(const Input& words, std::string_view name, engine::Decisions& out) {
  if (variants_.line() == nullptr) return refused(words, std::string(kNoLine));
  if (name.empty()) name = services::kBestRank;
  std::string whole;
  const Problem problem = variants_.whole_name(name, whole).then([&] {
    return engine::read_variant_name(variants_.line()->plan(), whole, out);
  });
  return problem ? refused(words, problem.message()) : Answer();
}

Answer Commands::fill(const Input& words) {
  engine::Decisions decisions;
  if (names_optimise(words.text)) return refused(words, std::string(kNoOptimise));
  Answer problem = read_variant(words, words.text, decisions);
  if (problem.is_failure()) return problem;
  const Result<std::string> program = variants_.program_of(decisions, stop_);
  if (program.problem()) return refused(words, program.problem().message());
  return told_program(own_program(program.value()));
}

Answer Commands::why(const Input& words) {
  engine::Decisions decisions;
  Answer problem = read_variant(words, words.text, decisions);
  if (problem.is_failure()) return problem;
  if (variants_.runs_once())
    return refused(
        words, "nothing is expected of a line that is run without cases; `:cases FILE` takes some");
  engine::Results results;
  if (const Problem error =
          variants_.evaluate_one(decisions, engine::CaseScores::Kept, stop_, results))
    return refused(words, error.text());
  if (stop_.stop_requested()) {
    problem.kind = AnswerKind::Stopped;
    return problem;
  }
  const std::string id = services::fitted_at_both_ends(results.id(0), services::kShortIdWidth);
  const std::string all_cases =
      results.cases == 1 ? "the only case" : "all " + counted(results.cases, "case");
  const u32 width = variants_.style().style.width;
  const bool is_error_score =
      results.score != engine::ScoreKind::Exact && !engine::is_value_score(results.score);
  if (is_error_score && results.rows[0].scored) {
    const std::optional<engine::FailureText> worst =
        worst_case(results, variants_.line()->program_text(decisions), variants_.line()->entry(),
                   session_.modules().library(), session_.fuel(), stop_);
    return told(worst ? services::failure_text(id, *worst, width, services::kWorstKind)
                      : id + " is right in " + all_cases + "\n");
  }
  engine::FindingsText findings = engine::findings_of(results, 0);
  if (findings.failure) findings.failure->place.clear();  // in a program that is not shown
  if (findings.failure) {
    Answer failed = told(services::failure_text(id, *findings.failure, width));
    const u32 failure = results.rows[0].first_failure;
    if (failure != engine::kNone && results.failures[failure].trap == Trap::Fuel)
      failed.note = fuel_note(session_.fuel());
    return failed;
  }
  if (!findings.diagnostics.empty())
    return told(id + ": " + findings.diagnostics[0].message + "\n");
  return told(id + (results.score == engine::ScoreKind::Exact ? " passes " : " has a value for ") +
              all_cases + "\n");
}

Answer Commands::diff(const Input& words) {
  std::string_view rest = words.text;
  std::string first(take_word(rest)), second(rest);
  // The best and another one, or the two best.
  if (second.empty()) second = std::exchange(first, services::kBestRank);
  if (second.empty()) second = "@2";
  engine::Decisions a, b;
  Answer problem = read_variant(words, first, a);
  if (!problem.is_failure()) problem = read_variant(words, second, b);
  if (problem.is_failure()) return problem;
  LineSketch& line = *variants_.line();
  const std::string before = formatted(line.program_text(a)),
                    after = formatted(line.program_text(b));
  if (before == after) return told(first + " and " + second + " are the same program\n");
  return told(services::line_diff({first, before}, {second, after}));
}

Answer Commands::keep(const Input& words) {
  std::string_view rest = words.text;
  if (names_optimise(rest)) return refused(words, std::string(kNoOptimise));
  // No variant begins as a name does.
  const bool has_variant = !engine::is_program_name(rest.substr(0, rest.find(' ')));
  const std::string_view variant = has_variant ? take_word(rest) : services::kBestRank;
  const std::string name(rest.empty() ? "kept" : rest);
  engine::Decisions decisions;
  Answer answer = read_variant(words, variant, decisions);
  if (answer.is_failure()) return answer;
  if (!engine::is_program_name(name))
    return refused(words, "`" + name + "` is no name for a function; write `:keep " +
                              std::string(variant) + " best`");
  const Result<std::string> program = variants_.program_of(decisions, stop_);
  if (program.problem()) return refused(words, program.problem().message());
  const std::optional<std::string> items =
      kept_items(*variants_.line(), program.value(), name, session_);
  if (!items)
    return refused(words,
                   "what this calls cannot be told from what the session calls so; redefine "
                   "it under another name");
  if (items->empty()) return refused(words, "`" + name + "` is that already");
  answer = session_.evaluate({*items, words.name, words.line}, stop_);
  if (answer.is_failure()) return answer;
  return told_program(*items);
}

Answer Commands::search(const Input& words) {
  if (variants_.line() == nullptr || !engine::has_decisions(variants_.line()->plan().sketch()))
    return refused(words, std::string(kNoLine));
  engine::SearchOptions options;
  u64 generations = 0;
  std::string_view rest = words.text;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto kind = std::ranges::find(engine::kSearchNames, word);
    if (kind != std::end(engine::kSearchNames))
      options.kind = static_cast<engine::SearchKind>(kind - std::begin(engine::kSearchNames));
    else if (read_number(word, generations) && generations != 0)
      options.generations = generations;
    else
      return refused(words, "`" + std::string(word) + "` is neither " +
                                names_text(engine::kSearchNames) +
                                " nor a number of generations; write `:search evolve 100`");
  }
  options.seed = variants_.settings().choice.seed;
  return variants_.search(words, options, stop_);
}

}  // namespace komuz::repl

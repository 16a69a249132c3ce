// SPDX-License-Identifier: Apache-2.0
// Commands about lines with something to decide, and about the cases that they are run on.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/counts.h"
#include "engine/results/case_arguments.h"
#include "engine/results/failure_text.h"
#include "engine/results/report.h"
#include "engine/testing/single_run.h"
#include "repl/commands.h"
#include "repl/input.h"
#include "repl/variants/kept_items.h"
#include "services/charts/text_chart.h"
#include "services/display_text.h"
#include "services/format.h"
#include "services/line_diff.h"
#include "services/results/plotted_results.h"
#include "services/results/problem_text.h"
#include "services/results/sketch_text.h"

namespace komuz::repl {

namespace {

constexpr std::string_view kNoLine =
    "no line with holes has been evaluated, such as `x * ?[1.0, 2.0]`";

template <class Number>
bool read_number(std::string_view text, Number& out) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc() && read.ptr == end;
}

std::string formatted(const std::string& program) {
  frontend::Compiler compiler;
  const services::Formatted formatted = services::format(compiler, program);
  return formatted.ok ? formatted.text : program;
}

std::string names_text(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names)
    text += (name == names.front() ? "" : name == names.back() ? " or " : ", ") + std::string(name);
  return text;
}

// Of cases that were to be looked at.
Answer unread(const Input& words, const engine::InputError& error) {
  if (!error.is_stop) return refused(words, error.text());
  Answer stopped;
  stopped.kind = AnswerKind::Stopped;
  return stopped;
}

// What `:plot` draws in place of a column.
constexpr std::string_view kFit = "fit";

// What `:score` takes where none is stated.
constexpr std::string_view kAutoScore = "auto";
engine::ScoreKind stated_score(const VariantSettings& settings) {
  return settings.score.value_or(engine::ScoreKind::Exact);
}

// Takes a file, and the column of what is expected; what is left are types. Returns what is wrong.
std::string read_cases_words(std::string_view& rest, std::string& path, std::string& target) {
  constexpr const char* kOpen = "a name in quotes ends in `\"`, as in `:cases data.csv \"a name\"`";
  std::optional<std::string> word = take_quoted_word(rest);
  if (!word) return kOpen;
  path = std::move(*word);
  if (rest.empty() || rest.starts_with('(')) return {};
  word = take_quoted_word(rest);
  if (!word) return kOpen;
  target = std::move(*word);
  return {};
}

// The case that brings the most to an error; nothing where none is an error.
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

std::string score_text(engine::ScoreKind score, const VariantSettings& settings) {
  std::string text(engine::score_name(score));
  const auto add = [&](f64 number) {
    text += ' ';
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(number), engine::ValueStyle::Text);
  };
  const bool is_exact = score == engine::ScoreKind::Exact;
  if (settings.tolerance != 0 || (settings.floor && is_exact)) add(settings.tolerance);
  if (settings.floor) add(*settings.floor);
  return text;
}

Answer Commands::cases(const Input& words) {
  if (words.text.empty())
    return told(variants_.cases().is_there() ? variants_.cases().text()
                                             : "no cases; `:cases FILE` takes those of a file\n");
  std::string_view rest = words.text;
  std::string path;
  CaseSet::Reading reading;
  std::string problem = read_cases_words(rest, path, reading.target);
  if (!problem.empty()) return refused(words, problem);
  if (path == "none") {
    variants_.cases().forget();
    variants_.forget_line();
    static_cast<void>(variants_.follow_score());
    return {};
  }
  reading.signature = rest;
  {
    const std::unique_ptr<engine::Watch> watch = watch_of(stop_);
    Host::File file = host_.read_cases(path, *watch);
    problem = !file.problem.empty()
                  ? std::move(file.problem)
                  : variants_.cases().load(path, std::move(file.text), std::move(reading),
                                           stated_score(variants_.settings()), *watch);
  }
  if (problem == CaseSet::kStopped) return stopped_reading();
  if (!problem.empty()) return refused(words, problem);
  variants_.forget_line();
  std::string hidden;
  for (const NamedValue& variable : session_.variables().all())
    if (variants_.cases().has_parameter(variable.name))
      hidden += "in lines with holes `" + variable.name + "` is the column\n";
  for (const services::SnippetName& column : variants_.cases().parameters())
    if (variants_.is_hidden_constant(column.name))
      hidden += "in expressions `" + column.name +
                "` is the column, not the constant; `let` and `fn` know no columns\n";
  return told_in_sentences(variants_.cases().text() + hidden + variants_.follow_score());
}

Answer Commands::data(const Input& words) {
  if (!variants_.cases().is_there())
    return refused(words, "there are no cases; `:cases FILE` takes those of a file");
  std::string text;
  if (const engine::MaybeError error = variants_.cases().summary(*watch_of(stop_), text))
    return unread(words, *error);
  return told(std::move(text));
}

std::unique_ptr<engine::Watch> Commands::watch_of(const std::stop_token& stop) const {
  return host_.make_watch ? host_.make_watch(stop) : std::make_unique<engine::Watch>(stop);
}

Answer Commands::stopped_reading() const {
  const CaseSet& cases = variants_.cases();
  Answer answer;
  answer.kind = AnswerKind::Stopped;
  answer.note = cases.is_there() ? "the cases are those of " + cases.file() + " as before\n"
                                 : "there are no cases\n";
  return answer;
}

Answer Commands::score(const Input& words) {
  VariantSettings& settings = variants_.settings();
  if (words.text.empty()) {
    const bool is_implied = !settings.score && variants_.score() != engine::ScoreKind::Exact;
    return told(score_text(variants_.score(), settings) +
                (is_implied ? ", as floats are expected\n" : "\n"));
  }
  std::string_view rest = words.text;
  const std::string_view name = take_word(rest);
  const bool follows = name == kAutoScore;
  const auto stated = engine::score_from_name(name);
  if (!stated && !follows)
    return refused(words, "there is no score `" + std::string(name) + "`; it is " +
                              names_text(engine::kScoreNames) + "; or `auto`");
  const engine::ScoreKind score = stated.value_or(engine::ScoreKind::Exact);
  const bool is_exact = score == engine::ScoreKind::Exact && !follows;
  if (!rest.empty() && !is_exact && score != engine::ScoreKind::RelativeError)
    return refused(words,
                   "only `exact` and `relative` take more: a tolerance, as in `:score exact 1e-9`, "
                   "and what is nearer to 0 counts as, as in `:score exact 1e-9 0.001` and "
                   "`:score relative 0.001`");
  std::string wrong;
  const auto take_amount = [&](const char* what, const char* example) -> std::optional<f64> {
    const std::string_view word = take_word(rest);
    f64 number = 0;
    if (word.empty() || !wrong.empty()) return std::nullopt;
    if (read_number(word, number) && std::isfinite(number) && number >= 0) return number;
    wrong = "`" + std::string(word) + "` is no " + what + ", a number from 0 on, as in `" +
            example + "`";
    return std::nullopt;
  };
  std::optional<f64> tolerance, floor;
  if (is_exact) tolerance = take_amount("tolerance", ":score exact 1e-9");
  floor = take_amount("floor", is_exact ? ":score exact 1e-9 0.001" : ":score relative 0.001");
  if (wrong.empty() && !rest.empty())
    wrong = "`:score " + std::string(name) + "` takes no `" + std::string(rest) + "` behind that";
  if (!wrong.empty()) return refused(words, wrong);
  const std::vector<services::SnippetName> columns = variants_.cases().parameters();
  if (variants_.cases().is_there()) {
    const std::string problem = variants_.cases().set_score(score, *watch_of(stop_));
    if (problem == CaseSet::kStopped) return stopped_reading();
    if (!problem.empty()) return refused(words, problem);
  }
  variants_.forget_ranking();
  if (variants_.cases().parameters() != columns) variants_.forget_line();
  settings.score = stated;
  settings.tolerance = tolerance.value_or(0);
  settings.floor = floor;
  std::string note = variants_.follow_score();
  return note.empty() ? Answer() : told_in_sentences(std::move(note));
}

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

Answer Commands::top(const Input& words) {
  size_t& top = variants_.settings().top;
  if (!words.text.empty()) {
    size_t number = 0;
    if (!read_number(words.text, number) || number == 0)
      return refused(words, "`:top` takes a number of rows, as in `:top 20`");
    top = number;
  }
  if (variants_.line() != nullptr) return variants_.show_again(words, stop_);
  return words.text.empty() ? told(counted(top, "row") + "\n") : Answer();
}

Answer Commands::variants(const Input& words) {
  if (variants_.line() == nullptr) return refused(words, std::string(kNoLine));
  const LineSketch& line = *variants_.line();
  return told(services::sketch_text(line.sketch().source, line.plan(),
                                    [&](u32 byte) { return line.place_text(byte); }));
}

Answer Commands::read_variant(const Input& words, std::string_view name, engine::Decisions& out) {
  if (variants_.line() == nullptr) return refused(words, std::string(kNoLine));
  std::string whole;
  std::string problem = variants_.whole_name(name, whole);
  if (problem.empty()) problem = engine::read_variant_name(variants_.line()->plan(), whole, out);
  return problem.empty() ? Answer() : refused(words, problem);
}

Answer Commands::fill(const Input& words) {
  engine::Decisions decisions;
  Answer problem = read_variant(words, words.text, decisions);
  if (problem.is_failure()) return problem;
  return told_program(formatted(variants_.line()->program_text(decisions)));
}

Answer Commands::why(const Input& words) {
  engine::Decisions decisions;
  Answer problem = read_variant(words, words.text, decisions);
  if (problem.is_failure()) return problem;
  if (variants_.runs_once())
    return refused(
        words, "nothing is expected of a line that is run without cases; `:cases FILE` takes some");
  engine::Results results;
  if (const engine::MaybeError error =
          variants_.evaluate_one(decisions, engine::CaseScores::Kept, stop_, results))
    return refused(words, error->text());
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
    return told(worst ? services::failure_text(id + ", worst", *worst, width)
                      : id + " is right in " + all_cases + "\n");
  }
  engine::FindingsText findings = engine::findings_of(results, 0);
  if (findings.failure) findings.failure->place.clear();  // of a program that nobody sees
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
  const std::string first(take_word(rest)), second(rest);
  if (second.empty()) return refused(words, "`:diff` takes two variants, as in `:diff #3 #5`");
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
  const std::string_view variant = take_word(rest);
  const std::string name(rest.empty() ? "kept" : rest);
  engine::Decisions decisions;
  Answer answer = read_variant(words, variant, decisions);
  if (answer.is_failure()) return answer;
  if (!is_name(name))
    return refused(words, "`" + name + "` is no name for a function; write `:keep " +
                              std::string(variant) + " best`");
  const std::optional<std::string> items = kept_items(*variants_.line(), decisions, name, session_);
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

Answer Commands::distinct(const Input& words) {
  return variants_.ranking(words, services::TableRows::Behaviours);
}
Answer Commands::pareto(const Input& words) {
  return variants_.ranking(words, services::TableRows::ParetoFront);
}

Answer Commands::plot(const Input& words) {
  if (words.text == kFit) return plot_fit(words);
  if (!words.text.empty()) return plot_column(words);
  if (variants_.results() == nullptr) return variants_.ranking(words, services::TableRows::Best);
  const services::PlottedResults plotted(*variants_.results());
  return told(services::write_text(services::score_against_size(plotted.candidates(), "size"),
                                   variants_.style().style.width));
}

Answer Commands::plot_fit(const Input& words) {
  const engine::Results* const results = variants_.results();
  if (results == nullptr) return variants_.ranking(words, services::TableRows::Best);
  if (results->best.expected.empty())
    return refused(words,
                   "there is nothing to compare: no variant gave a number where one is expected");
  return told(services::write_text(
      services::actual_against_expected(services::PlottedResults(*results).cases_of_best(), "fit"),
      variants_.style().style.width));
}

Answer Commands::plot_column(const Input& words) {
  const CaseSet& cases = variants_.cases();
  if (!cases.is_there())
    return refused(words, "`:plot " + std::string(words.text) +
                              "` draws over a column of cases; `:cases FILE` takes some");
  std::vector<std::string_view> names = {kFit};
  for (const services::SnippetName& column : cases.parameters()) names.push_back(column.name);
  if (!cases.has_parameter(words.text))
    return refused(words,
                   "there is no column `" + std::string(words.text) + "`; " +
                       engine::near_name(words.text, names, "`:data` shows those there are"));
  if (!cases.has_expectations())
    return refused(words, "nothing is expected that could be drawn over a column");
  if (cases.expected().empty())
    return refused(words,
                   "what is expected is no number that could be drawn over a column; `:data` shows "
                   "what the cases hold");
  const std::unique_ptr<engine::Watch> watch = watch_of(stop_);
  std::vector<f64> column, expected;
  engine::MaybeError error = cases.numbers(words.text, *watch, column);
  if (!error) error = cases.numbers(cases.target(), *watch, expected);
  if (error) return unread(words, *error);
  for (const auto& [name, values] :
       {std::pair(words.text, &column), std::pair(cases.target(), &expected)})
    if (values->empty())
      return refused(words, "`" + std::string(name) + "` is no column of numbers");
  const engine::Results* const results = variants_.results();
  services::ColumnPoints points{column, expected, {}, words.text, cases.target(), {}};
  std::string program;
  if (results != nullptr && !results->best.actual.empty()) {
    points.actual = results->best.actual;
    program =
        services::fitted_at_both_ends(results->id(results->best.row), services::kShortIdWidth);
    points.program = program;
  }
  return told(
      services::write_text(services::over_column(points, "column"), variants_.style().style.width));
}

Answer Commands::export_results(const Input& words) {
  const engine::Results* const results = variants_.results();
  if (results == nullptr) return variants_.ranking(words, services::TableRows::Best);
  const std::string path(words.text);
  std::string text;
  if (path.ends_with(".json"))
    engine::write_report_json(
        [&](std::string_view piece) {
          text += piece;
          return !stop_.stop_requested();
        },
        *results, variants_.details(stop_));
  else if (path.ends_with(".svg"))
    text = services::PlottedResults(*results).draw();
  else if (path.ends_with(".komuz"))
    text = formatted(results->best_source);
  else
    return refused(words,
                   "what to write follows from the name: a report `.json`, charts `.svg`, the best "
                   "program `.komuz`");
  if (text.empty()) return refused(words, "no variant has a score");
  if (stop_.stop_requested()) {
    Answer stopped;
    stopped.kind = AnswerKind::Stopped;
    return stopped;
  }
  std::vector<std::string> read = read_files();
  read.insert(read.end(), loaded_.begin(), loaded_.end());
  const std::string problem = host_.write_file(path, text, read);
  return problem.empty() ? Answer() : refused(words, problem);
}

}  // namespace komuz::repl

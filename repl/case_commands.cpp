// SPDX-License-Identifier: Apache-2.0
// Commands about cases, and about the ranking of lines on them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "repl/command_words.h"
#include "repl/commands.h"

namespace komuz::repl {

namespace {

// The word for `:score` if no score is stated.
constexpr std::string_view kAutoScore = "auto";
engine::ScoreKind stated_score(const VariantSettings& settings) {
  return settings.score.value_or(engine::ScoreKind::Exact);
}

constexpr std::string_view kInputOption = "input";

std::string option_names() {
  std::string names;
  for (const engine::FormOption& option : engine::kFormOptions)
    names += "`--" + std::string(option.name) + "`, ";
  return names + "`--" + std::string(kInputOption) + "`";
}

// Takes words such as `--decimal ,` or `--decimal=,`.
Problem read_option(std::string_view& rest, CaseSet::Reading& reading) {
  const std::string_view all = rest.substr(2);
  const std::string_view name = all.substr(0, all.find_first_of("= \t"));
  rest.remove_prefix(2 + name.size());
  const auto* const option =
      std::ranges::find(engine::kFormOptions, name, &engine::FormOption::name);
  const bool is_form = option != std::end(engine::kFormOptions);
  if (!is_form && name != kInputOption)
    return input_problem("`:cases` has no option `--" + std::string(name) + "`; there are " +
                         option_names());
  if (is_form && option->value.empty()) {
    if (rest.starts_with('=')) return input_problem("`--" + std::string(name) + "` takes no value");
    rest = trimmed(rest);
    return engine::read_form_option(name, {}, reading.form);
  }
  if (rest.starts_with('=')) rest.remove_prefix(1);
  rest = trimmed(rest);
  const std::optional<std::string> value = take_quoted_word(rest);
  if (!value || value->empty())
    return input_problem(
        "`--" + std::string(name) + "` takes " +
        (is_form ? "a value, as `komuz eval` does" : "a column, such as `\"a b=x\"`"));
  if (is_form) return engine::read_form_option(name, *value, reading.form);
  reading.inputs.push_back(*value);
  return {};
}

// Takes a file, options, and the column of the expected values; types follow.
Problem read_cases_words(std::string_view& rest, std::string& path, CaseSet::Reading& reading) {
  const auto open_quote = [] {
    return input_problem("a name in quotes ends in `\"`, as in `:cases data.csv \"a name\"`");
  };
  std::optional<std::string> word = take_quoted_word(rest);
  if (!word) return open_quote();
  path = std::move(*word);
  bool has_target = false;
  while (!rest.empty() && !rest.starts_with('(')) {
    if (rest.starts_with("--")) {
      if (Problem problem = read_option(rest, reading)) return problem;
      continue;
    }
    if (has_target) break;
    word = take_quoted_word(rest);
    if (!word) return open_quote();
    reading.target = std::move(*word);
    has_target = true;
  }
  return {};
}

}  // namespace

std::string score_text(engine::ScoreKind score, const VariantSettings& settings) {
  std::string text(engine::score_name(score));
  const auto add = [&](f64 number) {
    text += ' ';
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(number), engine::ValueStyle::Text);
  };
  const bool is_exact = score == engine::ScoreKind::Exact;
  if (settings.tolerance != 0 || (settings.measure && is_exact)) add(settings.tolerance);
  if (settings.measure) add(*settings.measure);
  return text;
}

Answer Commands::cases(const Input& words) {
  if (words.text.empty())
    return told(variants_.cases().is_there() ? variants_.cases().text()
                                             : "no cases; `:cases FILE` takes those of a file\n");
  std::string_view rest = words.text;
  std::string path;
  CaseSet::Reading reading;
  if (const Problem problem = read_cases_words(rest, path, reading))
    return refused(words, problem.message());
  if (path == "none") {
    variants_.cases().forget();
    variants_.forget_line();
    static_cast<void>(variants_.follow_score());
    return {};
  }
  reading.signature = rest;
  reading.split = variants_.settings().split;
  reading.split_seed = variants_.settings().split_seed;
  if (harness_) reading.preferred = harness_->columns;
  Problem problem;
  {
    const std::unique_ptr<engine::Watch> watch = watch_of(stop_);
    Result<std::string> file = host_.read_cases(path, *watch);
    // Of a file that cannot be read no more is said than that.
    problem = file.problem()
                  ? input_problem(file.problem().message())
                  : variants_.cases().load(path, std::move(file).value(), std::move(reading),
                                           stated_score(variants_.settings()), *watch);
  }
  if (problem.is(ProblemKind::Stop)) return stopped_reading();
  if (problem && harness_ && !engine::is_value_score(variants_.score()))
    return refused(words, problem.text() +
                              "; for a harness, of which nothing is expected, say `:score "
                              "maximize` or `:score minimize` first");
  if (problem) return refused(words, problem.text());
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
  if (const Problem error = variants_.cases().summary(*watch_of(stop_), text))
    return unread(words, error);
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
  const engine::ScoreMeasure measured = engine::stated_measure(score);
  if (!rest.empty() && (follows || measured == engine::ScoreMeasure::None))
    return refused(
        words,
        "only some scores take more: a tolerance, as in `:score exact 1e-9`; what is nearer to 0 "
        "counts as, as in `:score exact 1e-9 0.001` and `:score relative 0.001`; a distance, as in "
        "`:score huber 0.5` and `:score log-cosh 0.5`; or a share, as in `:score quantile 0.9`");
  std::string wrong;
  const auto take_number = [&](std::string_view what, engine::ScoreMeasure measure,
                               const std::string& example) -> std::optional<f64> {
    const std::string_view word = take_word(rest);
    f64 number = 0;
    if (word.empty() || !wrong.empty()) return std::nullopt;
    const bool is_number = read_number(word, number);
    const std::string_view fault = engine::measure_fault(measure, is_number ? number : NAN);
    if (fault.empty()) return number;
    wrong = "`" + std::string(word) + "` is no " + std::string(what) + ", " + std::string(fault) +
            ", as in `" + example + "`";
    return std::nullopt;
  };
  std::optional<f64> tolerance, measure;
  if (is_exact)
    tolerance = take_number("tolerance", engine::ScoreMeasure::Floor, ":score exact 1e-9");
  measure = take_number(engine::kMeasureNames[static_cast<size_t>(measured)], measured,
                        is_exact ? ":score exact 1e-9 0.001"
                        : measured == engine::ScoreMeasure::Quantile
                            ? ":score quantile 0.9"
                            : ":score " + std::string(name) + " 0.001");
  if (wrong.empty() && !rest.empty())
    wrong = "`:score " + std::string(name) + "` takes no `" + std::string(rest) + "` behind that";
  if (!wrong.empty()) return refused(words, wrong);
  const std::vector<services::SnippetName> columns = variants_.cases().parameters();
  if (variants_.cases().is_there()) {
    const Problem problem = variants_.cases().set_score(score, *watch_of(stop_));
    if (problem.is(ProblemKind::Stop)) return stopped_reading();
    if (problem) return refused(words, problem.text());
  }
  variants_.forget_ranking();
  if (variants_.cases().parameters() != columns) variants_.forget_line();
  settings.score = stated;
  settings.tolerance = tolerance.value_or(0);
  settings.measure = measure;
  std::string note = variants_.follow_score();
  return note.empty() ? Answer() : told_in_sentences(std::move(note));
}

}  // namespace komuz::repl

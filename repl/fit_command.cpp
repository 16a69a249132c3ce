// SPDX-License-Identifier: Apache-2.0
// `:fit`: looks for a formula for a column of the session's cases, and defines it.
#include <algorithm>
#include <chrono>
#include <optional>

#include "engine/cases/column_names.h"
#include "engine/fit/fit_data.h"
#include "mend/source_text.h"
#include "repl/command_words.h"
#include "repl/commands.h"
#include "services/charts/number_text.h"
#include "services/fit/described_formula.h"
#include "services/fit/fit.h"
#include "services/fit/fit_text.h"

namespace komuz::repl {
namespace {

constexpr std::chrono::seconds kUsualTime{10};

// What a session has in place of the options of `komuz fit`.
constexpr engine::FitWords kSessionWords{
    .target = "`:fit`",
    .other_target = "name another column, as in `:fit COLUMN`",
    .without_column = "give `:cases` a file without columns in which numbers are missing",
    .has_ignore = false,
    .other_split = "give `:cases` more rows",
    .split = "`komuz fit --split 0.2` holds out a fifth of the rows instead",
    .folds = "`komuz fit --folds 5` judges by all rows in turn"};

// "30s" and "2m" are times, "50" is a number of generations.
bool read_effort(std::string_view word, services::FitOptions& options) {
  u64 number = 0;
  constexpr u64 kMostSeconds = 1'000'000;
  const bool is_minutes = word.ends_with('m');
  if ((is_minutes || word.ends_with('s')) && read_number(word.substr(0, word.size() - 1), number) &&
      number != 0) {
    options.time = std::chrono::seconds(std::min(number, kMostSeconds) * (is_minutes ? 60 : 1));
    return true;
  }
  if (!read_number(word, number) || number == 0) return false;
  options.generations = number;
  options.time = std::chrono::milliseconds(0);
  return true;
}

class FitProgress final : public services::FitWatch {
 public:
  explicit FitProgress(std::unique_ptr<VariantProgress> progress)
      : progress_(std::move(progress)) {}
  void on_progress(const Progress& progress) override {
    if (progress_ != nullptr) progress_->on_progress(progress.candidates, std::nullopt);
  }
  void on_front(std::span<const services::FitFormula> front) override {
    if (progress_ == nullptr || front.empty()) return;
    progress_->on_best(services::short_text(
        services::shown_error(services::FitLoss::Squared, front.back().training.mean_loss)));
  }

 private:
  std::unique_ptr<VariantProgress> progress_;
};

}  // namespace

Answer Commands::fit(const Input& words) {
  const CaseSet& cases = variants_.cases();
  if (!cases.is_there())
    return refused(words, "a fit needs a table; `:cases FILE COLUMN` takes one");
  services::FitOptions options;
  options.time = kUsualTime;
  std::string_view rest = words.text;
  engine::FitFields fields;
  fields.words = kSessionWords;
  fields.target = cases.named_target();
  if (!rest.empty() && !read_effort(rest, options)) {
    std::optional<std::string> column = take_quoted_word(rest);
    if (!column) return refused(words, "a name in quotes ends in `\"`, as in `:fit \"a name\"`");
    fields.target = std::move(*column);
    if (!rest.empty() && !read_effort(rest, options))
      return refused(
          words,
          "`" + std::string(rest) +
              "` is neither a time nor a number of generations; write `:fit y 30s` or `:fit y 50`");
  }
  const std::unique_ptr<engine::Watch> watch = watch_of(stop_);
  engine::CaseFields reading;
  reading.has_expectations = false;
  reading.form = cases.reading().form;
  fields.skips_missing = reading.form.skips_missing;
  fields.weights = std::move(reading.form.weights);
  reading.form.skips_missing = false;
  reading.form.weights.clear();
  engine::CasesTable table;
  Problem problem = engine::read_cases(cases.file(), cases.bytes(), reading, table, *watch);
  std::optional<engine::FitData> data;
  if (!problem) {
    Result<engine::FitData> made = engine::fit_data_of(table, fields, *watch);
    if (made.problem())
      problem = std::move(made).problem();
    else
      data = std::move(made).value();
  }
  if (problem.is(ProblemKind::Stop)) return stopped_reading();
  if (problem) return refused(words, problem.text());
  options.folds = services::usual_folds(*data);
  FitProgress progress(host_.make_progress ? host_.make_progress() : nullptr);
  Result<services::Fit> made = services::fit({.data = *data}, options, progress, stop_);
  if (made.problem().is(ProblemKind::Stop)) {
    Answer answer;
    answer.kind = AnswerKind::Stopped;
    return answer;
  }
  if (made.problem()) return refused(words, made.problem().text());
  const services::Fit& fitted = made.value();
  if (!fitted.selected) return refused(words, "no formula gives a number on all rows");
  const services::FitFormula& formula = fitted.front[fitted.selected->formula];
  Answer defined = session_.evaluate({formula.program, words.name, words.line}, {});
  if (defined.is_failure()) return defined;
  fitted_ = {services::formula_program(fitted, options.loss, formula), {}};
  fitted_->options.entry = fitted.function;
  fitted_->options.comments = services::formula_comments(fitted, options.loss, formula);
  for (const services::InputRange& range : services::ranges_of(fitted.data))
    fitted_->options.ranges.push_back({range.name, range.least, range.most});
  fitted_names_.insert(fitted.function);
  // What was ranked before is no more what `:export` is about.
  variants_.forget_ranking();
  const std::string unnamed = engine::unnamed_columns_text(table);
  const ShownStyle& shown = variants_.shown_style();
  const std::string interrupted =
      fitted.is_complete ? "" : "interrupted: these are the formulas until then\n";
  const std::string folds = options.folds == 0
                                ? ""
                                : services::usual_folds_text(data->rows(), options.folds) + "; " +
                                      std::string(fields.words.split) + "\n";
  return told(
      interrupted + (unnamed.empty() ? "" : unnamed + "\n") + folds + services::fit_line(fitted) +
      services::front_table(fitted.front, fitted.selected->formula, options.loss, fitted.function,
                            shown.columns) +
      services::selected_text(fitted, options.loss, nullptr, shown.style.width) + formula.program);
}

Answer Commands::export_fitted(const Input& words) {
  if (words.text.empty()) return told_program(fitted_->program);
  const std::string path(words.text);
  if (!path.ends_with(".komuz") && !services::target_of_file(path))
    return refused(words, "the last formula is of a fit: the name of its file ends in one of " +
                              services::ending_list());
  std::string notes;
  Result<std::string> made = exported(fitted_->program, path, fitted_->options, notes);
  if (made.problem())
    return refused(words, made.problem().message() + "; " + made.problem().remedy());
  return written(words, path, made.value(), notes);
}

bool Commands::names_fitted(std::string_view text) const {
  const auto is_part = [&](size_t at) { return at < text.size() && is_word(text[at]); };
  for (const std::string& name : fitted_names_)
    for (size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at)
      if (!is_part(at - 1) && !is_part(at + name.size())) return true;
  return false;
}

}  // namespace komuz::repl

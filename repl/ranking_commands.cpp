// SPDX-License-Identifier: Apache-2.0
// Commands about the ranking of the last line: its rows, charts and files.
#include "base/counts.h"
#include "engine/results/report.h"
#include "repl/command_words.h"
#include "repl/commands.h"
#include "services/charts/text_chart.h"
#include "services/display_text.h"
#include "services/export/export.h"
#include "services/results/fitted_line.h"
#include "services/results/plotted_results.h"

namespace komuz::repl {

namespace {

// The word for `:plot` in place of a column.
constexpr std::string_view kFit = "fit";

}  // namespace

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
  Problem error = cases.numbers(words.text, *watch, column);
  if (!error) error = cases.numbers(cases.target(), *watch, expected);
  if (error) return unread(words, error);
  for (const auto& [name, values] :
       {std::pair(words.text, &column), std::pair(cases.target(), &expected)})
    if (values->empty())
      return refused(words, "`" + std::string(name) + "` is no column of numbers");
  const engine::Results* const results = variants_.results();
  services::ColumnPoints points{column, expected, {}, words.text, cases.target(), {}};
  std::string program;
  std::optional<services::PlottedResults> plotted;
  if (results != nullptr && !results->best.actual.empty()) {
    points.actual = plotted.emplace(*results).cases_of_best().actual;
    program =
        services::fitted_at_both_ends(results->id(results->best.row), services::kShortIdWidth);
    points.program = program;
  }
  return told(
      services::write_text(services::over_column(points, "column"), variants_.style().style.width));
}

Answer Commands::export_results(const Input& words) {
  if (names_optimise(words.text)) return refused(words, std::string(kNoOptimise));
  const engine::Results* const results = variants_.results();
  if (results == nullptr && fitted_) return export_fitted(words);
  if (words.text.empty())
    return refused(words, "`:export` needs the name of a file, as in `:export ranking.json`");
  if (results == nullptr) return variants_.ranking(words, services::TableRows::Best);
  const std::string path(words.text);
  const std::optional<services::ExportTarget> target = services::target_of_file(path);
  const bool is_program = path.ends_with(".komuz") || target;
  std::string text, notes;
  if (path.ends_with(".json"))
    engine::write_report_json(
        [&](std::string_view piece) {
          text += piece;
          return !stop_.stop_requested();
        },
        *results, variants_.details(stop_));
  else if (path.ends_with(".svg"))
    text = services::PlottedResults(*results).draw();
  else if (is_program)
    text = results->best_source;
  else
    return refused(words,
                   "what to write follows from the name: a report `.json`, charts `.svg`, the best "
                   "program `.komuz`, or that in another language, such as `.py` or `.c`");
  if (text.empty()) return refused(words, "no variant has a score");
  if (is_program && results->best_line) {
    Result<std::string> fitted = services::with_line(
        text, variants_.line()->entry(), *results->best_line, &session_.modules().library());
    if (fitted.problem()) return refused(words, fitted.problem().message());
    text = std::move(fitted).value();
  }
  if (is_program) text = own_program(text);
  services::ExportOptions options;
  options.entry = variants_.line() != nullptr ? variants_.line()->entry() : "";
  Result<std::string> made = exported(text, path, std::move(options), notes);
  if (made.problem())
    return refused(words, made.problem().message() + "; " + made.problem().remedy());
  return written(words, path, made.value(), notes);
}

Result<std::string> Commands::exported(const std::string& text, const std::string& path,
                                       services::ExportOptions options, std::string& notes) const {
  const std::optional<services::ExportTarget> target = services::target_of_file(path);
  if (!target) return text;
  options.target = *target;
  Result<services::Exported> made =
      services::export_source(text, options, &session_.modules().library());
  if (made.problem()) return std::move(made).problem();
  for (const std::string& note : made.value().notes) notes += "note: " + note + "\n";
  return std::move(made.value().text);
}

Answer Commands::written(const Input& words, const std::string& path, const std::string& text,
                         const std::string& notes) {
  if (stop_.stop_requested()) {
    Answer stopped;
    stopped.kind = AnswerKind::Stopped;
    return stopped;
  }
  std::vector<std::string> read = read_files();
  read.insert(read.end(), loaded_.begin(), loaded_.end());
  const Problem problem = host_.write_file(path, text, read);
  if (problem) return refused(words, problem.message());
  return notes.empty() ? Answer() : told(notes);
}

}  // namespace komuz::repl

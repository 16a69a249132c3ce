// SPDX-License-Identifier: Apache-2.0
// Lines with something to decide: all variants of one, or a sample, are run at once, on the session's cases where there
// are any, else once each.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device.h"
#include "engine/results/report.h"
#include "engine/run/evaluate.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "repl/variants/case_set.h"
#include "repl/variants/line_sketch.h"
#include "services/results/ranking_text.h"

namespace komuz::repl {

struct VariantSettings {
  std::optional<engine::ScoreKind> score;  // none is stated: it follows from what is expected
  f64 tolerance = 0;
  std::optional<f64> floor;        // of tolerances and relative errors
  std::optional<u64> budget;       // LimitOptions::candidate_budget
  size_t top = 10;                 // rows that are shown
  engine::VariantChoice choice{};  // which variants; all where that is no more than kMostVariants
  engine::DeviceChoice device = engine::DeviceChoice::Auto;
  // What first fails is kept of each variant, which takes a tenth of the time; else it is found again for who asks.
  bool keeps_details = false;

  static constexpr u64 kMostVariants = 1'000'000, kSample = 100'000;
};

// "exact 1e-09 0.001", as `:score` takes it. `score`: that of the settings, or the one that follows where they have
// none.
[[nodiscard]] std::string score_text(engine::ScoreKind score, const VariantSettings& settings);

// How what is shown may look.
struct ShownStyle {
  services::RenderStyle style;
  std::optional<u32> columns;  // of the terminal; none: lines are as long as they are
};

// What a plain program gives, as text and JSON; or what is wrong, as text alone.
struct RunText {
  std::string text, json;
  Trap trap = Trap::None;
  [[nodiscard]] bool is_value() const { return !json.empty(); }
};

// Told how far an evaluation has come, and each time that a better score is found, which.
class VariantProgress : public engine::ProgressSink {
 public:
  virtual void on_best(std::string score) = 0;
};

class Variants {
 public:
  // Who is told, until it is destroyed.
  using MakeProgress = std::function<std::unique_ptr<VariantProgress>()>;

  Variants(Session& session, ShownStyle style, MakeProgress make_progress)
      : session_(session), style_(style), make_progress_(std::move(make_progress)) {}

  [[nodiscard]] CaseSet& cases() { return cases_; }
  [[nodiscard]] const CaseSet& cases() const { return cases_; }
  [[nodiscard]] VariantSettings& settings() { return settings_; }
  [[nodiscard]] const VariantSettings& settings() const { return settings_; }
  // By which lines are ranked: as it is stated; else by squared errors where floats are expected, as long as no case
  // has a tolerance.
  [[nodiscard]] engine::ScoreKind score() const { return settings_.score.value_or(implied_score_); }
  // Makes the score follow from the line, or where there is none from the cases. Returns what is to be said of it.
  [[nodiscard]] std::string follow_score();
  [[nodiscard]] const ShownStyle& style() const { return style_; }
  void set_columns(u32 columns) { style_.columns = style_.style.width = columns; }
  // Does the text name a column of the cases?
  [[nodiscard]] bool names_column(std::string_view text) const;
  // … or does it but for its capitals?
  [[nodiscard]] bool may_name_column(std::string_view text) const;

  // Is it an expression that names a column which hides a constant of the language, such as `E`? Then it is a line on
  // the cases, though it would mean something without them.
  [[nodiscard]] bool hides_constant(std::string_view text) const;
  // Does the column hide a constant?
  [[nodiscard]] bool is_hidden_constant(std::string_view name) const;

  // The line is what all else is about from then on.
  [[nodiscard]] Answer evaluate(const Input& input, const std::stop_token& stop);
  // What the line is worth and how many variants it has, "f64, 18 variants", without running any. False where it has
  // errors, which the answer says.
  [[nodiscard]] bool check(const Input& input, std::string& type, Answer& answer);
  // The same of any input: of the session, or a line.
  [[nodiscard]] bool check_input(const Input& input, std::string& type, Answer& answer);
  // The ranking is of other cases or another score; of other columns the line is, too.
  void forget_ranking() { results_.reset(); }
  void forget_line() {
    results_.reset();
    line_.reset();
    imply_score();
  }
  // Variants of the same line that a search comes by.
  [[nodiscard]] Answer search(const Input& words, const engine::SearchOptions& options,
                              const std::stop_token& stop);
  // Of the results that are there.
  [[nodiscard]] Answer ranking(const Input& words, services::TableRows which);
  // The ranking of the line, or what some of its variants are worth. There is a line.
  [[nodiscard]] Answer show_again(const Input& words, const std::stop_token& stop);

  // Null: no line has had variants yet, or none has been run on cases.
  [[nodiscard]] LineSketch* line() { return line_.get(); }
  // All of them, ranked, which takes a while of a million.
  [[nodiscard]] const engine::Results* results();
  // The name of a variant whose name is shown as this, which may be cut: of one of those that were shown last. Returns
  // what is wrong where there is none, or are several.
  [[nodiscard]] std::string whole_name(std::string_view shown, std::string& out) const;
  // What the results hold of a row beside it, which is kept, or comes of another run.
  [[nodiscard]] engine::WriteDetails details(const std::stop_token& stop);
  // One variant on all cases, with details.
  [[nodiscard]] engine::Problem evaluate_one(const engine::Decisions& decisions,
                                             engine::CaseScores scores, const std::stop_token& stop,
                                             engine::Results& out);
  // Is a line run without cases, and not for what it is worth?
  [[nodiscard]] bool runs_once() const;
  // What programs run on; found when it is first asked for.
  [[nodiscard]] const engine::Device& device();
  void forget_device() { device_.reset(); }

 private:
  void imply_score();
  [[nodiscard]] engine::EvaluateOptions options();
  [[nodiscard]] Answer run(const Input& input, engine::CandidateSource& candidates,
                           engine::EvaluateOptions options, engine::ResultSink* sink,
                           const std::stop_token& stop);
  // Of some variants what each is worth.
  [[nodiscard]] Answer list_values(const std::stop_token& stop);
  struct ListedValue {
    std::string id;
    engine::Decisions decisions;
    RunText run;
  };
  [[nodiscard]] std::vector<ListedValue> run_listed(const std::stop_token& stop);
  [[nodiscard]] std::string listed_text(std::span<const ListedValue> list);
  // What JSON says of a line, whether its variants are listed or ranked.
  [[nodiscard]] nlohmann::ordered_json line_members() const;
  // The line as a program; null where it has errors, which the answer says.
  [[nodiscard]] std::unique_ptr<LineSketch> read_line(const Input& input, Answer& answer);
  // The decisions of a variant with this name; empty where it has none.
  [[nodiscard]] engine::Decisions decisions_of(std::string_view id) const;
  void tell_ranking(services::TableRows which, Answer& answer);
  [[nodiscard]] std::string function_name(std::string_view text) const;

  Session& session_;
  ShownStyle style_;
  MakeProgress make_progress_;
  CaseSet cases_;
  VariantSettings settings_;
  // What the score is where none is stated, and what was last said of it.
  engine::ScoreKind implied_score_ = engine::ScoreKind::Exact, told_score_ = implied_score_;
  std::optional<engine::Device> device_;

  std::unique_ptr<LineSketch> line_;
  std::unique_ptr<engine::Results> results_;
  size_t ranked_ = 0;                // so many of the best are ranked, where not all are
  std::vector<std::string> listed_;  // names of those that were run without cases
};

}  // namespace komuz::repl

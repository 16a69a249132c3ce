// SPDX-License-Identifier: Apache-2.0
// Lines with open decisions: all variants of a line, or a sample, run at once, on the session's cases if there are
// any, otherwise once each.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/device.h"
#include "engine/results/report.h"
#include "engine/run/evaluate.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "repl/variants/case_set.h"
#include "repl/variants/line_sketch.h"
#include "services/results/ranking_text.h"
#include "services/session/live_session.h"

namespace komuz::repl {

struct VariantSettings {
  std::optional<engine::ScoreKind> score;  // none is stated: it follows from the expected values
  f64 tolerance = 0;
  std::optional<f64> measure;  // as RankingOptions has it
  std::optional<u64> budget;   // EvaluateOptions::candidate_budget
  size_t top = 10;             // rows that are shown
  std::optional<f64> split;    // a share of the cases that is held out, drawn by the seed
  u64 split_seed = 0;
  engine::VariantChoice choice{};  // all variants if there are no more than kMostVariants
  engine::DeviceChoice device;
  // Keeps the first failure of each variant, which takes a tenth of the time; otherwise it is computed again on
  // request.
  bool keeps_details = false;

  static constexpr u64 kMostVariants = 1'000'000, kSample = 100'000;
};

// "exact 1e-09 0.001", in the form of `:score`. `score`: that of the settings, or the implied one if they have none.
[[nodiscard]] std::string score_text(engine::ScoreKind score, const VariantSettings& settings);

// The style of the output.
struct ShownStyle {
  services::RenderStyle style;
  std::optional<u32> columns;  // of the terminal; none: lines are not cut
};

// The result of a plain program, as text and JSON, or a fault, as text alone.
struct RunText {
  std::string text, json;
  Trap trap = Trap::None;
  [[nodiscard]] bool is_value() const { return !json.empty(); }
};

// Told the progress of an evaluation, and each better score when it is found.
class VariantProgress : public engine::ProgressSink {
 public:
  virtual void on_best(std::string score) = 0;
};

class Variants {
 public:
  // Makes the listener, which is told until it is destroyed.
  using MakeProgress = std::function<std::unique_ptr<VariantProgress>()>;

  Variants(Session& session, ShownStyle style, MakeProgress make_progress)
      : session_(session), style_(style), make_progress_(std::move(make_progress)) {}

  [[nodiscard]] const ShownStyle& shown_style() const { return style_; }
  [[nodiscard]] CaseSet& cases() { return cases_; }
  [[nodiscard]] const CaseSet& cases() const { return cases_; }
  // For attached editors; `known`: what they have, whose bytes are given again where they are the same. None: there are no cases, or
  // lines are ranked by their values.
  [[nodiscard]] std::optional<services::LiveSession::Cases> live_cases(
      const std::optional<services::LiveSession::Cases>& known) const;
  [[nodiscard]] VariantSettings& settings() { return settings_; }
  [[nodiscard]] const VariantSettings& settings() const { return settings_; }
  // The score that ranks lines: as stated, or else squared errors if floats are expected and no case has a tolerance.
  [[nodiscard]] engine::ScoreKind score() const { return settings_.score.value_or(implied_score_); }
  // Derives the score from the line or, if there is none, from the cases. Returns a remark on it.
  [[nodiscard]] std::string follow_score();
  [[nodiscard]] const ShownStyle& style() const { return style_; }
  void set_columns(u32 columns) { style_.columns = style_.style.width = columns; }
  // True if the text names a column of the cases.
  [[nodiscard]] bool names_column(std::string_view text) const;
  // The same, but ignoring case.
  [[nodiscard]] bool may_name_column(std::string_view text) const;

  // True for an expression that names a column which hides a constant of the language, such as `E`. It is then a line
  // on the cases, though it would have a meaning without them.
  [[nodiscard]] bool hides_constant(std::string_view text) const;
  // True if the column hides a constant.
  [[nodiscard]] bool is_hidden_constant(std::string_view name) const;

  // Evaluates the line, which all other functions refer to from then on.
  [[nodiscard]] Answer evaluate(const Input& input, const std::stop_token& stop);
  // The type of the line's value and the number of its variants, "f64, 18 variants", without running any. False if it
  // has errors, which are in the answer.
  [[nodiscard]] bool check(const Input& input, std::string& type, Answer& answer);
  // The same for any input: of the session, or a line.
  [[nodiscard]] bool check_input(const Input& input, std::string& type, Answer& answer);
  // Called when the ranking is for other cases or another score; after a change of columns the line is obsolete as
  // well.
  void forget_ranking() { results_.reset(); }
  void forget_line() {
    results_.reset();
    line_.reset();
    imply_score();
  }
  // The best variants of the same line that a search finds.
  [[nodiscard]] Answer search(const Input& words, const engine::SearchOptions& options,
                              const std::stop_token& stop);
  // For the present results.
  [[nodiscard]] Answer ranking(const Input& words, services::TableRows which);
  // The ranking of the line, or the values of some of its variants. There must be a line.
  [[nodiscard]] Answer show_again(const Input& words, const std::stop_token& stop);

  // Null: no line has had variants yet, or none has been run on cases.
  [[nodiscard]] LineSketch* line() { return line_.get(); }
  // All results, ranked, which takes a while for a million.
  [[nodiscard]] const engine::Results* results();
  // Completes a variant's shown name, which may be cut, among those shown last, or takes a rank of the last table, `@1`.
  // Returns the fault if there are none or several.
  Problem whole_name(std::string_view shown, std::string& out);
  // The details beside a row, which have been kept or come from another run.
  [[nodiscard]] engine::WriteDetails details(const std::stop_token& stop);
  // One variant on all cases, with details.
  Problem evaluate_one(const engine::Decisions& decisions, engine::CaseScores scores,
                       const std::stop_token& stop, engine::Results& out);
  // True if a line runs without cases, and not for its value.
  [[nodiscard]] bool runs_once() const;
  // The text of a variant's program; with a score that fits a line, the line is part of it.
  [[nodiscard]] Result<std::string> program_of(const engine::Decisions& decisions,
                                               const std::stop_token& stop);
  // What programs run on; chosen on first use.
  [[nodiscard]] const engine::Devices& devices();
  // The one of the settings, which is opened once. A problem: it is not there, and lines run on the CPU.
  Problem open_devices();
  void forget_devices() { devices_.reset(); }

 private:
  void imply_score();
  [[nodiscard]] engine::EvaluateOptions options();
  [[nodiscard]] Answer run(const Input& input, engine::CandidateSource& candidates,
                           engine::EvaluateOptions options, engine::ResultSink* sink,
                           const std::stop_token& stop);
  // The values of some variants.
  [[nodiscard]] Answer list_values(const std::stop_token& stop);
  struct ListedValue {
    std::string id;
    engine::Decisions decisions;
    RunText run;
  };
  [[nodiscard]] std::vector<ListedValue> run_listed(const std::stop_token& stop);
  [[nodiscard]] std::string listed_text(std::span<const ListedValue> list);
  // The JSON members of a line, whether its variants are listed or ranked.
  [[nodiscard]] std::string line_members() const;
  // The line as a program; null if it has errors, which are in the answer.
  [[nodiscard]] std::unique_ptr<LineSketch> read_line(const Input& input, Answer& answer);
  // The decisions of the variant with this name; empty if there is none.
  [[nodiscard]] engine::Decisions decisions_of(std::string_view id) const;
  void tell_ranking(services::TableRows which, Answer& answer);
  [[nodiscard]] Result<std::string> ranked_name(std::string_view rank);
  [[nodiscard]] std::string function_name(std::string_view text) const;

  Session& session_;
  ShownStyle style_;
  MakeProgress make_progress_;
  CaseSet cases_;
  VariantSettings settings_;
  // The score if none is stated, and the last one that was reported.
  engine::ScoreKind implied_score_ = engine::ScoreKind::Exact, told_score_ = implied_score_;
  std::optional<engine::Devices> devices_;

  std::unique_ptr<LineSketch> line_;
  std::unique_ptr<engine::Results> results_;
  size_t ranked_ = 0;  // how many of the best are ranked, if not all
  services::TableRows told_rows_ = services::TableRows::Best;  // of the last table
  std::vector<std::string> listed_;  // of variants that were run without cases
};

}  // namespace komuz::repl

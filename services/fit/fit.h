// SPDX-License-Identifier: Apache-2.0
// From numbers to a formula. What goes in is a table of numbers (engine/fit/fit_data.h); what comes out is a front
// of formulas, each with its size and its errors, and which of them is taken.
//
//   split    rows are held out, drawn by a seed; a search looks at no more than FitOptions::search_rows of the others
//   pick     of many columns those that are worth most (engine/fit/pick_inputs.h)
//   search   a sketch is written for them (engine/fit/fit_sketch.h), and searched once for each seed (formula_search.h)
//   judge    what was found is simplified, and run on all rows (judge.h)
//   select   the front, and the formula on it (select_formula.h)
//
// With folds, each size is judged by searches that have left out a part of the rows each; the formulas are those of
// a search on all rows.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/fit/fit_data.h"
#include "engine/fit/fit_operators.h"
#include "engine/sketch/encode/find_starts.h"
#include "services/fit/fit_loss.h"
#include "services/fit/formula.h"
#include "services/fit/formula_search.h"
#include "services/fit/monotone.h"
#include "services/fit/select_formula.h"

namespace komuz::services {

struct FitOptions {
  FitLoss loss = FitLoss::Squared;
  std::optional<f64> measure = {};  // the delta or the quantile of the loss; none: by default
  engine::OperatorSet operators = engine::default_operators();
  u32 depth = 4;                      // how deeply terms nest
  std::optional<u32> most_size = {};  // of a formula
  u32 most_inputs = 10;
  f64 split = 0.2;  // share of the rows that is held out; 0: none
  u64 split_seed = 0;
  u32 folds = 0;           // 0: none
  u32 search_rows = 2000;  // that a search looks at, at most
  u64 seed = 0;
  u32 seeds = 1;  // searches, with this seed and those that follow it
  u32 population = 200;
  std::optional<u64> generations = {};  // of each search; none: as many as the time allows
  // Of the searches one by one, those of folds first; empty: all as above.
  std::vector<u64> generations_of_searches = {};
  std::chrono::milliseconds time{0};        // of all searches together; zero: no limit
  std::optional<Selection> selection = {};  // none: by default
  std::vector<Monotone> monotone = {};      // inputs that formulas only rise or fall with
  engine::MachineOptions machines = {};
};

// Fewer rows are judged by so many folds, unless something else is said: a fifth of few rows says little.
inline constexpr u32 kFewRows = 100, kUsualFolds = 5;
// The folds of a table where nothing is said; 0: none.
[[nodiscard]] u32 usual_folds(const engine::FitData& data);

// Keeps a log of each search; those of folds come first.
class FitLogs {
 public:
  virtual ~FitLogs() = default;
  // How many generations the log of an earlier run has, if that search came to its end; else none.
  virtual std::optional<u64> ended(u32 search) = 0;
  // `options`: settled.
  virtual Problem open(u32 search, u64 seed, const engine::EvaluateOptions& options,
                       const engine::CasesTable& cases, engine::ResultLog& log) = 0;
};

struct FitInputs {
  const engine::FitData& data;
  const engine::FitData* held_out =
      nullptr;  // rows of another table, with the same inputs; null: FitOptions::split
  std::span<const engine::GivenProgram> given = {};
  // Searches write their results there, or take them from there. Null: nowhere.
  FitLogs* logs = nullptr;
};

struct FittedSearch {
  u64 seed = 0, generations = 0, candidates = 0;
  bool has_reached_target = false;
};

struct Fit {
  std::string function;  // the name of the formula's function
  engine::FitData data;  // with the inputs that formulas may use
  u32 all_inputs = 0;    // of the table
  std::string sketch;
  u32 training_rows = 0, held_out_rows = 0, searched_rows = 0, folds = 0;
  std::vector<FitFormula> front;
  std::optional<Selected> selected;
  std::vector<FittedSearch> searches;
  bool is_complete = false;       // false: stopped
  u32 given_without_numbers = 0;  // programs that were given, and take no part
  engine::Starts starts;          // of the other ones: those that searches have begun with
  // Those that take part, the best first.
  struct GivenScore {
    std::string id;
    u32 size = 0;
    FormulaErrors training, held_out;
  };
  std::vector<GivenScore> given;
  // The rows of the tables, in the order of the losses.
  std::vector<u32> training, held_out;
};

// Told how it goes, by the calling thread.
class FitWatch {
 public:
  virtual ~FitWatch() = default;
  struct Progress {
    u32 search = 0, searches = 1;
    u64 generations = 0, candidates = 0;
    f64 seconds = 0;
    std::optional<f64> fraction;  // of the whole
  };
  virtual void on_progress(const Progress& progress) = 0;
  // The front so far has changed. At most once in half a second.
  virtual void on_front(std::span<const FitFormula> front) = 0;
  // The searches have ended, also by a stop. The rest takes a moment.
  virtual void on_searched() {}
};

// A stop ends the searches; what they have found is still judged, and `is_complete` is false.
Result<Fit> fit(const FitInputs& inputs, const FitOptions& options, FitWatch& watch,
                const std::stop_token& stop);

}  // namespace komuz::services

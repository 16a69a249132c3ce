// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "base/counts.h"
#include "engine/cases/split_cases.h"
#include "engine/fit/fit_cases.h"
#include "engine/fit/fit_sketch.h"
#include "engine/fit/pick_inputs.h"
#include "engine/fit/unit_sketch.h"
#include "engine/log/result_log.h"
#include "engine/sketch/sketch_program.h"
#include "engine/values/value_text.h"
#include "services/charts/number_text.h"
#include "services/fit/described_formula.h"
#include "services/fit/draw_rows.h"
#include "services/fit/formula_search.h"
#include "services/fit/judge.h"
#include "services/fit/settle_numbers.h"
#include "services/fit/start_formula.h"
#include "services/fit/waves.h"

namespace komuz::services {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<f64>;

// Fewer rows are not split: what a few rows say of a formula is chance.
constexpr u32 kLeastToSplit = 10;
// Formulas are judged by no more rows of a table.
constexpr u32 kMostJudged = 100'000;
// A search ends once its score is as good as this: what is left is rounding.
constexpr f64 kEnough = 1 - 1e-15;
constexpr size_t kOfEachSizeToChoose = 20;
constexpr std::chrono::milliseconds kPause{500};  // between fronts that are told

// Formulas of variants and of programs that are given: each is written and judged once.
class Formulas {
 public:
  Formulas(const engine::SketchProgram& sketch, const JudgeOptions& options,
           const MonotoneCheck& monotone, const WaveCheck& waves,
           const engine::CasesTable& training, const engine::CasesTable& held_out)
      : sketch_(sketch),
        writer_(sketch),
        options_(options),
        monotone_(monotone),
        waves_(waves),
        training_(training),
        held_out_(held_out) {}

  Problem add(const std::vector<FoundVariant>& found, u64 seed, const std::stop_token& stop) {
    std::vector<const FoundVariant*> waiting;
    for (const FoundVariant& one : found)
      if (!known_.contains(one.variant)) waiting.push_back(&one);
    std::vector<FitFormula> added;
    // What gives no number once numbers have met is written as it was found.
    for (const Exactness exactness : {Exactness::ToRounding, Exactness::ToTheBit}) {
      std::vector<FitFormula> written;
      for (const FoundVariant* const one : waiting) {
        FitFormula formula;
        formula.seed = seed;
        if (writer_.write(one->variant, one->line ? &*one->line : nullptr, exactness, formula))
          written.push_back(std::move(formula));
      }
      if (Problem problem = judge(training_, options_, JudgedRows::Training, written, stop))
        return problem;
      std::erase_if(written, [](const FitFormula& one) { return !one.training.is_known; });
      for (const FitFormula& one : written)
        std::erase_if(waiting, [&one](const FoundVariant* found_one) {
          return found_one->variant == one.variant;
        });
      added.insert(added.end(), std::make_move_iterator(written.begin()),
                   std::make_move_iterator(written.end()));
    }
    if (Problem problem = keep(std::move(added), stop)) return problem;
    for (const FoundVariant& one : found) known_.insert(one.variant);
    return {};
  }
  // `left_out`: how many give no number.
  Problem add_given(std::vector<FitFormula> given, const std::stop_token& stop, u32& left_out) {
    if (Problem problem = judge(training_, options_, JudgedRows::Training, given, stop))
      return problem;
    left_out = static_cast<u32>(
        std::erase_if(given, [](const FitFormula& one) { return !one.training.is_known; }));
    return keep(std::move(given), stop);
  }
  // Those of them that take part.
  [[nodiscard]] std::vector<const FitFormula*> given() const {
    std::vector<const FitFormula*> out;
    for (const FitFormula& one : all_)
      if (one.is_given) out.push_back(&one);
    return out;
  }
  // With the same formulas.
  [[nodiscard]] std::unique_ptr<Formulas> copy() const {
    auto out =
        std::make_unique<Formulas>(sketch_, options_, monotone_, waves_, training_, held_out_);
    out->known_ = known_;
    out->all_ = all_;
    return out;
  }
  [[nodiscard]] std::vector<FitFormula> front(std::optional<u32> most_size) const {
    std::vector<FitFormula> out = all_;
    if (most_size) std::erase_if(out, [&](const FitFormula& one) { return one.size > *most_size; });
    keep_front(out);
    return out;
  }
  // Those of at most this size that are not on the front, by their loss.
  [[nodiscard]] std::vector<FitFormula> behind(const std::vector<FitFormula>& front,
                                               std::optional<u32> most_size) const {
    std::vector<FitFormula> out = all_;
    std::erase_if(out, [&](const FitFormula& one) {
      return one.size > most_size.value_or(one.size) ||
             std::ranges::find(front, one.program, &FitFormula::program) != front.end();
    });
    std::ranges::stable_sort(out, {}, [](const FitFormula& one) { return one.training.mean_loss; });
    return out;
  }

 private:
  Problem keep(std::vector<FitFormula> formulas, const std::stop_token& stop) {
    waves_.keep_slow(formulas);
    if (Problem problem = monotone_.keep_monotone(formulas, options_.threads, stop)) return problem;
    if (Problem problem = judge(held_out_, options_, JudgedRows::HeldOut, formulas, stop))
      return problem;
    all_.insert(all_.end(), std::make_move_iterator(formulas.begin()),
                std::make_move_iterator(formulas.end()));
    return {};
  }

  const engine::SketchProgram& sketch_;
  FitFormulaWriter writer_;
  const JudgeOptions& options_;
  const MonotoneCheck& monotone_;
  const WaveCheck& waves_;
  const engine::CasesTable& training_;
  const engine::CasesTable& held_out_;
  std::set<std::string> known_;  // variants
  std::vector<FitFormula> all_;
};

class Fitter {
 public:
  Fitter(const FitInputs& inputs, const FitOptions& options, FitWatch& watch,
         const std::stop_token& stop)
      : inputs_(inputs),
        options_(options),
        watch_(watch),
        stop_(stop),
        judging_{options.loss, options.measure, options.machines.threads} {}

  Result<Fit> run();

 private:
  // Of one table of rows that are searched, and others that are only judged.
  struct Round {
    std::vector<u32> training, held_out;
    u64 seed = 0;
    u32 number = 0;
  };
  void split(Fit& out);
  Problem check_options() const;
  // Where the loss is of classes, there are two of them.
  Problem check_classes() const;
  // Where misses are shares of the target, it is nowhere 0; then weights say so.
  Problem take_shares(engine::FitData& data) const;
  // Of all rows about so many, or whole groups.
  std::vector<u32> draw(std::vector<u32>& rows, size_t wanted, u64 seed, size_t groups_left) const;
  Problem prepare(Fit& out);
  [[nodiscard]] engine::CasesTable judged_cases(std::span<const u32> rows) const;
  [[nodiscard]] std::chrono::milliseconds time_for_one(u32 rounds_left) const;
  Problem search(const Round& round, Formulas& formulas, Fit& out);
  // Numbers are fitted to all rows, and those that these do not determine go, as their digits do.
  Result<std::vector<FitFormula>> finished_front(const Formulas& formulas,
                                                 const engine::CasesTable& training,
                                                 const engine::CasesTable& held_out) const;
  Problem search_folds(Fit& out);
  Problem add_given(Formulas& formulas, Fit& out);
  void find_starts(std::vector<const FitFormula*> given, Fit& out);
  // The mean of the target, which gives a number on all rows: a search of a few formulas may have found none that does.
  Problem add_number(const Fit& out, Formulas& formulas) const;
  void take_fold_errors(Fit& out);

  const FitInputs& inputs_;
  const FitOptions& options_;
  FitWatch& watch_;
  const std::stop_token& stop_;
  const JudgeOptions judging_;
  engine::FitData data_;  // with the inputs that were picked
  MonotoneCheck monotone_;
  WaveCheck waves_;
  std::optional<engine::SketchProgram> sketch_;
  u32 rounds_ = 1, round_ = 0;
  Clock::time_point start_ = Clock::now();
  // Of each fold: its rows, and its front.
  struct Fold {
    std::vector<u32> rows;
    std::vector<FitFormula> front;
  };
  std::vector<Fold> folds_;
  std::shared_ptr<const std::vector<engine::Decisions>> starts_;  // that searches begin with
};

std::vector<u32> Fitter::draw(std::vector<u32>& rows, size_t wanted, u64 seed,
                              size_t groups_left) const {
  const std::vector<f64>& groups = inputs_.data.groups;
  return groups.empty() ? draw_rows(rows, wanted, seed)
                        : draw_groups(rows, wanted, seed, groups, groups_left);
}

void Fitter::split(Fit& out) {
  const u32 count = inputs_.data.rows();
  out.training = all_rows(count);
  const bool splits = inputs_.held_out == nullptr && options_.folds == 0 && options_.split > 0 &&
                      count >= kLeastToSplit;
  if (splits)
    out.held_out =
        draw(out.training, engine::cases_in_share(count, options_.split), options_.split_seed, 1);
  out.training_rows = static_cast<u32>(out.training.size());
  out.held_out_rows = inputs_.held_out != nullptr ? inputs_.held_out->rows()
                      : options_.folds != 0       ? count
                                                  : static_cast<u32>(out.held_out.size());
  if (inputs_.held_out != nullptr) out.held_out = all_rows(inputs_.held_out->rows());
  out.folds = options_.folds;
  out.searched_rows = std::min(out.training_rows, options_.search_rows);
}

Problem Fitter::check_classes() const {
  if (!row_of(options_.loss).is_of_classes) return {};
  const engine::FitData& data = inputs_.data;
  const bool has_minus = std::ranges::find(data.expected, -1.0) != data.expected.end();
  const auto is_class = [has_minus](f64 x) { return x == 1 || x == (has_minus ? -1.0 : 0.0); };
  const auto odd = std::ranges::find_if_not(data.expected, is_class);
  if (odd == data.expected.end()) return {};
  const u64 line = data.lines[static_cast<size_t>(odd - data.expected.begin())];
  return input_problem({data.file, line},
                       "the target is " + short_text(*odd) + " here, and `--loss " +
                           std::string(row_of(options_.loss).name) + "` is for two classes",
                       "write classes as 0 and 1, or as -1 and 1");
}

Problem Fitter::check_options() const {
  const engine::FitData& data = inputs_.data;
  if (!data.groups.empty() && options_.folds > data.group_count)
    return input_problem({data.file},
                         "`--group` " + engine::shown(data.group_column) + " makes " +
                             counted(data.group_count, "group") + ", and " +
                             grouped(options_.folds) + " folds are wanted",
                         "each fold leaves out a group at least: `--folds` takes no more");
  const size_t stated = options_.generations_of_searches.size();
  const u32 searches = options_.folds + options_.seeds;
  if (stated == 0 || stated == searches) return check_classes();
  return option_problem(
      "`--generations` has " + counted(stated, "number") + ", and there " +
          (searches == 1 ? "is 1 search" : "are " + grouped(searches) + " searches"),
      "give one number for all, or one for each, those of folds first");
}

Problem Fitter::take_shares(engine::FitData& data) const {
  if (!row_of(options_.loss).is_relative) return {};
  if (data.weights.empty()) {
    data.weights.assign(data.rows(), 1);
    // Rows of a table have weights if a column of them has a name.
    data.weights_column = data.target;
  }
  for (u32 row = 0; row < data.rows(); ++row) {
    const f64 expected = data.expected[row], square = expected * expected;
    if (data.weights[row] == 0) continue;
    if (square != 0 && std::isfinite(1 / square) && std::isfinite(square)) {
      data.weights[row] /= square;
      continue;
    }
    return input_problem({data.file, data.lines[row]},
                         "the target is " + short_text(expected) +
                             " here, and `--loss relative` counts misses as shares of it",
                         "leave such rows out, or take another loss");
  }
  return {};
}

Problem Fitter::prepare(Fit& out) {
  if (Problem problem = check_options()) return problem;
  data_ = inputs_.data;
  if (Problem problem = take_shares(data_)) return problem;
  out.all_inputs = static_cast<u32>(data_.inputs.size());
  const std::vector<u32> picked =
      engine::pick_inputs(data_, out.training, options_.most_inputs, engine::Watch(stop_));
  if (stop_.stop_requested()) return stopped();
  std::vector<u32> in_order = picked;
  for (u32 k = 0; k < data_.inputs.size(); ++k) {
    const engine::FitInput& input = data_.inputs[k];
    const auto is_named = [&](const Monotone& one) {
      return one.column == input.column || one.column == input.name;
    };
    if (std::ranges::any_of(options_.monotone, is_named) &&
        std::ranges::find(in_order, k) == in_order.end())
      in_order.push_back(k);
  }
  std::ranges::sort(in_order);
  engine::keep_inputs(in_order, data_);
  out.function = engine::function_name(data_);
  const bool has_line = engine::fits_line(search_score(options_.loss));
  const engine::FitSketchOptions of_sketch{options_.operators, options_.depth, !has_line};
  if (data_.has_units) {
    Result<std::string> sound = engine::unit_sketch(data_, of_sketch);
    if (sound.problem()) return std::move(sound).problem();
    out.sketch = std::move(sound).value();
  } else {
    out.sketch = engine::fit_sketch(data_, of_sketch);
  }
  sketch_ = engine::read_sketch(out.sketch, {});
  if (!sketch_)
    return input_problem({data_.file}, "no sketch of formulas can be made of these columns",
                         "give columns other names");
  waves_.open(data_, out.training);
  return monotone_.open(data_, out.training, options_.monotone);
}

engine::CasesTable Fitter::judged_cases(std::span<const u32> rows) const {
  return engine::cases_of(data_,
                          at_most({rows.begin(), rows.end()}, kMostJudged, options_.split_seed));
}

std::chrono::milliseconds Fitter::time_for_one(u32 rounds_left) const {
  if (options_.time.count() == 0) return options_.time;
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  const std::chrono::milliseconds left = (options_.time - spent) / std::max<u32>(rounds_left, 1);
  // The fronts of folds take time, too: what comes behind them has some left in any case.
  return std::max({left, options_.time / (4 * rounds_), std::chrono::milliseconds(1)});
}

Problem Fitter::search(const Round& round, Formulas& formulas, Fit& out) {
  const f64 first = data_.expected[round.training.front()];
  if (std::ranges::all_of(round.training, [&](u32 row) { return data_.expected[row] == first; }))
    return input_problem({data_.file}, "all rows that are not held out have the same target",
                         std::string(data_.words.other_split));
  const engine::CasesTable cases =
      engine::cases_of(data_, at_most(round.training, options_.search_rows, options_.split_seed));
  FormulaSearchOptions options;
  options.search.seed = round.seed;
  options.search.population = options_.population;
  const std::vector<u64>& of_searches = options_.generations_of_searches;
  options.search.generations =
      of_searches.empty() ? options_.generations : of_searches[round.number];
  options.search.time = time_for_one(rounds_ - round_);
  options.evaluation.ranking.score = search_score(options_.loss);
  options.evaluation.ranking.measure = options_.measure;
  options.evaluation.machines = options_.machines;
  if (engine::fits_line(options.evaluation.ranking.score)) options.search.target = kEnough;
  // Of those that are not as wanted there may be many, and fast waves go through any few rows.
  if (!options_.monotone.empty() || round.training.size() < kFewRows)
    options.of_each_size = kOfEachSizeToChoose;
  // Folds judge what a search finds by itself: programs from elsewhere may have seen their rows.
  if (round.number >= options_.folds) options.search.starts = starts_;
  engine::ResultLog log;
  if (inputs_.logs != nullptr) {
    // Of several searches by time each has had its share, and goes on no further.
    if (!options.search.generations && rounds_ > 1)
      if (const std::optional<u64> ended = inputs_.logs->ended(round.number)) {
        options.search.generations = ended;
        options.search.time = {};
      }
    options.evaluation.details.log = &log;
    options.on_settled = [&](const engine::EvaluateOptions& settled) {
      return inputs_.logs->open(round.number, round.seed, settled, cases, log);
    };
  }
  const std::chrono::milliseconds whole = options.search.time;
  const std::optional<u64> generations_wanted = options.search.generations;
  const Clock::time_point start = Clock::now();
  Clock::time_point told = start;
  u64 changes = 0;
  // What is shown as it goes depends on the clock, so it is kept apart from what is found.
  const std::unique_ptr<Formulas> shown = formulas.copy();
  Problem problem;
  const auto on_found = [&](const BestBySize& best, u64 generations, u64 candidates) {
    const Clock::time_point now = Clock::now();
    FitWatch::Progress progress{
        round_, rounds_, generations, candidates, Seconds(now - start_).count(), {}};
    f64 share = 0;
    if (whole.count() != 0) share = Seconds(now - start) / Seconds(whole);
    if (generations_wanted)
      share =
          std::max(share, static_cast<f64>(generations) / static_cast<f64>(*generations_wanted));
    if (whole.count() != 0 || generations_wanted)
      progress.fraction = (round_ + std::min(share, 1.0)) / rounds_;
    watch_.on_progress(progress);
    if (now - told < kPause || best.changes() == changes || problem) return;
    told = now;
    changes = best.changes();
    problem = shown->add(best.front(), round.seed, stop_);
    if (!problem) watch_.on_front(shown->front(options_.most_size));
  };
  Result<FormulaSearchResult> found =
      search_formulas(*sketch_, cases, std::move(options), on_found, stop_);
  if (found.problem()) return std::move(found).problem();
  const FormulaSearchResult& result = found.value();
  out.searches.push_back(
      {round.seed, result.generations, result.candidates, result.has_reached_target});
  ++round_;
  // What a stopped search has found is judged all the same.
  return formulas.add(result.found, round.seed, {});
}

Problem Fitter::add_given(Formulas& formulas, Fit& out) {
  std::vector<FitFormula> given;
  const engine::CasesTable cases =
      engine::cases_of(data_, at_most(out.training, options_.search_rows, options_.split_seed));
  for (const engine::GivenProgram& one : inputs_.given) {
    Result<std::string> decided = decided_start(one.program, cases, options_, stop_);
    if (decided.problem()) return std::move(decided).problem();
    FitFormula& formula = given.emplace_back();
    formula.write(std::move(decided).value());
    formula.variant = one.id;
    formula.is_given = true;
  }
  if (Problem problem = formulas.add_given(std::move(given), stop_, out.given_without_numbers))
    return problem;
  find_starts(formulas.given(), out);
  return {};
}

// The best first, so that they have room.
void Fitter::find_starts(std::vector<const FitFormula*> given, Fit& out) {
  if (given.empty()) return;
  std::ranges::stable_sort(given, {},
                           [](const FitFormula* one) { return one->training.mean_loss; });
  std::vector<engine::GivenProgram> programs;
  for (const FitFormula* const one : given) {
    out.given.push_back({one->variant, one->size, one->training, one->held_out});
    programs.push_back({one->variant, one->program});
  }
  const engine::EncodeOptions how{engine::fits_line(search_score(options_.loss))};
  out.starts = engine::find_starts(*sketch_, programs, options_.population / 2, how, stop_);
  starts_ = std::make_shared<const std::vector<engine::Decisions>>(out.starts.variants);
}

Problem Fitter::add_number(const Fit& out, Formulas& formulas) const {
  f64 mean = 0;
  for (const u32 row : out.training)
    mean += data_.expected[row] / static_cast<f64>(out.training.size());
  std::string program = "pub fn " + out.function + "(";
  for (const engine::FitInput& input : data_.inputs)
    program += (program.ends_with('(') ? "" : ", ") + input.name + ": f64";
  program += ") -> f64 { ";
  engine::print_scalar(program, Scalar::F64, std::bit_cast<u64>(std::isfinite(mean) ? mean : 0),
                       engine::ValueStyle::Source);
  FitFormula formula;
  formula.seed = options_.seed;
  formula.write(program + " }");
  u32 left_out = 0;
  return formulas.add_given({std::move(formula)}, {}, left_out);
}

Result<std::vector<FitFormula>> Fitter::finished_front(const Formulas& formulas,
                                                       const engine::CasesTable& training,
                                                       const engine::CasesTable& held_out) const {
  std::vector<FitFormula> front = formulas.front(options_.most_size);
  const Shortening shortening{formulas.behind(front, options_.most_size), !data_.has_units};
  if (Problem problem = settle_numbers(training, judging_, monotone_, front,
                                       stop_.stop_requested() ? nullptr : &shortening, {}))
    return problem;
  waves_.keep_slow(front);
  if (Problem problem = judge(held_out, judging_, JudgedRows::HeldOut, front, {})) return problem;
  keep_front(front);
  return front;
}

Problem Fitter::search_folds(Fit& out) {
  std::vector<u32> left = out.training;
  for (u32 fold = 0; fold < options_.folds && !stop_.stop_requested(); ++fold) {
    const size_t wanted = left.size() / (options_.folds - fold);
    const u32 behind = options_.folds - fold - 1;
    // The last fold takes what is left.
    Round round{{},
                behind == 0 ? std::exchange(left, {})
                            : draw(left, wanted, options_.split_seed + fold, behind),
                options_.seed,
                fold};
    std::ranges::set_difference(out.training, round.held_out, std::back_inserter(round.training));
    const engine::CasesTable training = judged_cases(round.training);
    const engine::CasesTable held_out = engine::cases_of(data_, round.held_out);
    Formulas formulas(*sketch_, judging_, monotone_, waves_, training, held_out);
    if (Problem problem = search(round, formulas, out)) return problem;
    Result<std::vector<FitFormula>> front = finished_front(formulas, training, held_out);
    if (front.problem()) return std::move(front).problem();
    folds_.push_back({std::move(round.held_out), std::move(front).value()});
  }
  return {};
}

// The errors of a size on rows that are held out are those of the folds' formulas of that size.
void Fitter::take_fold_errors(Fit& out) {
  if (options_.folds == 0 || folds_.size() != options_.folds) return;
  const bool is_relative = row_of(options_.loss).is_relative;
  const auto weight_of = [&](u32 row) {
    const f64 weight = data_.weights.empty() ? 1 : data_.weights[row];
    return is_relative ? weight * data_.expected[row] * data_.expected[row] : weight;
  };
  f64 weights = 0, mean = 0, total = 0;
  for (const u32 row : out.training) weights += weight_of(row);
  for (const u32 row : out.training) mean += weight_of(row) * data_.expected[row] / weights;
  for (const u32 row : out.training)
    total += weight_of(row) * (data_.expected[row] - mean) * (data_.expected[row] - mean);
  for (FitFormula& formula : out.front) {
    FormulaErrors errors;
    errors.is_known = true;
    errors.is_of_classes = row_of(options_.loss).is_of_classes;
    f64 sum = 0;
    for (const Fold& fold : folds_) {
      const FitFormula* same = nullptr;
      for (const FitFormula& one : fold.front)
        if (one.size <= formula.size && one.held_out.is_known) same = &one;
      if (same == nullptr || same->held_out.losses.size() != fold.rows.size()) {
        errors.is_known = false;
        break;
      }
      for (const f64 loss : same->held_out.losses) {
        errors.losses.push_back(loss);
        sum += loss;
      }
      errors.folds.push_back(same->held_out.mean_loss);
      f64 of_fold = 0;
      for (const u32 row : fold.rows) of_fold += weight_of(row);
      errors.right += same->held_out.right * of_fold / weights;
    }
    if (!errors.is_known) {
      formula.held_out = {};
      continue;
    }
    errors.mean_loss = sum / weights;
    errors.has_unexplained = errors.has_r2 = options_.loss == FitLoss::Squared && total > 0;
    if (errors.has_r2) {
      errors.unexplained = sum / total;
      errors.r2 = 1 - errors.unexplained;
    }
    formula.held_out = std::move(errors);
  }
}

Result<Fit> Fitter::run() {
  Fit out;
  split(out);
  if (Problem problem = prepare(out)) return problem;
  rounds_ = options_.folds + options_.seeds;
  if (Problem problem = search_folds(out)) return problem;
  const engine::CasesTable training = judged_cases(out.training);
  engine::CasesTable held_out;
  if (inputs_.held_out == nullptr) {
    held_out = judged_cases(out.held_out);
  } else {
    engine::FitData other = *inputs_.held_out;
    std::vector<u32> kept;
    for (u32 k = 0; k < other.inputs.size(); ++k)
      if (std::ranges::any_of(data_.inputs, [&](const engine::FitInput& one) {
            return one.name == other.inputs[k].name;
          }))
        kept.push_back(k);
    engine::keep_inputs(kept, other);
    if (Problem problem = take_shares(other)) return problem;
    held_out = engine::cases_of(other, at_most(out.held_out, kMostJudged, options_.split_seed));
  }
  Formulas formulas(*sketch_, judging_, monotone_, waves_, training, held_out);
  if (Problem problem = add_given(formulas, out)) return problem;
  for (u32 k = 0; k < options_.seeds && (k == 0 || !stop_.stop_requested()); ++k)
    if (Problem problem = search(
            {out.training, out.held_out, options_.seed + k, options_.folds + k}, formulas, out))
      return problem;
  watch_.on_searched();
  Result<std::vector<FitFormula>> front = finished_front(formulas, training, held_out);
  // A stop came while folds were searched: what these have found is better than nothing.
  if (!front.problem() && front.value().empty() && stop_.stop_requested() && !folds_.empty()) {
    std::vector<FitFormula> of_folds;
    for (const Fold& fold : folds_)
      of_folds.insert(of_folds.end(), fold.front.begin(), fold.front.end());
    u32 left_out = 0;
    if (Problem problem = formulas.add_given(std::move(of_folds), {}, left_out)) return problem;
    front = finished_front(formulas, training, held_out);
  }
  // A number has no unit.
  if (!front.problem() && front.value().empty() && !data_.has_units && !stop_.stop_requested()) {
    if (Problem problem = add_number(out, formulas)) return problem;
    front = finished_front(formulas, training, held_out);
  }
  if (front.problem()) return std::move(front).problem();
  out.front = std::move(front).value();
  take_fold_errors(out);
  for (FitFormula& formula : out.front)
    if (!formula.is_given) formula.program = with_used_parameters(formula.program);
  for (FitFormula& formula : out.front) formula.has_poles = has_poles(formula.program, data_);
  out.selected = select_formula(out.front, options_.selection.value_or(Selection{}));
  out.is_complete = !stop_.stop_requested();
  // As they were judged.
  out.training = at_most(std::move(out.training), kMostJudged, options_.split_seed);
  out.held_out = at_most(std::move(out.held_out), kMostJudged, options_.split_seed);
  out.data = std::move(data_);
  return out;
}

}  // namespace

u32 usual_folds(const engine::FitData& data) {
  if (data.rows() < kLeastToSplit || data.rows() >= kFewRows) return 0;
  return data.groups.empty() ? kUsualFolds : std::min(kUsualFolds, data.group_count);
}

Result<Fit> fit(const FitInputs& inputs, const FitOptions& options, FitWatch& watch,
                const std::stop_token& stop) {
  return Fitter(inputs, options, watch, stop).run();
}

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit_request.h"

#include <charconv>

#include "engine/cases/cases_table.h"
#include "engine/fit/fit_operators.h"
#include "engine/values/value_text.h"
#include "services/export/export.h"
#include "services/options/common_options.h"
#include "services/options/evaluation_options.h"

namespace komuz::services {
namespace {

constexpr std::chrono::seconds kUsualTime{60};

constexpr std::string_view kSelections[] = {"smallest", "knee", "best", "size"};

constexpr OptionRow kOptions[] = {
    {"target", "COLUMN",
     "what a formula is looked for; default: `target`, `expected`, `y`, or the last column"},
    {"input", "COLUMN", "a column that the formula may use; repeat it; default: all others"},
    {"ignore", "COLUMN", "a column that it may not use; repeat it"},
    {"category", "COLUMN", "take its numbers as categories, as texts are; repeat it"},
    {"group", "COLUMN", "rows with the same value there are held out together"},
    {"inputs", "N", "of more columns the N that are worth most are used (default 10)"},
    {"time", "TIME", "for all searches together, such as 30s, 10m (default 60s)"},
    {"generations", "N[,N...]",
     "end each search after so many generations instead: the same on every machine; or a number "
     "for each search, those of folds first"},
    {"loss", "KIND",
     "squared (default), relative, absolute, huber, quantile, log-cosh, or of two classes logistic "
     "or hinge",
     one_of(kFitLossNames)},
    kDeltaOption,
    kQuantileOption,
    kWeightsOption,
    {"operators", "NAMES",
     "of formulas, such as \"+ - * exp\" (default: + - * / ^2 sqrt exp log sin cos tanh)"},
    {"units", "UNITS", "formulas have to be sound by these, such as \"x=m, t=s, v=m/s\""},
    {"monotone", "INPUTS", "only formulas that rise with `x` and fall with `y`: \"x+, y-\""},
    {"max-size", "N", "formulas have at most so many variables, numbers, operators and calls"},
    {"depth", "N", "how deeply terms nest (default 4)"},
    {"select", "HOW", "which formula is taken: smallest (default), knee, best, or `size N`",
     one_of(kSelections)},
    {"split", "SHARE", "hold out this share of the rows (default 0.2), 0: none"},
    {"split-seed", "N", "which rows are held out (default 0)"},
    {"folds", "K",
     "instead: K more searches, each of which leaves out another part of the rows (default 5 below "
     "100 rows)"},
    {"held-out", "FILE", "instead: hold out no rows, and judge by these", files(kCasesEndings)},
    {"search-rows", "N",
     "a search looks at no more rows than these, drawn at random (default 2000)"},
    {"seed", "N", "seed of the random numbers (default 0)"},
    {"seeds", "N", "so many searches, with seeds from there on, and one front of all"},
    {"population", "N", "formulas in a generation (default 200)"},
    {"start", "FILE",
     "begin with these programs, and judge them, too: .komuz, or JSONL with `id` and `source`; "
     "numbers such as `?c(real)` are fitted; repeat it",
     files("komuz jsonl")},
    {"best", "OUT",
     "write the formula that is taken as a program; `-` is standard output; OUT.py, OUT.c and so "
     "on: in that language",
     files("komuz py c cu jl rs js sql tex mathml")},
    {"write-sketch", "OUT", "write the sketch that is searched, to go on by `komuz search`",
     files("komuz")},
    {"json", "OUT", "write all of it as JSON; `-` is standard output, instead of the text",
     files("json")},
    {"plot", "OUT.svg", "draw actual against expected", files("svg")},
    kLogOption,
    kResumeOption,
    kWaitOption,
    {"worst", "N", "tell the N worst rows (default 3), 0: none"},
    kThreadsOption,
    kSeparatorOption,
    kDecimalOption,
    kSkipMissingOption,
    kProgressOption,
    kMemoryOption,
};

Problem usage(std::string message) { return option_problem(std::move(message), {}); }

Problem read_measure(Args& args, FitOptions& options) {
  const engine::ScoreMeasure of_loss = engine::stated_measure(row_of(options.loss).score);
  for (const auto& [name, measure] : {std::pair("delta", engine::ScoreMeasure::Delta),
                                      std::pair("quantile", engine::ScoreMeasure::Quantile)}) {
    const std::optional<f64> number = args.real(name);
    if (!number) continue;
    if (of_loss != measure)
      return usage(
          std::string("`--") + name + "` is for `--loss " +
          (measure == engine::ScoreMeasure::Delta ? "huber` and `--loss log-cosh`" : "quantile`"));
    if (const std::string_view fault = engine::measure_fault(measure, *number); !fault.empty())
      return usage(std::string("`--") + name + "` " + std::string(fault));
    options.measure = number;
  }
  return {};
}

// "40", or "40,38,41" for searches one by one.
Problem read_generations(std::string_view text, FitOptions& options) {
  std::vector<u64> numbers;
  for (size_t comma = 0; comma != std::string_view::npos;) {
    comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    u64& number = numbers.emplace_back();
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size() || number == 0 ||
        number > u64{1} << 40)
      return usage(
          "`--generations` takes a number from 1 on, or one for each search with commas "
          "between them, not " +
          engine::shown(text));
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
  if (numbers.size() == 1)
    options.generations = numbers[0];
  else
    options.generations_of_searches = std::move(numbers);
  return {};
}

}  // namespace

std::span<const OptionRow> fit_options() { return kOptions; }

Problem read_fit_request(Args& args, FitRequest& request) {
  if (args.has_rest) return usage("`--` has no meaning here");
  if (args.positional.size() != 1)
    return usage(args.positional.empty() ? "name a table, such as data.csv"
                                         : "a fit takes one table");
  FitOptions& options = request.options;
  request.table_path = args.positional[0];
  request.held_out_path = args.value("held-out").value_or("");
  request.fields.target = args.value("target").value_or("");
  for (const std::string_view column : args.values("input"))
    request.fields.inputs.emplace_back(column);
  for (const std::string_view column : args.values("ignore"))
    request.fields.ignored.emplace_back(column);
  for (const std::string_view column : args.values("category"))
    request.fields.categories.emplace_back(column);
  request.fields.group = args.value("group").value_or("");
  for (const engine::FormOption& option : engine::kFormOptions)
    for (const std::string_view value : args.values(option.name))
      if (Problem wrong = engine::read_form_option(option.name, value, request.form)) return wrong;
  // Columns play their roles later; those that are left out may miss any number.
  request.fields.weights = std::move(request.form.weights);
  request.form.weights.clear();
  request.fields.skips_missing = request.form.skips_missing;
  request.form.skips_missing = false;
  options.most_inputs = static_cast<u32>(args.number("inputs", options.most_inputs, 1, 200));
  options.loss = static_cast<FitLoss>(args.choice("loss"));
  if (Problem wrong = read_measure(args, options)) return wrong;
  if (const auto names = args.value("operators")) {
    Result<engine::OperatorSet> read = engine::read_operators(*names);
    if (read.problem()) return std::move(read).problem();
    options.operators = std::move(read).value();
  }
  request.fields.units = args.value("units").value_or("");
  if (const auto inputs = args.value("monotone")) {
    Result<std::vector<Monotone>> read = read_monotone(*inputs);
    if (read.problem()) return std::move(read).problem();
    options.monotone = std::move(read).value();
  }
  if (args.value("max-size"))
    options.most_size = static_cast<u32>(args.number("max-size", 1, 1, 1000));
  options.depth = static_cast<u32>(args.number("depth", options.depth, 1, 16));
  if (const auto how = args.value("select")) {
    Result<Selection> read = read_selection(*how);
    if (read.problem()) return std::move(read).problem();
    options.selection = read.value();
  }
  if (const auto share = args.real("split")) options.split = *share;
  if (!(options.split >= 0 && options.split < 1))
    return usage("`--split` takes a share of the rows from 0 to below 1, such as 0.2");
  options.split_seed = args.number("split-seed", 0, 0, ~u64{0});
  options.folds = static_cast<u32>(args.number("folds", 0, 2, 100));
  options.search_rows =
      static_cast<u32>(args.number("search-rows", options.search_rows, 2, u64{1} << 31));
  options.seed = args.number("seed", 0, 0, ~u64{0});
  options.seeds = static_cast<u32>(args.number("seeds", 1, 1, 1000));
  options.population =
      static_cast<u32>(args.number("population", options.population, 2, 1'000'000));
  if (const auto generations = args.value("generations"))
    if (Problem wrong = read_generations(*generations, options)) return wrong;
  const auto time = args.duration("time");
  if (time) options.time = *time;
  if (!time && !args.value("generations")) options.time = kUsualTime;
  options.machines.threads = static_cast<u32>(args.number("threads", 0, 1, 1024));
  request.worst = static_cast<u32>(args.number("worst", request.worst, 0, 1000));
  request.best_path = args.value("best").value_or("");
  request.sketch_path = args.value("write-sketch").value_or("");
  request.json_path = args.value("json").value_or("");
  request.plot_path = args.value("plot").value_or("");
  for (const std::string_view path : args.values("start")) request.start_paths.emplace_back(path);
  request.resumes = args.value("resume").has_value();
  request.log_path = args.value(request.resumes ? "resume" : "log").value_or("");
  request.log_wait = args.duration(kWaitOption.name).value_or(request.log_wait);
  if (!args.error().empty()) return usage(args.error());
  const int ways = (args.value("split") ? 1 : 0) + (args.value("folds") ? 1 : 0) +
                   (args.value("held-out") ? 1 : 0);
  if (ways > 1)
    return usage(
        "`--split`, `--folds` and `--held-out` each say which rows the formulas are judged by: one "
        "of them");
  request.has_usual_rows = ways == 0;
  // Under another name, nobody would expect a program of Komuz.
  const std::string& best = request.best_path;
  if (best.rfind('.') != std::string::npos && best.rfind('.') + 1 < best.size() &&
      !best.ends_with(".komuz") && !target_of_file(best) &&
      best.find('/', best.rfind('.')) == std::string::npos)
    return usage(engine::shown(best) +
                 " of `--best`: the ending says the language, and is one of " + ending_list());
  if (args.value("log") && args.value("resume"))
    return usage("`--resume` names the log: `--log` is not needed");
  if (args.value("wait") && request.log_path.empty())
    return usage("`--wait` is about a log: `--log FILE` or `--resume FILE`");
  if (args.value("split-seed") && args.value("held-out"))
    return usage(
        "`--split-seed` says which rows are held out, and `--held-out` names others: either of the "
        "two");
  return {};
}

std::string repeating_command(const FitRequest& request, std::span<const u64> generations) {
  const FitOptions& options = request.options;
  const FitOptions usual;
  std::string text = "komuz fit " + engine::shell_word(request.table_path);
  const auto add = [&text](std::string_view option, const std::string& value) {
    text += " --" + std::string(option) + " " + engine::shell_word(value);
  };
  if (!request.fields.target.empty()) add("target", request.fields.target);
  for (const std::string& column : request.fields.inputs) add("input", column);
  for (const std::string& column : request.fields.ignored) add("ignore", column);
  for (const std::string& column : request.fields.categories) add("category", column);
  if (!request.fields.group.empty()) add("group", request.fields.group);
  engine::TableForm form = request.form;
  form.skips_missing = request.fields.skips_missing;
  form.weights = request.fields.weights;
  if (const std::string said = engine::form_text(form); !said.empty()) text += " " + said;
  if (options.most_inputs != usual.most_inputs) add("inputs", std::to_string(options.most_inputs));
  if (options.loss != usual.loss) add("loss", std::string(row_of(options.loss).name));
  if (options.operators != usual.operators)
    add("operators", engine::operators_text(options.operators));
  if (options.measure) {
    std::string number;
    engine::print_scalar(number, Scalar::F64, std::bit_cast<u64>(*options.measure),
                         engine::ValueStyle::Text);
    add(options.loss == FitLoss::Quantile ? "quantile" : "delta", number);
  }
  if (!request.fields.units.empty()) add("units", request.fields.units);
  if (!options.monotone.empty()) add("monotone", monotone_text(options.monotone));
  if (options.most_size) add("max-size", std::to_string(*options.most_size));
  if (options.depth != usual.depth) add("depth", std::to_string(options.depth));
  if (options.selection) add("select", selection_text(*options.selection));
  if (options.split != usual.split) {
    std::string share;
    engine::print_scalar(share, Scalar::F64, std::bit_cast<u64>(options.split),
                         engine::ValueStyle::Text);
    add("split", share);
  }
  if (options.split_seed != 0) add("split-seed", std::to_string(options.split_seed));
  if (options.folds != 0 && !request.has_usual_rows) add("folds", std::to_string(options.folds));
  if (!request.held_out_path.empty()) add("held-out", request.held_out_path);
  if (options.search_rows != usual.search_rows)
    add("search-rows", std::to_string(options.search_rows));
  if (options.seed != 0) add("seed", std::to_string(options.seed));
  if (options.seeds != 1) add("seeds", std::to_string(options.seeds));
  if (options.population != usual.population) add("population", std::to_string(options.population));
  for (const std::string& path : request.start_paths) add("start", path);
  std::string numbers;
  for (const u64 number : generations)
    numbers += (numbers.empty() ? "" : ",") + std::to_string(number);
  text += " --generations " + numbers;
  return text;
}

}  // namespace komuz::services

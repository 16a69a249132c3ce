// SPDX-License-Identifier: Apache-2.0
#include "services/fit/described_formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "engine/candidates/load_modules.h"
#include "engine/engine.h"
#include "engine/fit/fit_cases.h"
#include "engine/run/evaluate.h"
#include "engine/search/poles.h"
#include "frontend_gpu/view.h"
#include "services/charts/number_text.h"
#include "services/fit/formula_code.h"
#include "services/fit/formula_numbers.h"

namespace komuz::services {
namespace {

// By squares, so that actual and expected values are kept.
Problem run(const std::string& program, const engine::CasesTable& cases,
            const DescribeOptions& options, engine::Results& results, const std::stop_token& stop) {
  const engine::Candidate candidates[] = {{.id = "formula", .source = program, .error = {}}};
  engine::CandidateList list(candidates);
  engine::ModuleLoader modules(nullptr);
  engine::EvaluateOptions evaluation;
  evaluation.programs.modules = &modules;
  evaluation.ranking.score = engine::ScoreKind::SquaredError;
  evaluation.machines.threads = options.threads;
  evaluation.details.worst_cases = options.worst;
  return engine::evaluate(list, cases, evaluation, results, nullptr, nullptr, stop);
}

std::array<f64, 5> quantiles_of(std::vector<f64> values) {
  std::ranges::sort(values);
  std::array<f64, 5> out;
  for (size_t k = 0; k < out.size(); ++k)
    out[k] = values[k * (values.size() - 1) / (out.size() - 1)];
  return out;
}

// The diagonal of the inverse of JᵀJ, by Cholesky with columns scaled to length 1. A column that those before it
// span has none, and is left out.
std::vector<std::optional<f64>> inverse_diagonal(const std::vector<std::vector<f64>>& columns) {
  constexpr f64 kSpanned = 1e-12;
  std::vector<std::optional<f64>> out(columns.size());
  std::vector<f64> lengths;
  for (const std::vector<f64>& column : columns) {
    f64 squares = 0;
    for (const f64 x : column) squares += x * x;
    lengths.push_back(std::sqrt(squares));
  }
  std::vector<size_t> kept;
  std::vector<std::vector<f64>> lower;  // a row for each that is kept
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!(lengths[i] > 0) || !std::isfinite(lengths[i])) continue;
    const auto product = [&](size_t j) {
      f64 sum = 0;
      for (size_t row = 0; row < columns[i].size(); ++row)
        sum += columns[i][row] / lengths[i] * (columns[j][row] / lengths[j]);
      return sum;
    };
    std::vector<f64> row;
    f64 left = product(i);
    for (size_t j = 0; j < kept.size(); ++j) {
      f64 sum = product(kept[j]);
      for (size_t k = 0; k < j; ++k) sum -= row[k] * lower[j][k];
      row.push_back(sum / lower[j][j]);
      left -= row.back() * row.back();
    }
    if (!(left > kSpanned)) continue;
    row.push_back(std::sqrt(left));
    lower.push_back(std::move(row));
    kept.push_back(i);
  }
  for (size_t k = 0; k < kept.size(); ++k) {
    // Column k of the inverse of the lower triangle.
    std::vector<f64> column(kept.size());
    f64 squares = 0;
    for (size_t i = k; i < kept.size(); ++i) {
      f64 sum = i == k ? 1 : 0;
      for (size_t j = k; j < i; ++j) sum -= lower[i][j] * column[j];
      column[i] = sum / lower[i][i];
      squares += column[i] * column[i];
    }
    out[kept[k]] = squares / (lengths[kept[k]] * lengths[kept[k]]);
  }
  return out;
}

// The share of Student's t within ±t (Abramowitz and Stegun, 1964, 26.7.3 and 26.7.4): a finite sum for a whole number of degrees
// of freedom.
f64 student_share(f64 t, u32 freedom) {
  constexpr f64 kPi = 3.14159265358979323846;
  const f64 angle = std::atan(t / std::sqrt(static_cast<f64>(freedom)));
  const f64 sine = std::sin(angle), cosine = std::cos(angle), square = cosine * cosine;
  const bool is_odd = freedom % 2 != 0;
  f64 term = is_odd ? cosine : 1, sum = freedom == 1 ? 0 : term;
  for (u32 k = is_odd ? 3 : 2; k < freedom; k += 2) {
    term *= square * (k - 1) / k;
    sum += term;
  }
  return is_odd ? 2 / kPi * (angle + sine * sum) : sine * sum;
}
// The 97.5 % quantile of Student's t. For many degrees of freedom by the expansion of Cornish and Fisher, which is then right to 1e-6.
f64 student_quantile(u32 freedom) {
  constexpr f64 z = 1.959963984540054;
  constexpr f64 z3 = z * z * z, z5 = z3 * z * z;
  constexpr u32 kMany = 100;
  if (freedom > kMany)
    return z + (z3 + z) / (4.0 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96.0 * freedom * freedom);
  f64 low = z, high = 13;  // that of one degree of freedom is 12.7
  for (u32 k = 0; k < 60; ++k) {
    const f64 middle = (low + high) / 2;
    (student_share(middle, freedom) < 0.95 ? low : high) = middle;
  }
  return high;
}

Problem find_intervals(const std::string& program, const engine::CasesTable& cases,
                       const DescribeOptions& options, const engine::Results& results,
                       std::vector<NumberInterval>& out, const std::stop_token& stop) {
  constexpr size_t kMost = 24;
  const std::vector<FormulaNumber> literals = numbers_of(program);
  const std::vector<f64>& expected = results.best.expected;
  if (literals.empty() || literals.size() > kMost || expected.empty()) return {};
  const DescribeOptions plain{.worst = 0, .threads = options.threads};
  std::vector<std::vector<f64>> columns;
  std::vector<f64> values;
  for (const FormulaNumber& number : literals) values.push_back(number.value);
  const auto moved = [&](size_t k, f64 by) {
    std::vector<f64> other = values;
    other[k] += by;
    return with_numbers(program, literals, other);
  };
  for (size_t k = 0; k < literals.size(); ++k) {
    const FormulaNumber& literal = literals[k];
    const f64 step = 1e-6 * std::max(std::fabs(literal.value), 1e-3);
    engine::Results above, below;
    if (Problem problem = run(moved(k, step), cases, plain, above, stop)) return problem;
    if (Problem problem = run(moved(k, -step), cases, plain, below, stop)) return problem;
    std::vector<f64>& column = columns.emplace_back();
    if (above.best.actual.size() != expected.size() || below.best.actual.size() != expected.size())
      return {};
    for (size_t row = 0; row < expected.size(); ++row)
      column.push_back((above.best.actual[row] - below.best.actual[row]) / (2 * step));
  }
  f64 squares = 0;
  for (size_t row = 0; row < expected.size(); ++row) {
    const f64 miss = results.best.actual[row] - expected[row];
    squares += miss * miss;
  }
  if (expected.size() <= literals.size()) return {};
  const auto freedom = static_cast<u32>(expected.size() - literals.size());
  const std::vector<std::optional<f64>> variances = inverse_diagonal(columns);
  for (size_t k = 0; k < literals.size(); ++k) {
    const FormulaNumber& literal = literals[k];
    NumberInterval& interval = out.emplace_back();
    interval.number = (literal.is_negative ? "-" : "") +
                      program.substr(literal.begin, literal.end - literal.begin);
    if (variances[k])
      interval.distance = student_quantile(freedom) * std::sqrt(squares / freedom * *variances[k]);
  }
  return {};
}

// Points inside of the box of all inputs, drawn by a fixed seed, and its corners if they are few.
engine::FitData points_between(const engine::FitData& data) {
  constexpr u32 kPoints = 1000, kMostCorners = 1024;
  const std::vector<InputRange> ranges = ranges_of(data);
  engine::FitData points;
  points.inputs = data.inputs;
  points.columns.resize(ranges.size());
  const auto add = [&](auto share_of) {
    for (size_t input = 0; input < ranges.size(); ++input)
      points.columns[input].push_back(ranges[input].least +
                                      share_of(input) * (ranges[input].most - ranges[input].least));
    points.expected.push_back(static_cast<f64>(points.expected.size()));
    points.lines.push_back(points.expected.size());
  };
  Random random(1);
  for (u32 k = 0; k < kPoints; ++k)
    add([&](size_t) { return static_cast<f64>(random.next() >> 11) * 0x1p-53; });
  for (u32 corner = 0; ranges.size() <= 10 && corner < kMostCorners >> (10 - ranges.size());
       ++corner)
    add([&](size_t input) { return static_cast<f64>(corner >> input & 1); });
  return points;
}

Problem find_gaps(const std::string& program, const engine::FitData& points,
                  const DescribeOptions& options, bool& out, const std::stop_token& stop) {
  std::vector<u32> rows(points.expected.size());
  std::iota(rows.begin(), rows.end(), 0u);
  engine::Results results;
  if (Problem problem = run(program, engine::cases_of(points, rows),
                            {.worst = 0, .threads = options.threads}, results, stop))
    return problem;
  out = !results.rows.empty() && !results.rows[0].scored;
  return {};
}

// What the program divides by at a place of a `/` or a `div0`.
std::string divisor_text(std::string_view program, u32 place) {
  const auto end_of_call = [&](size_t open) {
    size_t depth = 0;
    for (size_t at = open; at < program.size(); ++at) {
      depth += program[at] == '(';
      if (program[at] == ')' && --depth == 0) return at + 1;
    }
    return program.size();
  };
  const auto is_word = [&](size_t at) {
    return at < program.size() && (std::isalnum(static_cast<unsigned char>(program[at])) != 0 ||
                                   program[at] == '_' || program[at] == '.');
  };
  size_t begin = place, end = place;
  if (program[place] == '/') {
    begin = std::min(program.find_first_not_of(" \n", place + 1), program.size());
    end = begin + (begin < program.size() && program[begin] == '-');
    while (is_word(end)) ++end;
    if (end < program.size() && program[end] == '(') end = end_of_call(end);
  } else {
    const size_t open = program.find('(', place);
    if (open == std::string_view::npos) return {};
    end = end_of_call(open) - 1;
    size_t depth = 0;
    for (begin = open + 1; begin < end && (program[begin] != ',' || depth != 0); ++begin)
      depth += program[begin] == '(' ? 1 : program[begin] == ')' ? -1 : 0;
    ++begin;
  }
  if (begin >= end) return {};
  std::string_view text = program.substr(begin, end - begin);
  if (text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  std::string out;
  for (const char c : text) {
    const char one = c == '\n' ? ' ' : c;
    if (one != ' ' || (!out.empty() && out.back() != ' ')) out += one;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == ',')) out.pop_back();
  return out;
}

void find_poles(const std::string& program, const engine::FitData& points,
                std::vector<std::string>& out) {
  const std::optional<FormulaCode> made = formula_code(program, points);
  if (!made) return;
  for (const u32 place : engine::find_poles(made->code.view(), made->function, made->columns))
    out.push_back(divisor_text(program, place));
}

}  // namespace

bool has_poles(const std::string& program, const engine::FitData& data) {
  std::vector<std::string> poles;
  find_poles(program, points_between(data), poles);
  return !poles.empty();
}

std::vector<InputRange> ranges_of(const engine::FitData& data) {
  std::vector<InputRange> out;
  for (size_t k = 0; k < data.inputs.size(); ++k) {
    const auto [least, most] = std::ranges::minmax(data.columns[k]);
    out.push_back({data.inputs[k].name, least, most});
  }
  return out;
}

std::string ranges_text(const std::vector<InputRange>& ranges, const std::string& formula) {
  frontend::Compiler compiler;
  static_cast<void>(compiler.identify(formula));
  const frontend::Columns& c = compiler.columns();
  std::string text;
  for (const InputRange& range : ranges) {
    bool is_used = false;
    for (frontend::Index t = 0; t < c.tokens && !is_used; ++t)
      is_used = frontend::token_at(c, t) == Token::Name &&
                std::string_view(formula).substr(c.token_start[t], c.token_length[t]) == range.name;
    if (is_used)
      text += (text.empty() ? "" : ", ") + range.name + " from " + short_text(range.least) +
              " to " + short_text(range.most);
  }
  return text;
}

Result<DescribedFormula> describe_formula(const std::string& program,
                                          const engine::CasesTable& cases,
                                          const engine::FitData& data,
                                          const DescribeOptions& options,
                                          const std::stop_token& stop) {
  DescribedFormula out;
  if (Problem problem = run(program, cases, options, out.results, stop)) return problem;
  const engine::BestCases& best = out.results.best;
  std::vector<f64> misses;
  for (size_t row = 0; row < best.actual.size(); ++row)
    if (std::isfinite(best.actual[row])) misses.push_back(best.actual[row] - best.expected[row]);
  if (!misses.empty() && !options.is_of_classes) out.residuals = quantiles_of(std::move(misses));
  std::vector<u32> rows(std::min<u32>(data.rows(), engine::BestCases::kMost));
  for (u32 k = 0; k < rows.size(); ++k)
    rows[k] = static_cast<u32>(u64{k} * data.rows() / rows.size());
  const engine::CasesTable of_data = engine::cases_of(data, rows);
  engine::Results fitted;
  if (Problem problem =
          run(program, of_data, {.worst = 0, .threads = options.threads}, fitted, stop))
    return problem;
  if (options.has_intervals)
    if (Problem problem = find_intervals(program, of_data, options, fitted, out.numbers, stop))
      return problem;
  const engine::FitData points = points_between(data);
  if (Problem problem = find_gaps(program, points, options, out.has_gaps, stop)) return problem;
  find_poles(program, points, out.poles);
  return out;
}

}  // namespace komuz::services

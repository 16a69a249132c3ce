// SPDX-License-Identifier: Apache-2.0
#include "neural/proposals/propose_ways.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/counts.h"
#include "engine/values/value_text.h"
#include "neural/proposals/network.h"
#include "neural/proposals/productions.h"

namespace komuz::neural {
namespace {

constexpr f64 kPlain = 0.25;  // the share of weights that are alike

bool is_number(Scalar type) { return type != Scalar::Bool; }

Problem no_use(std::string why, std::string_view remedy) {
  return input_problem({}, "`--propose neural` has no use here: " + std::move(why),
                       std::string(remedy) + "search without it");
}

// At most kMostProposalCases of the cases, at equal distances, of those that are finite numbers.
Result<NumericCases> numeric_cases(const engine::Suite& suite) {
  const auto n = static_cast<u32>(suite.signature.names.size());
  const bool has_numbers = n == suite.argument_types.size() && suite.result_types.size() == 1 &&
                           std::ranges::all_of(suite.argument_types, is_number) &&
                           is_number(suite.result_types[0]);
  if (!has_numbers || n == 0 || n > kMostProposalVariables)
    return no_use("it reads cases of 1 to " + std::to_string(kMostProposalVariables) +
                      " numbers that give a number, and the entry is " + suite.signature.text(),
                  "");
  const auto argument = [&](u32 v, u32 k) {
    return static_cast<f32>(
        engine::cell_as_f64(suite.argument_types[v], suite.argument_cell(v, k)));
  };
  const auto expected = [&](u32 k) {
    return static_cast<f32>(engine::cell_as_f64(suite.result_types[0], suite.expected_cell(0, k)));
  };
  std::vector<u32> usable;
  for (u32 k = 0; k < suite.count; ++k) {
    bool is_finite = suite.expected_traps[k] == Trap::None && std::isfinite(expected(k));
    for (u32 v = 0; v < n; ++v) is_finite = is_finite && std::isfinite(argument(v, k));
    if (is_finite) usable.push_back(k);
  }
  if (usable.size() < kLeastProposalCases)
    return no_use("it reads " + std::to_string(kLeastProposalCases) +
                      " cases or more of numbers below 3.4e38, and there are " +
                      counted(usable.size(), "such case"),
                  "give more cases, or scale large columns, or ");
  const size_t count = std::min<size_t>(usable.size(), kMostProposalCases);
  NumericCases out;
  out.variables.resize(n);
  for (size_t at = 0; at < count; ++at) {
    const u32 k = usable[at * usable.size() / count];
    for (u32 v = 0; v < n; ++v) out.variables[v].push_back(argument(v, k));
    out.expected.push_back(expected(k));
  }
  return out;
}

// Weights by decisions, from shares by places.
class WeightMaker {
 public:
  WeightMaker(const engine::SketchProgram& sketch, const engine::Signature& signature,
              std::span<const f32> shares)
      : plan_(sketch.plan),
        sketch_(sketch.plan.sketch()),
        source_(sketch.source),
        signature_(signature),
        productions_(list_productions(sketch)),
        width_(shares.size() / kProposalPlaces) {
    // A row for each place, and behind them the mean of all, for places that are not known.
    rows_.assign(shares.begin(), shares.end());
    rows_.resize((kProposalPlaces + 1) * width_);
    for (u32 p = 0; p < kProposalPlaces; ++p)
      for (size_t i = 0; i < width_; ++i)
        rows_[kProposalPlaces * width_ + i] += shares[p * width_ + i] / kProposalPlaces;
  }

  engine::WayWeights make() {
    find_variables();
    find_choices();
    engine::WayWeights out;
    for (const engine::Decision& decision : plan_.decisions())
      out.of_decisions.push_back(weights_of(decision));
    return out;
  }

 private:
  static constexpr f64 kUnknown = -1;
  static constexpr u32 kRows = kProposalPlaces + 1;

  // For each parameter of a space, the variable that it is in the program's expansion of the space.
  void find_variables() {
    for (const Space& space : sketch_.spaces)
      variables_.emplace_back(space.parameters.size(), Production::kNone);
    for (const Hole& hole : sketch_.holes) {
      if (hole.form != HoleForm::Expansion || hole.within != kNoSpace) continue;
      std::vector<u32>& own = variables_[hole.expands];
      for (size_t k = 0; k < std::min(own.size(), hole.arguments.size()); ++k) {
        const SketchSpan span = hole.arguments[k];
        const auto name = std::string_view(source_).substr(span.begin, span.end - span.begin);
        const auto found = std::ranges::find(signature_.names, name);
        if (found != signature_.names.end())
          own[k] = static_cast<u32>(found - signature_.names.begin());
      }
    }
  }
  // For each choice and row, the share of all its alternatives. Those behind come first: they may stand in it.
  void find_choices() {
    choices_.assign(sketch_.holes.size() * kRows, kUnknown);
    for (u32 h = static_cast<u32>(sketch_.holes.size()); h-- > 0;)
      for (u32 row = 0; row < kRows && sketch_.holes[h].form == HoleForm::Choice; ++row) {
        f64 sum = 0;
        for (const Production& production : productions_.of_holes[h].of) {
          const f64 share = share_of(production, sketch_.holes[h].within, row);
          sum = share == kUnknown || sum == kUnknown ? kUnknown : sum + share;
        }
        choices_[h * kRows + row] = sum;
      }
  }
  [[nodiscard]] f64 share(u32 row, size_t what) const { return rows_[row * width_ + what]; }

  // The share of a production in a row; kUnknown: nobody knows.
  [[nodiscard]] f64 share_of(const Production& production, u32 space, u32 row) const {
    if (production.is_unknown) return kUnknown;
    if (production.is_constant) return share(row, static_cast<size_t>(ProposedOperation::Const));
    if (production.parameter != Production::kNone) {
      const u32 variable = variables_[space][production.parameter];
      if (variable != Production::kNone) return share(row, kProposedOperations + variable);
      f64 sum = 0;
      for (size_t v = kProposedOperations; v < width_; ++v) sum += share(row, v);
      return sum / static_cast<f64>(width_ - kProposedOperations);
    }
    if (production.operations.empty()) {
      if (production.holes.size() != 1) return kUnknown;
      const u32 hole = production.holes[0];
      if (sketch_.holes[hole].form == HoleForm::Grid)
        return share(row, static_cast<size_t>(ProposedOperation::Const));
      return choices_[hole * kRows + row];
    }
    // The rarest of its operations.
    f64 least = 1;
    for (const ProposedOperation operation : production.operations)
      least = std::min(least, share(row, static_cast<size_t>(operation)));
    return least;
  }
  [[nodiscard]] f64 share_in(const Production& production, u32 space,
                             std::span<const ProposalPlace> places) const {
    if (places.empty()) return share_of(production, space, kProposalPlaces);
    f64 sum = 0;
    for (const ProposalPlace place : places) {
      const f64 own = share_of(production, space, static_cast<u32>(place));
      if (own == kUnknown) return kUnknown;
      sum += own;
    }
    return sum / static_cast<f64>(places.size());
  }
  // Empty: all ways are alike.
  [[nodiscard]] std::vector<u32> weights_of(const engine::Decision& decision) const {
    const u32 hole = decision.holes.front();
    const bool is_choice = decision.form == HoleForm::Choice;
    const std::string& type = is_choice                    ? sketch_.holes[hole].type
                              : decision.space == kNoSpace ? std::string()
                                                           : sketch_.spaces[decision.space].type;
    if (type != "f64" && type != "f32") return {};
    const ProductionList& productions =
        is_choice ? productions_.of_holes[hole] : productions_.of_spaces[decision.space];
    std::vector<f64> shares;
    f64 sum = 0, known = 0;
    for (const Production& production : productions.of) {
      const u32 space = is_choice ? sketch_.holes[hole].within : decision.space;
      shares.push_back(share_in(production, space, productions_.places[hole]));
      if (shares.back() == kUnknown) continue;
      sum += shares.back();
      known += 1;
    }
    if (known == 0 || sum <= 0) return {};
    // What is not known is as probable as the others are in the mean.
    const f64 all = static_cast<f64>(shares.size());
    const f64 mean = sum / known;
    sum += mean * (all - known);
    std::vector<u32> weights;
    for (const f64 own : shares) {
      const f64 part = (1 - kPlain) * (own == kUnknown ? mean : own) / sum + kPlain / all;
      weights.push_back(std::max(1u, static_cast<u32>(part * 1e6 + 0.5)));
    }
    return weights;
  }

  const engine::VariantPlan& plan_;
  const Sketch& sketch_;
  const std::string& source_;
  const engine::Signature& signature_;
  Productions productions_;
  size_t width_;                             // of a row
  std::vector<f64> rows_;                    // [kRows][width_]
  std::vector<std::vector<u32>> variables_;  // by space and parameter
  std::vector<f64> choices_;                 // [holes][kRows]
};

}  // namespace

Result<engine::WayWeights> propose_ways(const engine::SketchProgram& sketch, std::string_view entry,
                                        const engine::CasesTable& cases,
                                        const std::stop_token& stop) {
  const CodeView code = sketch.code.view();
  const engine::EntryChoice chosen = engine::choose_entry(code, entry);
  if (!chosen.refusal.empty()) return input_problem({}, chosen.refusal, "");
  engine::Suite suite;
  if (Problem problem = engine::make_suite(
          cases, engine::signature_of(code, code.functions[chosen.function]), suite, stop))
    return problem;
  const Result<NumericCases> numbers = numeric_cases(suite);
  if (numbers.problem()) return Problem(numbers.problem());
  const Result<ProposalNetwork> network = find_proposal_network();
  if (network.problem()) return Problem(network.problem());
  const std::vector<f32> shares = place_shares(network.value(), numbers.value(), best_simd_level());
  return WeightMaker(sketch, suite.signature, shares).make();
}

}  // namespace komuz::neural

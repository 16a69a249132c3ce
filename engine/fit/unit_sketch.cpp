// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/unit_sketch.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "engine/fit/sketch_parts.h"
#include "engine/support/shown.h"

namespace komuz::engine {
namespace {

constexpr size_t kMostUnits = 16;
constexpr u32 kUnitSteps = 3;  // operations that make a unit
constexpr size_t kMostMade = 150;

class UnitSketchWriter {
 public:
  UnitSketchWriter(const FitData& data, const FitSketchOptions& options)
      : data_(data),
        options_(options),
        function_(function_name(data)),
        parts_(data, options.operators, function_),
        term_(parts_.free_prefix("term")),
        sum_(parts_.free_prefix("sum")) {}

  Result<std::string> write() {
    choose_units();
    find_depths();
    const size_t target = number_of(data_.target_unit);
    if (target == units_.size() || !exists(target, options_.depth))
      return input_problem(
          {data_.file},
          "no formula of the inputs has the unit of the target, " + shown(data_.target_unit.text()),
          "give a column with what is missing, such as a constant with its unit, or correct "
          "`--units`");
    const size_t plain = number_of(Unit());
    std::vector<std::string> forms = {term(target, options_.depth)};
    if (parts_.has("+")) {
      forms.push_back(sum(target));
      if (parts_.has("/") && exists(plain, options_.depth))
        forms.push_back(sum(target) + " / (1.0 + " + sum(plain) + ")");
    }
    std::string body = SketchParts::choice(forms);
    if (options_.has_line) body = "?(real) + ?(real) * " + body;
    out_ = "pub fn " + function_ + "(" + parts_.parameters + ") -> f64 { " + body + " }\n";
    for (u32 depth = 0; depth <= options_.depth; ++depth)
      for (size_t unit = 0; unit < units_.size(); ++unit)
        if (exists(unit, depth)) write_terms(unit, depth);
    if (parts_.has("+")) {
      write_sum(target);
      if (target != plain && exists(plain, options_.depth)) write_sum(plain);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] size_t number_of(const Unit& unit) const {
    return static_cast<size_t>(std::ranges::find(units_, unit) - units_.begin());
  }

  // Units that few operations make of the inputs', the cheapest first. Then those stay that are needed: the inputs',
  // and what the target's is made of.
  void choose_units() {
    std::vector<Unit> made = {Unit()};
    std::set<Unit> known;
    const auto add = [&](const Unit& unit, std::vector<Unit>& to) {
      if (known.insert(unit).second) to.push_back(unit);
    };
    known.insert(Unit());
    std::vector<Unit> next;
    for (const FitInput& input : data_.inputs) add(input.unit, next);
    for (u32 step = 0; step <= kUnitSteps && made.size() <= kMostMade; ++step) {
      std::ranges::stable_sort(next, {}, [](const Unit& unit) { return unit.weight(); });
      made.insert(made.end(), next.begin(), next.end());
      next.clear();
      if (made.size() > kMostMade) break;
      for (const Unit& a : made) {
        for (const Unit& b : made) {
          if (parts_.has("*")) add(a.times(b), next);
          if (parts_.has("/")) add(a.over(b), next);
        }
        Unit root;
        if (parts_.has("sqrt") && a.root(root)) add(root, next);
        if (parts_.has("^2")) add(a.squared(), next);
      }
    }
    keep_needed(made);
  }

  // A unit that is no input's is made of two others: the cheapest pairs stay with it.
  void keep_needed(const std::vector<Unit>& made) {
    constexpr size_t kPairs = 3;
    units_ = {Unit()};
    const auto keep = [this](const Unit& unit) {
      if (units_.size() < kMostUnits && number_of(unit) == units_.size()) units_.push_back(unit);
    };
    std::map<Unit, size_t> places;
    for (size_t k = 0; k < made.size(); ++k) places.emplace(made[k], k);
    const auto place_of = [&](const Unit& unit) {
      const auto place = places.find(unit);
      return place == places.end() ? made.size() : place->second;
    };
    if (place_of(data_.target_unit) == made.size()) return;
    keep(data_.target_unit);
    for (const FitInput& input : data_.inputs) keep(input.unit);
    const auto is_given = [this](const Unit& unit) {
      return std::ranges::any_of(data_.inputs,
                                 [&unit](const FitInput& input) { return input.unit == unit; });
    };
    for (size_t at = 1; at < units_.size(); ++at) {
      if (is_given(units_[at])) continue;
      struct Pair {
        size_t cost;
        Unit a, b;
      };
      std::vector<Pair> pairs;
      const Unit wanted = units_[at];
      for (size_t k = 0; k < made.size(); ++k) {
        const Unit other = wanted.over(made[k]), dividend = wanted.times(made[k]);
        if (const size_t place = place_of(other);
            parts_.has("*") && place < made.size() && k <= place)
          pairs.push_back({k + place, made[k], other});
        if (const size_t place = place_of(dividend); parts_.has("/") && place < made.size())
          pairs.push_back({k + place, made[k], dividend});
      }
      std::erase_if(pairs, [&](const Pair& pair) { return pair.a == wanted || pair.b == wanted; });
      std::ranges::stable_sort(pairs, {}, &Pair::cost);
      for (size_t k = 0; k < std::min(kPairs, pairs.size()); ++k) {
        keep(pairs[k].a);
        keep(pairs[k].b);
      }
    }
    for (const Unit& unit : made) keep(unit);
  }

  [[nodiscard]] bool exists(size_t unit, u32 depth) const { return least_depths_[unit] <= depth; }

  // Of each unit the least depth of an expression that has it.
  void find_depths() {
    least_depths_.assign(units_.size(), ~u32{0});
    least_depths_[0] = 0;  // a number
    for (const FitInput& input : data_.inputs)
      if (const size_t unit = number_of(input.unit); unit < units_.size()) least_depths_[unit] = 0;
    for (u32 depth = 1; depth <= options_.depth; ++depth)
      for (size_t unit = 0; unit < units_.size(); ++unit)
        if (!exists(unit, depth - 1) && !made_alternatives(unit, depth).empty())
          least_depths_[unit] = depth;
  }

  [[nodiscard]] std::string term(size_t unit, u32 depth) const {
    return parts_.expand(term_ + std::to_string(unit) + "_" + std::to_string(depth));
  }
  [[nodiscard]] std::string sum(size_t unit) const {
    return parts_.expand(sum_ + std::to_string(unit));
  }
  // Expressions that are made of others, which are less deep. Kinds of operations share alternatives.
  [[nodiscard]] std::vector<std::string> made_alternatives(size_t unit, u32 depth) const {
    std::vector<std::string> out, products, quotients, functions, choices;
    const u32 below = depth - 1;
    const Unit& wanted = units_[unit];
    for (const u32 k : options_.operators) {
      const Operator& one = kOperators[k];
      switch (one.units) {
        case OperatorUnits::Same:
        case OperatorUnits::Keep:
          if (exists(unit, below))
            out.push_back(SketchParts::with_operands(one.text, term(unit, below)));
          break;
        case OperatorUnits::Choice:
          for (size_t other = 0; exists(unit, below) && other < units_.size(); ++other) {
            if (!exists(other, below) || (other != unit && other != 0)) continue;
            const std::string a = term(other, below), b = term(unit, below);
            choices.push_back("if " + a + " < " + a + " { " + b + " } else { " + b + " }");
          }
          break;
        case OperatorUnits::Plain:
          if (wanted.is_plain())
            functions.push_back(SketchParts::with_operands(one.text, term(0, below)));
          break;
        case OperatorUnits::Square:
        case OperatorUnits::Root:
          for (size_t other = 0; other < units_.size(); ++other) {
            Unit made = units_[other].squared();
            if (one.units == OperatorUnits::Root && !units_[other].root(made)) continue;
            if (made == wanted && exists(other, below))
              functions.push_back(SketchParts::with_operands(one.text, term(other, below)));
          }
          break;
        case OperatorUnits::Product:
        case OperatorUnits::Quotient:
          for (size_t a = 0; a < units_.size(); ++a)
            for (size_t b = 0; b < units_.size(); ++b) {
              if (!exists(a, below) || !exists(b, below)) continue;
              const bool is_product = one.units == OperatorUnits::Product;
              if (is_product && b < a) continue;
              const Unit made = is_product ? units_[a].times(units_[b]) : units_[a].over(units_[b]);
              if (made != wanted) continue;
              (is_product ? products : quotients)
                  .push_back(term(a, below) + (is_product ? " * " : " / ") + term(b, below));
            }
          break;
      }
    }
    for (const std::vector<std::string>* group : {&products, &quotients, &functions, &choices})
      if (!group->empty()) out.push_back(SketchParts::choice(*group));
    return out;
  }

  void write_terms(size_t unit, u32 depth) {
    std::vector<std::string> alternatives;
    for (const FitInput& input : data_.inputs)
      if (input.unit == units_[unit]) alternatives.push_back(input.name);
    if (units_[unit].is_plain()) alternatives.push_back("?(real)");
    if (depth != 0) {
      const std::vector<std::string> made = made_alternatives(unit, depth);
      alternatives.insert(alternatives.end(), made.begin(), made.end());
      if (parts_.has("*") && exists(unit, depth - 1))
        alternatives.push_back("?(real) * " + term(unit, depth - 1));
    }
    out_ +=
        "\n// In " + units_[unit].text() + ".\n" +
        parts_.space(term_ + std::to_string(unit) + "_" + std::to_string(depth), 0, alternatives);
  }
  void write_sum(size_t unit) {
    const std::string name = sum_ + std::to_string(unit);
    out_ += "\n// In " + units_[unit].text() + ".\n" +
            parts_.space(name, kSumDepth,
                         {"?(real) * " + term(unit, options_.depth), name + " + " + name});
  }

  const FitData& data_;
  const FitSketchOptions& options_;
  const std::string function_;
  SketchParts parts_;
  std::string term_, sum_, out_;
  std::vector<Unit> units_;
  std::vector<u32> least_depths_;
};

}  // namespace

Result<std::string> unit_sketch(const FitData& data, const FitSketchOptions& options) {
  return UnitSketchWriter(data, options).write();
}

}  // namespace komuz::engine

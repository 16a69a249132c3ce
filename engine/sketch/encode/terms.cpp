// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/encode/terms.h"

#include <bit>
#include <cmath>

namespace komuz::engine {
namespace {

constexpr int kMostPower = 64;

}  // namespace

u32 Terms::add(FormulaTerm term) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(term.kind)));
  key += std::to_string(std::bit_cast<u64>(term.number)) + term.text;
  for (const u32 operand : term.operands) key += "," + std::to_string(operand);
  for (const TermFactor& factor : term.factors)
    key += "*" + std::to_string(factor.term) + "^" + std::to_string(factor.power);
  const auto [known, is_new] = known_.emplace(std::move(key), static_cast<u32>(terms_.size()));
  if (is_new) terms_.push_back(std::move(term));
  return known->second;
}

u32 Terms::number(f64 value) {
  FormulaTerm term;
  term.number = value == 0 ? 0 : value;
  return add(std::move(term));
}

u32 Terms::variable(std::string_view name) {
  FormulaTerm term;
  term.kind = TermKind::Variable;
  term.text = name;
  return add(std::move(term));
}

u32 Terms::call(std::string_view name, std::vector<u32> operands) {
  FormulaTerm term;
  term.kind = TermKind::Call;
  term.text = name;
  term.operands = std::move(operands);
  return add(std::move(term));
}

f64 Terms::coefficient(u32 term) const {
  const FormulaTerm& own = terms_[term];
  return own.kind == TermKind::Number || own.kind == TermKind::Product ? own.number : 1;
}

u32 Terms::scaled(u32 term, f64 by) {
  if (by == 1) return term;
  const FormulaTerm own = terms_[term];
  if (own.kind == TermKind::Number) return number(own.number * by);
  if (own.kind == TermKind::Sum) {
    std::vector<u32> scaled_items;
    for (const u32 item : own.operands) scaled_items.push_back(scaled(item, by));
    return sum(scaled_items);
  }
  if (by == 0) return number(0);
  FormulaTerm made;
  made.kind = TermKind::Product;
  made.number = by;
  made.factors = {{term, 1}};
  if (own.kind == TermKind::Product) {
    made.number = own.number * by;
    made.factors = own.factors;
  }
  if (made.number == 1 && made.factors.size() == 1 && made.factors[0].power == 1)
    return made.factors[0].term;
  return add(std::move(made));
}

u32 Terms::sum(std::span<const u32> items) {
  // Like items become one, in the order of the first ones.
  std::vector<u32> bare;
  std::vector<f64> numbers;
  f64 constant = 0;
  for (const u32 one : items)
    for (const u32 item : this->items(one)) {
      if (terms_[item].kind == TermKind::Number) {
        constant += terms_[item].number;
        continue;
      }
      const f64 number = coefficient(item);
      const u32 rest = number == 0 ? item : scaled(item, 1 / number);
      size_t at = 0;
      while (at < bare.size() && bare[at] != rest) ++at;
      if (at == bare.size()) {
        bare.push_back(rest);
        numbers.push_back(0);
      }
      numbers[at] += number;
    }
  FormulaTerm made;
  made.kind = TermKind::Sum;
  for (size_t k = 0; k < bare.size(); ++k)
    if (numbers[k] != 0) made.operands.push_back(scaled(bare[k], numbers[k]));
  if (constant != 0 || made.operands.empty()) made.operands.push_back(number(constant));
  return made.operands.size() == 1 ? made.operands[0] : add(std::move(made));
}

u32 Terms::product(std::span<const u32> factors) {
  FormulaTerm made;
  made.kind = TermKind::Product;
  made.number = 1;
  const auto multiply = [&](u32 term, int power) {
    for (TermFactor& factor : made.factors)
      if (factor.term == term) {
        factor.power += power;
        return;
      }
    made.factors.push_back({term, power});
  };
  for (const u32 factor : factors) {
    const FormulaTerm& own = terms_[factor];
    if (own.kind == TermKind::Number || own.kind == TermKind::Product) made.number *= own.number;
    if (own.kind == TermKind::Product)
      for (const TermFactor& inside : own.factors) multiply(inside.term, inside.power);
    else if (own.kind != TermKind::Number)
      multiply(factor, 1);
  }
  std::erase_if(made.factors, [](const TermFactor& factor) { return factor.power == 0; });
  if (made.factors.empty() || made.number == 0) return number(made.number);
  if (made.number == 1 && made.factors.size() == 1 && made.factors[0].power == 1)
    return made.factors[0].term;
  return add(std::move(made));
}

u32 Terms::power(u32 base, int exponent) {
  const FormulaTerm own = terms_[base];
  if (own.kind == TermKind::Number) return number(std::pow(own.number, exponent));
  if (exponent == 0) return number(1);
  if (exponent == 1) return base;
  FormulaTerm made;
  made.kind = TermKind::Product;
  made.number = 1;
  made.factors = {{base, exponent}};
  if (own.kind == TermKind::Product) {
    made.number = std::pow(own.number, exponent);
    made.factors = own.factors;
    for (TermFactor& factor : made.factors) factor.power *= exponent;
  }
  return add(std::move(made));
}

std::vector<u32> Terms::items(u32 term) const {
  if (terms_[term].kind == TermKind::Sum) return terms_[term].operands;
  return {term};
}

std::vector<u32> Terms::factors(u32 term) {
  constexpr int kMostRepeated = 6;
  const FormulaTerm own = terms_[term];
  if (own.kind != TermKind::Product) return {term};
  std::vector<u32> out;
  if (own.number != 1) out.push_back(number(own.number));
  for (const TermFactor& factor : own.factors) {
    const int times = std::abs(factor.power);
    if (times > kMostRepeated) {
      out.push_back(power(factor.term, factor.power));
      continue;
    }
    const u32 one = factor.power < 0 ? power(factor.term, -1) : factor.term;
    for (int k = 0; k < times; ++k) out.push_back(one);
  }
  return out;
}

void Terms::split_quotient(u32 term, u32& dividend, u32& divisor) {
  const FormulaTerm own = terms_[term];
  std::vector<u32> above = {number(coefficient(term))}, below;
  if (own.kind != TermKind::Product) above = {term};
  for (const TermFactor& factor : own.factors) {
    const u32 raised = power(factor.term, std::abs(factor.power));
    (factor.power > 0 ? above : below).push_back(raised);
  }
  dividend = product(above);
  divisor = below.empty() ? kNone : product(below);
}

std::vector<u32> Terms::of_tree(const FormulaTree& tree) {
  std::vector<u32> out(tree.nodes.size(), kNone);
  for (u32 k = 0; k < tree.nodes.size(); ++k) {
    const FormulaNode& node = tree.nodes[k];
    std::vector<u32> o;
    for (const u32 operand : node.operands) o.push_back(out[operand]);
    bool is_known = true;
    for (const u32 operand : o) is_known = is_known && operand != kNone;
    if (!is_known) continue;
    switch (node.kind) {
      case FormulaKind::Number: out[k] = number(node.number); break;
      case FormulaKind::Name: out[k] = variable(node.text); break;
      case FormulaKind::Neg: out[k] = scaled(o[0], -1); break;
      case FormulaKind::Add: out[k] = sum(o); break;
      case FormulaKind::Sub: {
        const u32 both[] = {o[0], scaled(o[1], -1)};
        out[k] = sum(both);
        break;
      }
      case FormulaKind::Mul: out[k] = product(o); break;
      case FormulaKind::Div: {
        const u32 both[] = {o[0], power(o[1], -1)};
        out[k] = product(both);
        break;
      }
      case FormulaKind::Pow: {
        const FormulaTerm& by = terms_[o[1]];
        const bool is_whole = by.kind == TermKind::Number && by.number == std::floor(by.number) &&
                              std::fabs(by.number) <= kMostPower;
        out[k] = is_whole ? power(o[0], static_cast<int>(by.number)) : call("**", o);
        break;
      }
      case FormulaKind::Call:
      case FormulaKind::If: out[k] = call(node.text, o); break;
      case FormulaKind::Hole:
      case FormulaKind::Other: break;
    }
  }
  return out;
}

}  // namespace komuz::engine

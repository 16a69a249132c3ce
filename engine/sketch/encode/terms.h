// SPDX-License-Identifier: Apache-2.0
// Formulas up to the laws of sums and products: a sum is its items, a product its factors with whole powers and one
// number. Equal formulas are one term.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/sketch/encode/formula_tree.h"

namespace komuz::engine {

enum class TermKind : u8 { Number, Variable, Call, Product, Sum };

struct TermFactor {
  u32 term = 0;
  int power = 1;
};
struct FormulaTerm {
  TermKind kind = TermKind::Number;
  f64 number = 0;                   // the number; of a product, its factor
  std::string text;                 // of a variable or a call
  std::vector<u32> operands;        // of a call, and items of a sum
  std::vector<TermFactor> factors;  // of a product
};

class Terms {
 public:
  [[nodiscard]] const FormulaTerm& operator[](u32 term) const { return terms_[term]; }
  [[nodiscard]] size_t size() const { return terms_.size(); }

  u32 number(f64 value);
  u32 variable(std::string_view name);
  u32 call(std::string_view name, std::vector<u32> operands);
  u32 sum(std::span<const u32> items);
  u32 product(std::span<const u32> factors);
  u32 power(u32 base, int exponent);
  u32 scaled(u32 term, f64 by);

  // The number that a term is multiplied by: 1 of a sum.
  [[nodiscard]] f64 coefficient(u32 term) const;
  // The items of a sum; the term itself, if it is none.
  [[nodiscard]] std::vector<u32> items(u32 term) const;
  // The factors of a product, each as often as its power says, with the number, if that is not 1.
  [[nodiscard]] std::vector<u32> factors(u32 term);
  // `divisor`: kNone if there is none.
  void split_quotient(u32 term, u32& dividend, u32& divisor);

  // Every node of the tree as a term; kNone: it is no formula.
  [[nodiscard]] std::vector<u32> of_tree(const FormulaTree& tree);
  static constexpr u32 kNone = ~0u;

 private:
  u32 add(FormulaTerm term);

  std::vector<FormulaTerm> terms_;
  std::map<std::string, u32> known_;
};

}  // namespace komuz::engine

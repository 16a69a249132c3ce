// SPDX-License-Identifier: Apache-2.0
// The rules of rules.def, and how they are applied to the expressions of a draft.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "neural/teacher/rules.h"
#include "services/simplify/facts.h"
#include "services/simplify/simplify.h"

namespace komuz::services {

struct WrittenRow {
  std::string_view types, from, to, condition, fact;
};
// The rows of rules.def, or those of rounding_rules.def.
[[nodiscard]] std::span<const WrittenRow> written_rows(Exactness exactness = Exactness::ToTheBit);

enum class WantedFact : u8 { None, NeverMinusZero, NeverNegative, Unsigned, Positive };
struct WrittenRule {
  neural::Rule rule;
  WantedFact fact = WantedFact::None;
  u8 variable = 0;  // what the fact is about
};
// The rules of a row, one for each type.
[[nodiscard]] std::vector<WrittenRule> written_rules(u32 row, std::string& problem,
                                                     Exactness exactness = Exactness::ToTheBit);

// Rewrites the expressions below nodes of a draft, from the inside out.
class Rewriter {
 public:
  // To rounding: by the rules of both tables, and all constants are computed.
  Rewriter(Draft& draft, Facts& facts, Exactness exactness)
      : draft_(draft), facts_(facts), exactness_(exactness) {}

  void run(u32 body);
  [[nodiscard]] u32 made() const { return made_; }

 private:
  // What the variables of a rule stand for, and how they follow each other in the text.
  struct Bound {
    std::array<u32, neural::kMostVariables> node;
    std::array<u8, 16> order = {};
    u8 count = 0;
    u32 operator[](u8 variable) const { return node[variable]; }
  };

  // Rewrites a node once; kNone: nothing is to be done.
  [[nodiscard]] u32 rewritten(u32 n);
  [[nodiscard]] u32 folded(u32 n);
  [[nodiscard]] u32 decided(const Operation& operation);
  [[nodiscard]] u32 turned(u32 n, const Operation& operation);
  [[nodiscard]] u32 positive(u32 factor);
  [[nodiscard]] u32 with_positive_factors(u32 n, const Operation& operation);
  [[nodiscard]] u32 by_rules(u32 n, const Operation& operation);
  [[nodiscard]] bool match(const neural::Rule& rule, u8 pattern, u32 n, Bound& bound) const;
  [[nodiscard]] bool match_operands(const neural::Rule& rule, const neural::PatternNode& pattern,
                                    const Operation& operation, bool swapped, Bound& bound) const;
  [[nodiscard]] bool keeps_order(const neural::Rule& rule, const Bound& bound) const;
  [[nodiscard]] bool has_facts(const WrittenRule& rule, const Bound& bound) const;
  [[nodiscard]] u32 build(const neural::Rule& rule, u8 pattern, const Bound& bound);
  [[nodiscard]] u32 build_operation(Instruction instruction, std::span<const u32> operands);
  // In collect.cpp: sums and products as wholes, to rounding.
  struct Sum;
  struct Product;
  [[nodiscard]] u32 collected(u32 n);
  [[nodiscard]] u32 collected_sum(u32 n);
  [[nodiscard]] u32 collected_product(u32 n);
  [[nodiscard]] bool flatten_sum(u32 root, Sum& out) const;
  [[nodiscard]] bool flatten_product(u32 root, Product& out) const;
  [[nodiscard]] bool are_equal_terms(u32 a, u32 b) const;
  [[nodiscard]] u32 computed_power(u32 n);
  [[nodiscard]] u32 literal(f64 number);
  [[nodiscard]] u32 joined(Node kind, u32 left, u32 right);
  // The facts of new nodes.
  void learn_below(u32 n);

  Draft& draft_;
  Facts& facts_;
  Exactness exactness_;
  std::vector<u32> made_nodes_;
  u32 made_ = 0;
};

}  // namespace komuz::services

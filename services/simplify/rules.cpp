// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/rules.h"

#include <algorithm>
#include <string>

#include "lang/builtins.h"
#include "neural/teacher/evaluate.h"

namespace komuz::services {
namespace {

using neural::PatternKind;
using neural::PatternNode;
using neural::Rule;

constexpr WrittenRow kRows[] = {
#define RULE(types, from, to, condition, fact) {types, from, to, condition, fact},
#include "services/simplify/rules.def"
};
constexpr WrittenRow kRoundingRows[] = {
#define RULE(types, from, to, condition, fact) {types, from, to, condition, fact},
#include "services/simplify/rounding_rules.def"
};

// A node is rewritten at most this often.
constexpr u32 kMostRewritings = 64;

struct NamedFact {
  std::string_view name;
  WantedFact fact;
};
constexpr NamedFact kFacts[] = {{"!=-0", WantedFact::NeverMinusZero},
                                {">=0", WantedFact::NeverNegative},
                                {">=+0", WantedFact::Unsigned},
                                {">0", WantedFact::Positive}};

// Rules by their roots.
class RuleIndex {
 public:
  static const RuleIndex& get(Exactness exactness) {
    static const RuleIndex to_the_bit(Exactness::ToTheBit), to_rounding(Exactness::ToRounding);
    return exactness == Exactness::ToTheBit ? to_the_bit : to_rounding;
  }
  [[nodiscard]] std::span<const WrittenRule> at(PatternKind kind, Op op) const {
    return by_root_[key(kind, op)];
  }

 private:
  static u32 key(PatternKind kind, Op op) {
    return kind == PatternKind::Operation
               ? static_cast<u32>(op)
               : kOpCount + static_cast<u32>(kind) - static_cast<u32>(PatternKind::If);
  }
  explicit RuleIndex(Exactness exactness) : by_root_(kOpCount + 3) {
    add(Exactness::ToTheBit);
    if (exactness == Exactness::ToRounding) add(exactness);
  }
  void add(Exactness table) {
    std::string problem;
    for (u32 row = 0; row < written_rows(table).size(); ++row)
      for (WrittenRule& rule : written_rules(row, problem, table)) {
        const PatternNode& root = rule.rule.root();
        by_root_[key(root.kind, root.instruction.op)].push_back(std::move(rule));
      }
  }
  std::vector<std::vector<WrittenRule>> by_root_;
};

// Literals have this type by themselves.
bool is_type_of_literals(Scalar type) {
  return type == Scalar::I64 || type == Scalar::F64 || type == Scalar::Bool;
}

// Are numbers all that it is made of?
bool is_of_literals(const Draft& draft, u32 n) {
  constexpr u32 kMost = 32;
  std::vector<u32> waiting = {n};
  for (u32 step = 0; !waiting.empty(); ++step) {
    const Draft::DraftNode& node = draft[waiting.back()];
    waiting.pop_back();
    if (step == kMost || node.kind == Node::Call || node.kind == Node::Name) return false;
    if (node.left != kNone) waiting.push_back(node.left);
    if (node.right != kNone) waiting.push_back(node.right);
  }
  return true;
}

// Does the other operand give a number its type?
bool is_given_type(const Draft& draft, u32 n) {
  u32 at = n, above = draft[n].parent;
  while (draft.kind(above) == Node::Paren && draft[above].is_value) {
    at = above;
    above = draft[above].parent;
  }
  const NodeClass of = node_row(draft.kind(above)).node_class;
  const bool is_shared =
      (of == NodeClass::Arithmetic && draft.kind(above) != Node::Pow) || of == NodeClass::Compare;
  if (!is_shared) return false;
  const u32 other = draft[above].left == at ? draft[above].right : draft[above].left;
  return other != kNone && draft[other].type != Scalar::None && !is_of_literals(draft, other);
}

Node node_of(Op op) {
  for (u32 k = 0; k < kNodeCount; ++k) {
    const Node node = static_cast<Node>(k);
    const NodeRow& row = node_row(node);
    const bool is_operator = row.node_class == NodeClass::Arithmetic ||
                             row.node_class == NodeClass::Compare ||
                             row.node_class == NodeClass::Unary;
    if (is_operator && row.op == op && node != Node::NegExponent) return node;
  }
  return Node::None;
}

}  // namespace

std::span<const WrittenRow> written_rows(Exactness exactness) {
  if (exactness == Exactness::ToTheBit) return kRows;
  return kRoundingRows;
}

std::vector<WrittenRule> written_rules(u32 row, std::string& problem, Exactness exactness) {
  const WrittenRow& texts = written_rows(exactness)[row];
  std::vector<WrittenRule> out;
  WrittenRule made;
  for (const NamedFact& fact : kFacts)
    if (!texts.fact.empty() && texts.fact.substr(1) == fact.name) made.fact = fact.fact;
  if (!texts.fact.empty() && made.fact == WantedFact::None)
    problem = "no such fact: " + std::string(texts.fact);
  // Variables have their numbers in the order in which the pattern names them.
  if (!texts.fact.empty()) made.variable = texts.fact[0] == 'y' ? 1 : 0;
  for (Rule& rule : neural::parse_rule(
           {neural::RuleKind::Written, texts.types, texts.from, texts.to, texts.condition}, row,
           problem)) {
    made.rule = std::move(rule);
    out.push_back(made);
  }
  return out;
}

void Rewriter::run(u32 body) {
  std::vector<u32> below;
  draft_.list_below(body, below);
  for (const u32 first : below) {
    // What a rewriting makes is looked at in turn, the inner nodes first.
    std::vector<u32> waiting = {first};
    for (u32 step = 0; !waiting.empty() && step < kMostRewritings; ++step) {
      const u32 n = waiting.back();
      if (n >= draft_.size() || draft_[n].parent == kNone) {
        waiting.pop_back();
        continue;
      }
      facts_.learn(n);
      made_nodes_.clear();
      const u32 by = rewritten(n);
      if (by == kNone) {
        waiting.pop_back();
        continue;
      }
      ++made_;
      const u32 above = draft_[n].parent;
      const bool is_arm = draft_.kind(above) == Node::Else && draft_[above].right == n;
      if (is_arm && draft_.kind(by) != Node::Else) {
        const u32 block = draft_.add(Node::Block, draft_[by].type, kNone, by);
        facts_.learn(block);
        draft_.replace(n, block);
      } else {
        draft_.replace(n, by);
      }
      waiting.back() = by;
      for (size_t k = made_nodes_.size(); k-- > 0;)
        if (made_nodes_[k] != by) waiting.push_back(made_nodes_[k]);
    }
  }
}

void Rewriter::learn_below(u32 n) {
  std::vector<u32> below;
  draft_.list_below(n, below);
  for (const u32 node : below) facts_.learn(node);
}

u32 Rewriter::rewritten(u32 n) {
  const Draft::DraftNode& node = draft_[n];
  if (!node.is_value || node.is_commented) return kNone;
  if (node.kind == Node::Paren) return kNone;
  if (const u32 by = collected(n); by != kNone) return by;
  const Operation operation = facts_.operation_of(n);
  if (operation.form == Operation::Form::None) return kNone;
  if (const u32 by = folded(n); by != kNone) return by;
  if (const u32 by = decided(operation); by != kNone) return by;
  if (const u32 by = by_rules(n, operation); by != kNone) return by;
  if (const u32 by = with_positive_factors(n, operation); by != kNone) return by;
  return turned(n, operation);
}

// A number is written in place of what computes it where it is no longer.
u32 Rewriter::folded(u32 n) {
  const std::optional<u64> cell = facts_[n].cell;
  if (!cell || draft_.is_literal(n) || draft_.is_converted(n)) return kNone;
  // Other types have to be given by what is around it, as they are to literals.
  if (!is_type_of_literals(draft_[n].type) && !is_of_literals(draft_, n) &&
      !is_given_type(draft_, n))
    return kNone;
  const u32 literal = draft_.add_literal(draft_[n].type, *cell);
  constexpr u32 kWidestNumber = 32;
  const bool may_be_longer = exactness_ == Exactness::ToRounding && is_float(draft_[n].type);
  if (literal == kNone ||
      (!may_be_longer && draft_.width(literal, kWidestNumber) > draft_.width(n, kWidestNumber)))
    return kNone;
  learn_below(literal);
  return literal;
}

// Choices whose condition is known.
u32 Rewriter::decided(const Operation& operation) {
  if (operation.form == Operation::Form::None || operation.form == Operation::Form::Pure)
    return kNone;
  const std::optional<u64> first = facts_[operation.operand[0]].cell;
  if (!first) return kNone;
  switch (operation.form) {
    case Operation::Form::If: {
      const u32 taken = operation.operand[*first != 0 ? 1 : 2];
      if (draft_.kind(taken) == Node::Semi) return kNone;
      return taken;
    }
    case Operation::Form::And: return operation.operand[*first != 0 ? 1 : 0];
    case Operation::Form::Or: return operation.operand[*first != 0 ? 0 : 1];
    default: break;
  }
  return kNone;
}

// A factor without its sign: -1.5 is 1.5, and -x is x. kNone: it has none.
u32 Rewriter::positive(u32 factor) {
  factor = inside(draft_, factor);
  const Draft::DraftNode node = draft_[factor];
  if (node.is_commented || !is_float(node.type)) return kNone;
  if (node.kind == Node::Neg && !draft_.is_literal(factor)) return node.right;
  const std::optional<u64> cell = facts_[factor].cell;
  if (!cell || !draft_.is_literal(factor) || node.kind != Node::Neg) return kNone;
  const u32 literal = draft_.add_literal(node.type, *cell ^ u64{1} << (scalar_bits(node.type) - 1));
  if (literal != kNone) learn_below(literal);
  return literal;
}

// `y + -1.5 * x * y` is `y - 1.5 * x * y`, and `y - x * -z / y` is `y + x * z / y`: a product or a quotient of floats, however many
// factors it has, takes its sign from any of them, to the bit. The rules know those of two.
u32 Rewriter::with_positive_factors(u32 n, const Operation& operation) {
  const Node kind = draft_.kind(n);
  if ((kind != Node::Add && kind != Node::Sub) || !is_float(draft_[n].type) ||
      operation.form != Operation::Form::Pure)
    return kNone;
  constexpr u32 kMostFactors = 64;
  const auto is_product = [&](u32 k) {
    return (draft_.kind(k) == Node::Mul || draft_.kind(k) == Node::Div) && !draft_[k].is_commented;
  };
  // The last factor that has a sign.
  const auto signed_factor = [&](u32 product) {
    u32 at = inside(draft_, product);
    for (u32 step = 0; step < kMostFactors; ++step) {
      const bool has_more = is_product(at);
      const u32 factor = has_more ? inside(draft_, draft_[at].right) : at;
      const bool has_sign = draft_.kind(factor) == Node::Neg && !draft_[factor].is_commented;
      if (has_sign && (has_more || step != 0)) return factor;
      if (!has_more) break;
      at = inside(draft_, draft_[at].left);
    }
    return kNone;
  };
  const u32 left = operation.operand[0], right = operation.operand[1];
  u32 factor = signed_factor(right);
  const bool is_right = factor != kNone;
  // The sum of two floats does not depend on their order.
  if (!is_right && kind == Node::Add && facts_[left].is_calm && facts_[right].is_calm)
    factor = signed_factor(left);
  if (factor == kNone) return kNone;
  const u32 without = positive(factor);
  if (without == kNone) return kNone;
  const u32 product = inside(draft_, is_right ? right : left), other = is_right ? left : right;
  draft_.replace(factor, without);
  learn_below(product);
  const u32 by = draft_.add(kind == Node::Add ? Node::Sub : Node::Add, draft_[n].type,
                            inside(draft_, other), product);
  facts_.learn(by);
  made_nodes_.push_back(by);
  return by;
}

// Operands change places where that saves parentheses: `a * (b * c)` is `b * c * a`.
u32 Rewriter::turned(u32 n, const Operation& operation) {
  const Node kind = draft_.kind(n);
  if (kind != Node::Add && kind != Node::Mul) return kNone;
  if (operation.form != Operation::Form::Pure ||
      !neural::is_commutative(operation.instruction.op, operation.instruction.type))
    return kNone;
  const u32 left = inside(draft_, operation.operand[0]),
            right = inside(draft_, operation.operand[1]);
  const u8 level = node_row(kind).level;
  const auto is_at_level = [&](u32 k) {
    return node_row(draft_.kind(k)).level == level && node_row(draft_.kind(k)).side == Side::Left;
  };
  const bool saves = is_at_level(right) && node_row(draft_.kind(left)).level > level;
  if (!saves || !(facts_[left].is_calm || facts_[right].is_calm)) return kNone;
  const u32 by = draft_.add(kind, draft_[n].type, right, left);
  facts_.learn(by);
  return by;
}

u32 Rewriter::by_rules(u32 n, const Operation& operation) {
  const PatternKind kind = operation.form == Operation::Form::If    ? PatternKind::If
                           : operation.form == Operation::Form::And ? PatternKind::And
                           : operation.form == Operation::Form::Or  ? PatternKind::Or
                                                                    : PatternKind::Operation;
  // `i32(1)` says what type the number has.
  if (operation.instruction.op == Op::Convert && !is_type_of_literals(draft_[n].type) &&
      is_of_literals(draft_, operation.operand[0]) && !is_given_type(draft_, n))
    return kNone;
  for (const WrittenRule& written : RuleIndex::get(exactness_).at(kind, operation.instruction.op)) {
    Bound bound;
    bound.node.fill(kNone);
    if (!match(written.rule, written.rule.from, n, bound) || !has_facts(written, bound) ||
        !keeps_order(written.rule, bound))
      continue;
    const u32 by = build(written.rule, written.rule.to, bound);
    if (by != kNone) return by;
  }
  return kNone;
}

bool Rewriter::match(const Rule& rule, u8 pattern, u32 n, Bound& bound) const {
  const PatternNode& p = rule.nodes[pattern];
  n = inside(draft_, n);
  if (n == kNone || draft_[n].type != p.type || draft_[n].is_commented) return false;
  switch (p.kind) {
    case PatternKind::Varying:
      if (facts_[n].cell) return false;
      [[fallthrough]];
    case PatternKind::Any: {
      if (bound.count == bound.order.size()) return false;
      bound.order[bound.count++] = p.variable;
      u32& known = bound.node[p.variable];
      if (known != kNone) return are_same(draft_, known, n);
      known = n;
      return true;
    }
    case PatternKind::Fixed:
    case PatternKind::Power:
      if (!facts_[n].cell) return false;
      bound.node[p.variable] = n;
      return true;
    case PatternKind::Constant: return facts_[n].cell == p.cell;
    case PatternKind::Operation:
    case PatternKind::If:
    case PatternKind::And:
    case PatternKind::Or: break;
  }
  const Operation operation = facts_.operation_of(n);
  if (operation.form == Operation::Form::None || operation.count != p.operands) return false;
  const bool is_fitting =
      p.kind == PatternKind::Operation
          ? operation.form == Operation::Form::Pure && operation.instruction == p.instruction
          : (p.kind == PatternKind::If && operation.form == Operation::Form::If) ||
                (p.kind == PatternKind::And && operation.form == Operation::Form::And) ||
                (p.kind == PatternKind::Or && operation.form == Operation::Form::Or);
  if (!is_fitting) return false;
  const Bound before = bound;
  if (match_operands(rule, p, operation, false, bound)) return true;
  bound = before;
  return p.kind == PatternKind::Operation &&
         neural::is_commutative(p.instruction.op, p.instruction.type) &&
         match_operands(rule, p, operation, true, bound);
}
bool Rewriter::match_operands(const Rule& rule, const PatternNode& pattern,
                              const Operation& operation, bool swapped, Bound& bound) const {
  for (u32 k = 0; k < pattern.operands; ++k)
    if (!match(rule, pattern.operand[swapped ? 1 - k : k], operation.operand[k], bound))
      return false;
  return true;
}

// Operands that may trap, or take fuel, have to be the same ones in the same order.
bool Rewriter::keeps_order(const Rule& rule, const Bound& bound) const {
  std::vector<u8> before, after;
  for (u8 k = 0; k < bound.count; ++k)
    if (!facts_[bound[bound.order[k]]].is_calm) before.push_back(bound.order[k]);
  if (before.empty()) return true;
  for (const PatternNode& p : rule.nodes)
    if (p.kind == PatternKind::If) return false;
  const auto list = [&](const auto& self, u8 at) -> void {
    const PatternNode& p = rule.nodes[at];
    if (neural::is_variable(p.kind) && !facts_[bound[p.variable]].is_calm)
      after.push_back(p.variable);
    for (u32 k = 0; k < p.operands; ++k) self(self, p.operand[k]);
  };
  list(list, rule.to);
  return before == after;
}

bool Rewriter::has_facts(const WrittenRule& rule, const Bound& bound) const {
  if (rule.rule.condition != neural::kNoPattern) {
    // It is on constants alone.
    const auto value = [&](const auto& self, u8 at) -> u64 {
      const PatternNode& p = rule.rule.nodes[at];
      if (p.kind == PatternKind::Constant) return p.cell;
      if (neural::is_variable(p.kind)) return *facts_[bound[p.variable]].cell;
      u64 cells[3] = {};
      for (u32 k = 0; k < p.operands; ++k) cells[k] = self(self, p.operand[k]);
      if (p.kind == PatternKind::And) return cells[0] & cells[1];
      if (p.kind == PatternKind::Or) return cells[0] | cells[1];
      return neural::evaluate_cells(p.instruction, cells).cell;
    };
    if (value(value, rule.rule.condition) == 0) return false;
  }
  if (rule.fact == WantedFact::None) return true;
  const Fact& fact = facts_[bound[rule.variable]];
  switch (rule.fact) {
    case WantedFact::None: return true;
    case WantedFact::NeverMinusZero: return fact.is_never_minus_zero;
    case WantedFact::NeverNegative: return fact.is_never_negative;
    case WantedFact::Unsigned: return fact.is_never_negative && fact.is_never_minus_zero;
    case WantedFact::Positive: return fact.is_positive;
  }
  return false;
}

u32 Rewriter::build(const Rule& rule, u8 pattern, const Bound& bound) {
  const PatternNode& p = rule.nodes[pattern];
  if (neural::is_variable(p.kind)) return bound[p.variable];
  if (p.kind == PatternKind::Constant) {
    const u32 literal = draft_.add_literal(p.type, p.cell);
    if (literal != kNone) learn_below(literal);
    return literal;
  }
  if (p.kind != PatternKind::Operation) return kNone;
  u32 operands[3] = {};
  for (u32 k = 0; k < p.operands; ++k) {
    operands[k] = build(rule, p.operand[k], bound);
    if (operands[k] == kNone) return kNone;
  }
  return build_operation(p.instruction, std::span<const u32>(operands).first(p.operands));
}

u32 Rewriter::build_operation(Instruction instruction, std::span<const u32> operands) {
  const Scalar type = result_type(op_row(instruction.op).form, instruction.type);
  u32 made = kNone;
  // Of other operations `folded` says whether a number is shorter.
  if (instruction.op == Op::Neg && draft_.is_literal(operands[0]) && facts_[operands[0]].cell) {
    const u64 cells[] = {*facts_[operands[0]].cell};
    const neural::ValueOutcome value = neural::evaluate_cells(instruction, cells);
    if (value.trap != Trap::None) return kNone;
    made = draft_.add_literal(type, value.cell);
    if (made != kNone) learn_below(made);
    return made;
  }
  const Node kind = node_of(instruction.op);
  if (kind != Node::None) {
    made = operands.size() == 1 ? draft_.add(kind, type, kNone, operands[0])
                                : draft_.add(kind, type, operands[0], operands[1]);
  } else {
    for (u32 k = 0; k < kBuiltinCount && made == kNone; ++k)
      if (kBuiltins[k].op == instruction.op && kBuiltins[k].shape == BuiltinShape::Same)
        made = draft_.add_call(k, type, {operands.begin(), operands.end()});
  }
  if (made == kNone) return kNone;
  facts_.learn(made);
  made_nodes_.push_back(made);
  return made;
}

}  // namespace komuz::services

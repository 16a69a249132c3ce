// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/rules.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "lang/ops/eval_cells.h"
#include "neural/teacher/costs.h"

namespace komuz::neural {
namespace {

constexpr RuleRow kRows[] = {
#define CHEAPER(types, from, to, condition) {RuleKind::Cheaper, types, from, to, condition},
#define NORMAL(types, from, to, condition) {RuleKind::Normal, types, from, to, condition},
#define COMMUTES(Name, types)
#include "neural/teacher/rules.def"
};

struct Commuting {
  Op op;
  TypeSet types;
};
using namespace type_set;
constexpr Commuting kCommuting[] = {
#define CHEAPER(types, from, to, condition)
#define NORMAL(types, from, to, condition)
#define COMMUTES(Name, types) {Op::Name, types},
#include "neural/teacher/rules.def"
};

struct NamedOp {
  std::string_view name;
  Op op;
};
constexpr NamedOp kOps[] = {
#define OP(Name, mnemonic, form, types, traps, meaning) {#Name, Op::Name},
#include "lang/ops.def"
};

struct NamedTypes {
  std::string_view name;
  TypeSet types;
};
constexpr NamedTypes kTypeSets[] = {{"bool", kBool},
                                    {"int", kInt},
                                    {"signed", kSigned},
                                    {"unsigned", kUnsigned},
                                    {"float", kFloat},
                                    {"number", kNumber},
                                    {"all", kAny},
                                    {"i32", type_bit(Scalar::I32)},
                                    {"i64", kI64},
                                    {"u8", kU8},
                                    {"u32", type_bit(Scalar::U32)},
                                    {"u64", kU64},
                                    {"f32", type_bit(Scalar::F32)},
                                    {"f64", type_bit(Scalar::F64)}};
TypeSet types_of(std::string_view name) {
  for (const NamedTypes& row : kTypeSets)
    if (row.name == name) return row.types;
  return 0;
}

// Reads the texts of one rule for one choice of its types.
class RuleReader {
 public:
  RuleReader(Rule& rule, Scalar t, Scalar a) : rule_(rule), t_(t), a_(a) {}

  // The number of the pattern's root; none: `problem` says why, or the type has no such literal.
  std::optional<u8> read(std::string_view text) {
    text_ = text;
    at_ = 0;
    const u8 root = expression();
    if (problem.empty() && at_ != text_.size()) problem = "more text behind the expression";
    if (problem.empty() && is_fitting && rule_.nodes[root].type == Scalar::None) settle(root, t_);
    if (!problem.empty() || !is_fitting) return {};
    return root;
  }
  std::string problem;
  bool is_fitting = true;

 private:
  u8 add(const PatternNode& node) {
    rule_.nodes.push_back(node);
    return static_cast<u8>(rule_.nodes.size() - 1);
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view("(), ").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  u8 expression() {
    const std::string_view name = word();
    if (name.empty()) {
      if (problem.empty()) problem = "an expression is missing";
      return 0;
    }
    if (!take('(')) return leaf(name);
    PatternNode node;
    std::vector<u8> operands;
    do {
      operands.push_back(expression());
      if (!problem.empty()) return 0;
    } while (take(','));
    if (!take(')') || operands.size() > 3) problem = "a `)` is missing";
    node.operands = static_cast<u8>(operands.size());
    std::ranges::copy(operands, node.operand.begin());
    return composite(name, node);
  }

  u8 leaf(std::string_view name) {
    if (name == "true" || name == "false")
      return add(
          {.kind = PatternKind::Constant, .type = Scalar::Bool, .cell = name == "true" ? 1u : 0u});
    const bool is_number = name[0] == '-' || (name[0] >= '0' && name[0] <= '9');
    if (is_number || name == "MIN" || name == "MAX" || name == "inf") {
      literals_.push_back({static_cast<u8>(rule_.nodes.size()), name});
      return add({.kind = PatternKind::Constant});
    }
    if (name.size() != 1) {
      problem = "no such name: " + std::string(name);
      return 0;
    }
    // The letter says what a variable is.
    struct {
      std::string_view letters;
      PatternKind kind;
      Scalar type;
    } const kLetters[] = {
        {"xyzw", PatternKind::Any, t_},          {"uv", PatternKind::Varying, t_},
        {"cde", PatternKind::Fixed, t_},         {"t", PatternKind::Power, t_},
        {"pqr", PatternKind::Any, Scalar::Bool}, {"ab", PatternKind::Any, a_},
        {"fg", PatternKind::Fixed, a_},          {"kl", PatternKind::Fixed, Scalar::I64},
        {"n", PatternKind::Any, Scalar::I64}};
    for (const auto& row : kLetters) {
      if (row.letters.find(name[0]) == std::string_view::npos) continue;
      size_t number = names_.find(name[0]);
      if (number == std::string::npos) {
        number = names_.size();
        names_ += name[0];
        rule_.variables = static_cast<u8>(names_.size());
      }
      // A power, for what divisions by it cost.
      const u64 cell = row.kind == PatternKind::Power ? 2 : 0;
      return add(
          {.kind = row.kind, .type = row.type, .variable = static_cast<u8>(number), .cell = cell});
    }
    problem = "no such variable: " + std::string(name);
    return 0;
  }

  u8 composite(std::string_view name, PatternNode node) {
    const auto type = [&](u32 k) { return rule_.nodes[node.operand[k]].type; };
    const auto first_type = [&](u32 from) {
      for (u32 k = from; k < node.operands; ++k)
        if (type(k) != Scalar::None) return type(k);
      return t_;
    };
    const auto wants = [&](u32 count) {
      if (node.operands != count) problem = "a wrong number of operands: " + std::string(name);
    };
    if (name == "If") {
      wants(3);
      node.kind = PatternKind::If;
      node.type = first_type(1);
      if (!problem.empty()) return 0;
      settle(node.operand[1], node.type);
      settle(node.operand[2], node.type);
      return add(node);
    }
    if (name == "AndThen" || name == "OrElse") {
      wants(2);
      node.kind = name == "AndThen" ? PatternKind::And : PatternKind::Or;
      node.type = Scalar::Bool;
      return add(node);
    }
    const size_t dot = name.find('.');
    const std::string_view suffix = dot == std::string_view::npos ? "" : name.substr(dot + 1);
    const auto found = std::ranges::find(kOps, name.substr(0, dot), &NamedOp::name);
    if (found == std::end(kOps) || !is_pure_form(op_row(found->op).form)) {
      problem = "no such operation: " + std::string(name);
      return 0;
    }
    const OpForm form = op_row(found->op).form;
    wants(operand_count(form));
    if (!problem.empty()) return 0;
    node.kind = PatternKind::Operation;
    Instruction& i = node.instruction;
    i.op = found->op;
    if (form == OpForm::Convert) {
      i.type = suffix.empty() ? t_ : suffix == "A" ? a_ : one_of(types_of(suffix));
      i.a = static_cast<u16>(first_type(0));
    } else if (form == OpForm::Shift) {
      i.type = type(0) == Scalar::None ? t_ : type(0);
      settle(node.operand[0], i.type);
      const Scalar amount = type(1) == Scalar::None ? Scalar::I64 : type(1);
      settle(node.operand[1], amount);
      i.a = static_cast<u16>(amount);
    } else {
      i.type = first_type(0);
      for (u32 k = 0; k < node.operands; ++k) settle(node.operand[k], i.type);
    }
    if (i.type == Scalar::None || (op_row(i.op).types & type_bit(i.type)) == 0) is_fitting = false;
    node.type = result_type(form, i.type);
    return add(node);
  }
  static Scalar one_of(TypeSet types) {
    return std::has_single_bit(types) ? static_cast<Scalar>(std::countr_zero(types)) : Scalar::None;
  }

  // Gives a literal its type; others have one.
  void settle(u8 node, Scalar type) {
    PatternNode& n = rule_.nodes[node];
    if (n.type != Scalar::None) {
      if (n.type != type) problem = "operands of different types";
      return;
    }
    n.type = type;
    const auto literal = std::ranges::find(literals_, node, &Literal::node);
    if (literal != literals_.end()) n.cell = cell_of(literal->text, type);
  }
  // is_fitting becomes false where the type has no such value.
  u64 cell_of(std::string_view text, Scalar type) {
    if (is_float(type)) {
      f64 x = 0;
      if (text == "inf")
        x = std::numeric_limits<f64>::infinity();
      else if (std::from_chars(text.begin(), text.end(), x).ptr != text.end())
        is_fitting = false;
      return type == Scalar::F32 ? std::bit_cast<u32>(static_cast<f32>(x)) : std::bit_cast<u64>(x);
    }
    if (!is_integer(type)) {
      is_fitting = false;
      return 0;
    }
    const u32 bits = scalar_bits(type);
    if (text == "MIN") return is_signed(type) ? canonical_cell(type, u64{1} << (bits - 1)) : 0;
    if (text == "MAX")
      return canonical_cell(type, is_signed(type) ? (u64{1} << (bits - 1)) - 1 : ~u64{0});
    i64 number = 0;
    is_fitting = is_fitting && std::from_chars(text.begin(), text.end(), number).ptr == text.end();
    const u64 cell = canonical_cell(type, static_cast<u64>(number));
    // An unsigned type has no negative number.
    if (static_cast<i64>(cell) != number || (number < 0 && !is_signed(type))) is_fitting = false;
    return cell;
  }

  struct Literal {
    u8 node;
    std::string_view text;
  };
  Rule& rule_;
  const Scalar t_, a_;
  std::string_view text_;
  size_t at_ = 0;
  std::string names_;  // variables, by number
  std::vector<Literal> literals_;
};

// What a pattern costs, without its variables.
u64 pattern_cost(const Rule& rule, u8 node) {
  const PatternNode& n = rule.nodes[node];
  u64 cost = 0;
  for (u32 k = 0; k < n.operands; ++k) cost += pattern_cost(rule, n.operand[k]);
  switch (n.kind) {
    case PatternKind::Any:
    case PatternKind::Varying:
    case PatternKind::Fixed:
    case PatternKind::Power:
    case PatternKind::Constant: return cost_of(OtherCost::Instruction);
    case PatternKind::Operation: {
      const PatternNode& last = rule.nodes[n.operand[n.operands - 1u]];
      return cost + cost_of_operation(n.instruction, is_constant(last.kind) ? &last.cell : nullptr);
    }
    case PatternKind::If:
      return cost + 2 * cost_of(OtherCost::Instruction) + cost_of(OtherCost::Branch);
    case PatternKind::And:
    case PatternKind::Or: return cost + cost_of(OtherCost::Instruction) + cost_of(OtherCost::Lazy);
  }
  return cost;
}
// Operations on constants alone are computed once: they are constants.
bool is_known(const Rule& rule, u8 node) {
  const PatternNode& n = rule.nodes[node];
  if (n.operands == 0) return is_constant(n.kind);
  for (u32 k = 0; k < n.operands; ++k)
    if (!is_known(rule, n.operand[k])) return false;
  return true;
}
u64 made_cost(const Rule& rule, u8 node) {
  if (is_known(rule, node)) return cost_of(OtherCost::Instruction);
  u64 cost = pattern_cost(rule, node);
  const PatternNode& n = rule.nodes[node];
  for (u32 k = 0; k < n.operands; ++k)
    cost += made_cost(rule, n.operand[k]) - pattern_cost(rule, n.operand[k]);
  return cost;
}

void count_variables(const Rule& rule, u8 node, std::array<u32, kMostVariables>& counts) {
  const PatternNode& n = rule.nodes[node];
  if (n.operands == 0 && n.kind != PatternKind::Constant) ++counts[n.variable];
  for (u32 k = 0; k < n.operands; ++k) count_variables(rule, n.operand[k], counts);
}

// Variables that are evaluated in any case.
u32 certain_variables(const Rule& rule, u8 node) {
  const PatternNode& n = rule.nodes[node];
  if (is_variable(n.kind)) return 1u << n.variable;
  const bool has_arms =
      n.kind == PatternKind::If || n.kind == PatternKind::And || n.kind == PatternKind::Or;
  u32 certain = 0;
  for (u32 k = 0; k < (has_arms ? 1u : n.operands); ++k)
    certain |= certain_variables(rule, n.operand[k]);
  return certain;
}

std::optional<Rule> read_rule(const RuleRow& row, u32 number, Scalar t, Scalar a,
                              std::string& problem) {
  Rule rule;
  rule.kind = row.kind;
  rule.row = number;
  RuleReader reader(rule, t, a);
  const std::optional<u8> from = reader.read(row.from);
  std::optional<u8> to, condition;
  std::array<u32, kMostVariables> before = {}, after = {};
  if (from) {
    rule.from = *from;
    const u8 known = rule.variables;
    to = reader.read(row.to);
    if (to && !row.condition.empty()) condition = reader.read(row.condition);
    if (to && rule.variables != known) reader.problem = "a variable that the pattern does not have";
  }
  problem = reader.problem;
  if (!problem.empty() || !reader.is_fitting) return {};
  rule.to = *to;
  if (condition) rule.condition = *condition;
  if (rule.nodes[rule.from].type != rule.nodes[rule.to].type) {
    problem = "two sides of different types";
    return {};
  }
  const u64 cost = pattern_cost(rule, rule.from), made = made_cost(rule, rule.to);
  const bool is_dear = rule.kind == RuleKind::Cheaper ? made >= cost : made > cost;
  if (is_dear && rule.kind != RuleKind::Written) return {};
  count_variables(rule, rule.from, before);
  count_variables(rule, rule.to, after);
  for (u32 v = 0; v < rule.variables; ++v)
    if (after[v] > before[v]) rule.copied |= static_cast<u8>(1u << v);
  rule.hurried =
      static_cast<u8>(certain_variables(rule, rule.to) & ~certain_variables(rule, rule.from));
  return rule;
}

// The rule in each order of operands that commute.
void add_commuted(const Rule& rule, u8 node, std::vector<Rule>& out) {
  std::vector<u8> commuting;
  const auto collect = [&](const auto& self, u8 at) -> void {
    const PatternNode& n = rule.nodes[at];
    for (u32 k = 0; k < n.operands; ++k) self(self, n.operand[k]);
    if (n.kind != PatternKind::Operation || !is_commutative(n.instruction.op, n.instruction.type))
      return;
    // Constants stand behind in any case.
    const PatternKind last = rule.nodes[n.operand[1]].kind;
    if (!is_constant(last)) commuting.push_back(at);
  };
  collect(collect, node);
  for (u32 swapped = 0; swapped < 1u << commuting.size(); ++swapped) {
    Rule& made = out.emplace_back(rule);
    for (u32 k = 0; k < commuting.size(); ++k)
      if ((swapped >> k & 1) != 0)
        std::swap(made.nodes[commuting[k]].operand[0], made.nodes[commuting[k]].operand[1]);
  }
}

}  // namespace

std::span<const RuleRow> rule_rows() { return kRows; }

bool is_commutative(Op op, Scalar type) {
  for (const Commuting& row : kCommuting)
    if (row.op == op) return (row.types & type_bit(type)) != 0;
  return false;
}

std::vector<Rule> parse_rule(const RuleRow& row, u32 number, std::string& problem) {
  std::vector<Rule> rules;
  const size_t from = row.types.find(" from ");
  const TypeSet first = types_of(row.types.substr(0, from));
  const TypeSet second =
      from == std::string_view::npos ? TypeSet{1} : types_of(row.types.substr(from + 6));
  if (first == 0 || second == 0) problem = "no such types: " + std::string(row.types);
  for (u32 t = 1; t < kScalarCount && problem.empty(); ++t)
    for (u32 a = 0; a < kScalarCount && problem.empty(); ++a) {
      if ((first >> t & 1) == 0 || (second >> a & 1) == 0) continue;
      std::optional<Rule> rule =
          read_rule(row, number, static_cast<Scalar>(t), static_cast<Scalar>(a), problem);
      if (rule) rules.push_back(std::move(*rule));
    }
  if (!problem.empty()) rules.clear();
  return rules;
}

std::vector<Rule> rules_of(u32 row) {
  std::string problem;
  return parse_rule(kRows[row], row, problem);
}

const RuleTable& RuleTable::get() {
  static const RuleTable table = [] {
    std::vector<Rule> all;
    for (u32 row = 0; row < std::size(kRows); ++row)
      for (const Rule& rule : rules_of(row)) all.push_back(rule);
    return RuleTable(all);
  }();
  return table;
}

RuleTable::RuleTable(std::span<const Rule> rules) : by_root_(size_t{kOpCount + 3} * kScalarCount) {
  std::vector<Rule> commuted;
  for (const Rule& rule : rules) {
    commuted.clear();
    add_commuted(rule, rule.from, commuted);
    const PatternNode& root = rule.root();
    const bool is_operation = root.kind == PatternKind::Operation;
    for (Rule& one : commuted)
      by_root_[key(root.kind, root.instruction.op,
                   is_operation ? root.instruction.type : root.type)]
          .push_back(std::move(one));
  }
}

}  // namespace komuz::neural

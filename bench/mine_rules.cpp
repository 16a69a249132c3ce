// SPDX-License-Identifier: Apache-2.0
// Looks for rules that neural/teacher/rules.def does not have, and prints them as rows for it:
//
//   mine_rules [TYPE [INSTRUCTIONS [EXPRESSIONS]]]
//   mine_rules --prune ROW     prints the rows from number ROW on without those that follow from others
//
// All expressions of up to so many instructions over three variables of the type, two bools and the usual literals are
// put together from the cheapest ones of each outcome on guided inputs. Where two have the same outcomes, and one is
// cheaper, that is a rule to be: unless the rules so far make code as cheap of the dearer one. The solver has to prove it,
// and says for which types it holds. What is found serves as a rule at once, so larger expressions that follow are left out.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "neural/teacher/costs.h"
#include "neural/teacher/enumerate.h"
#include "neural/teacher/part.h"
#include "neural/teacher/rewrite.h"
#include "tests/neural/rule_code.h"

namespace komuz::neural {
namespace {

constexpr const char* kNames[] = {
#define OP(Name, mnemonic, form, types, traps, meaning) #Name,
#include "lang/ops.def"
};
constexpr u32 kRows = 96;
// What takes longer would take too long in a test, too.
constexpr u64 kResources = 300'000;
// Operations that programs are full of.
constexpr Op kMined[] = {Op::Add, Op::Sub, Op::AddWrap, Op::SubWrap, Op::MulWrap, Op::And,  Op::Or,
                         Op::Xor, Op::Not, Op::Neg,     Op::Min,     Op::Max,     Op::Abs,  Op::Eq,
                         Op::Ne,  Op::Lt,  Op::Le,      Op::Div0,    Op::Sqrt0,   Op::Floor};

class Miner {
 public:
  Miner(Scalar type, const EnumerationLimits& limits) : type_(type), limits_(limits) {
    for (u32 row = 0; row < rule_rows().size(); ++row)
      for (const Rule& rule : rules_of(row)) rules_.push_back(rule);
  }

  // Prints those rows from `first` on that no others make unnecessary, and that are proved soon.
  static void prune(u32 first) {
    std::vector<bool> is_left(rule_rows().size(), true);
    std::vector<std::vector<Rule>> rules;
    for (u32 row = 0; row < rule_rows().size(); ++row) rules.push_back(rules_of(row));
    // The longest first, as shorter ones say more.
    std::vector<u32> order;
    for (u32 row = first; row < rule_rows().size(); ++row) order.push_back(row);
    std::ranges::stable_sort(order, std::greater(),
                             [](u32 row) { return rule_rows()[row].from.size(); });
    for (const u32 row : order) {
      is_left[row] = false;
      std::vector<Rule> others;
      for (u32 k = 0; k < rules.size(); ++k)
        if (is_left[k]) others.insert(others.end(), rules[k].begin(), rules[k].end());
      const RuleTable table(others);
      is_left[row] = std::ranges::any_of(rules[row],
                                         [&](const Rule& rule) {
                                           ValueGraph made;
                                           RewriteStats stats;
                                           Simplifier simplifier(made, table, stats);
                                           simplifier.start();
                                           const u32 from =
                                               pattern(rule, rule.from, made, simplifier);
                                           const u32 to = pattern(rule, rule.to, made, simplifier);
                                           return tree_cost(made, from) > tree_cost(made, to);
                                         }) &&
                     std::ranges::all_of(rules[row], [](const Rule& rule) {
                       return test::is_proved(rule, 0, test::Trapping::Each, kResources);
                     });
    }
    for (u32 row = first; row < rule_rows().size(); ++row)
      if (is_left[row])
        std::printf("CHEAPER(\"%s\", \"%s\", \"%s\", \"%s\")\n",
                    std::string(rule_rows()[row].types).c_str(),
                    std::string(rule_rows()[row].from).c_str(),
                    std::string(rule_rows()[row].to).c_str(),
                    std::string(rule_rows()[row].condition).c_str());
  }

  void run() {
    const bool is_bool = type_ == Scalar::Bool;
    std::vector<Scalar> inputs(is_bool ? 0 : 3, type_);
    letters_ = is_bool ? "pqr" : "xyzpq";
    while (inputs.size() < letters_.size()) inputs.push_back(Scalar::Bool);
    EnumerationSample sample = sample_for(inputs);
    limits_.keeps_alike = true;
    const std::vector<std::vector<u64>> rows = rows_for(inputs);
    Enumeration all(sample, rows, ~u64{0}, limits_);
    std::fprintf(stderr, "%zu expressions, %zu pairs\n", all.entries().size(), all.alike().size());
    for (const Enumeration::Alike& pair : all.alike()) consider(all, pair.dear, pair.cheap);
    choices(all);
    std::fprintf(stderr, "%u found, %u not proved\n", found_, unproved_);
  }

 private:
  EnumerationSample sample_for(std::span<const Scalar> inputs) const {
    ValueGraph graph;
    // A tree that has both types, so that all their operations are in the sample.
    const u32 x = graph.input(0, type_);
    std::array<u32, 2> operands = {x, x};
    const u32 compared = graph.operation({Op::Eq, type_, 0, 0}, operands);
    EnumerationSample sample = sample_of(graph, compared, inputs);
    std::erase_if(sample.operations, [](Instruction i) {
      return std::ranges::find(kMined, i.op) == std::end(kMined);
    });
    if (type_ == Scalar::F64) sample.constants = {{type_, 0}, {type_, 0x3FF0'0000'0000'0000}};
    if (is_signed(type_)) sample.constants.push_back({type_, ~u64{0}});
    for (const u64 cell : {0, 1}) sample.constants.push_back({Scalar::Bool, cell});
    return sample;
  }
  std::vector<std::vector<u64>> rows_for(std::span<const Scalar> inputs) const {
    ValueGraph graph;
    std::vector<u32> nodes;
    Code code;
    Function f;
    code.names = "f";
    f.name_end = 1;
    code.types = {kTupleCode, static_cast<u8>(inputs.size())};
    for (const Scalar type : inputs) {
      code.types.push_back(static_cast<u8>(type));
      code.slot_types.push_back(static_cast<u8>(type));
      code.parameter_names.push_back({0, 1});
    }
    code.types.push_back(static_cast<u8>(inputs[0]));
    f.parameter_slots = f.slots = static_cast<u16>(inputs.size());
    f.result_cells = 1;
    f.is_public = true;
    code.instructions = {{Op::LoadVar, inputs[0], 0, 0}, {Op::Return, Scalar::None, 0, 0}};
    code.places = {0, 0};
    f.code_end = 2;
    code.functions.push_back(f);
    if (check_code(code.view(), code.functions)) std::abort();
    return guided_rows(code.view(), kRows);
  }

  std::string text(const ValueGraph& graph, u32 node) const {
    const ValueNode& n = graph[node];
    if (n.kind == ValueKind::Input) return std::string(1, letters_[n.instruction.a]);
    if (n.is_constant()) {
      if (n.type == Scalar::Bool) return n.cell != 0 ? "true" : "false";
      if (n.type == Scalar::F64) return n.cell == 0 ? "0" : "1";
      return std::to_string(static_cast<i64>(n.cell));
    }
    std::string out = n.kind == ValueKind::If ? "If" : kNames[static_cast<u32>(n.instruction.op)];
    for (u32 k = 0; k < n.operands; ++k) out += (k == 0 ? "(" : ", ") + text(graph, n.operand[k]);
    return out + ")";
  }
  // Letters of variables stand alone.
  static bool is_letter(std::string_view text, size_t k) {
    const auto is_alpha = [&](size_t at) {
      return at < text.size() && std::isalpha(text[at]) != 0;
    };
    return is_alpha(k) && !is_alpha(k + 1) && (k == 0 || !is_alpha(k - 1));
  }
  // Renames the variables of a rule so that x and p come first, in the order in which they stand; false if the second
  // side has one that the first one does not have.
  static bool rename(std::string& left, std::string& right) {
    std::string from, to;
    size_t numbers = 0, bools = 0;
    for (size_t k = 0; k < left.size(); ++k) {
      if (!is_letter(left, k)) continue;
      size_t at = from.find(left[k]);
      if (at == std::string::npos) {
        at = from.size();
        const bool is_bool = left[k] >= 'p' && left[k] <= 'r';
        from += left[k];
        to += is_bool ? "pqr"[bools++] : "xyz"[numbers++];
      }
      left[k] = to[at];
    }
    for (size_t k = 0; k < right.size(); ++k) {
      if (!is_letter(right, k)) continue;
      const size_t at = from.find(right[k]);
      if (at == std::string::npos) return false;
      right[k] = to[at];
    }
    return true;
  }

  // A side of a rule without conditions.
  static u32 pattern(const Rule& rule, u8 at, ValueGraph& graph, Simplifier& by) {
    const PatternNode& n = rule.nodes[at];
    if (is_variable(n.kind)) return graph.input(n.variable, n.type);
    if (n.kind == PatternKind::Constant) return graph.constant(n.type, n.cell);
    std::array<u32, 3> operands = {};
    for (u32 k = 0; k < n.operands; ++k) operands[k] = pattern(rule, n.operand[k], graph, by);
    const auto made = std::span<const u32>(operands).first(n.operands);
    return n.kind == PatternKind::Operation ? by.operation(n.instruction, made)
                                            : by.choice(ValueKind::If, made);
  }

  static u64 tree_cost(const ValueGraph& graph, u32 node) {
    const ValueNode& n = graph[node];
    u64 cost = 0;
    for (u32 k = 0; k < n.operands; ++k) cost += tree_cost(graph, n.operand[k]);
    if (n.kind == ValueKind::Operation) {
      const ValueNode& last = graph[n.operand[n.operands - 1u]];
      return cost + cost_of_operation(n.instruction, last.is_constant() ? &last.cell : nullptr);
    }
    if (n.kind == ValueKind::If)
      return cost + 2 * cost_of(OtherCost::Instruction) + cost_of(OtherCost::Branch);
    return cost + cost_of(OtherCost::Instruction);
  }
  // The same tree, made by the rules so far.
  u32 simplified(const ValueGraph& from, u32 node, ValueGraph& to, Simplifier& by) const {
    const ValueNode& n = from[node];
    if (n.kind == ValueKind::Input) return to.input(n.instruction.a, n.type);
    if (n.is_constant()) return to.constant(n.type, n.cell);
    std::array<u32, 3> operands = {};
    for (u32 k = 0; k < n.operands; ++k) operands[k] = simplified(from, n.operand[k], to, by);
    const auto made = std::span<const u32>(operands).first(n.operands);
    return n.kind == ValueKind::Operation ? by.operation(n.instruction, made)
                                          : by.choice(n.kind, made);
  }

  void consider(const Enumeration& all, const Enumeration::Found& dear,
                const Enumeration::Found& cheap) {
    ValueGraph graph, made;
    if (!table_) table_.emplace(rules_);
    RewriteStats stats;
    Simplifier simplifier(made, *table_, stats);
    simplifier.start();
    // Other rules know the form that the rules so far make.
    const u32 from = simplified(graph, all.write(dear, graph), made, simplifier);
    const u32 to = simplified(graph, all.write(cheap, graph), made, simplifier);
    if (tree_cost(made, from) <= tree_cost(made, to)) return;
    std::string left = text(made, from), right = text(made, to);
    if (!rename(left, right) || !tried_.insert(left + right).second) return;
    settle(left, right);
  }

  void settle(const std::string& left, const std::string& right) {
    std::vector<std::string> sets;
    if (type_ == Scalar::Bool)
      sets = {"bool"};
    else if (is_float(type_))
      sets = {"all", "number", "float"};
    else
      sets = {"all", "number", "int", is_signed(type_) ? "signed" : "unsigned",
              std::string(scalar_name(type_))};
    const auto count = [&](const std::string& set) {
      std::string problem;
      return parse_rule({RuleKind::Cheaper, set, left, right, ""}, 0, problem).size();
    };
    // A wider set that adds no type says too much.
    while (sets.size() > 1 && count(sets[0]) == count(sets[1])) sets.erase(sets.begin());
    for (const std::string& set : sets) {
      std::string problem;
      const RuleRow row = {RuleKind::Cheaper, set, left, right, ""};
      const std::vector<Rule> made = parse_rule(row, 0, problem);
      if (made.empty()) continue;
      const bool is_for_all = std::ranges::all_of(made, [](const Rule& rule) {
        return test::is_proved(rule, 0, test::Trapping::Each, kResources);
      });
      if (!is_for_all) continue;
      std::printf("CHEAPER(\"%s\", \"%s\", \"%s\", \"\")\n", set.c_str(), left.c_str(),
                  right.c_str());
      std::fflush(stdout);
      ++found_;
      rules_.insert(rules_.end(), made.begin(), made.end());
      table_.reset();
      return;
    }
    ++unproved_;
  }

  // Arms and conditions of up to three instructions.
  void choices(const Enumeration& all) {
    std::vector<u32> tests, arms;
    for (u32 e = 0; e < all.entries().size(); ++e) {
      const Enumeration::Entry& entry = all.entries()[e];
      if (entry.size > 3) continue;
      if (entry.type == Scalar::Bool) tests.push_back(e);
      if (entry.type == type_) arms.push_back(e);
    }
    std::fprintf(stderr, "%zu conditions, %zu arms\n", tests.size(), arms.size());
    std::vector<ValueOutcome> outcomes(kRows);
    for (const u32 test : tests)
      for (const u32 a : arms)
        for (const u32 b : arms) {
          for (u32 row = 0; row < kRows; ++row) {
            const ValueOutcome decided = all.outcome(test, row);
            outcomes[row] =
                decided.trap != Trap::None ? decided : all.outcome(decided.cell != 0 ? a : b, row);
          }
          const Enumeration::Entry* entry = all.entry_of(type_, outcomes);
          if (entry == nullptr) continue;
          Enumeration::Found found{0, ValueKind::If, {}, 3, {test, a, b}};
          consider(all, found, entry->made);
        }
  }

  const Scalar type_;
  EnumerationLimits limits_;
  std::string letters_;
  std::vector<Rule> rules_;
  std::optional<RuleTable> table_;
  std::set<std::string> tried_;
  u32 found_ = 0, unproved_ = 0;
};

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  using namespace komuz;
  const std::string_view name = count > 1 ? words[1] : "i64";
  const auto number = [&](int at, unsigned long usual) {
    return static_cast<u32>(count > at ? std::strtoul(words[at], nullptr, 10) : usual);
  };
  neural::EnumerationLimits limits;
  limits.kept = number(2, 5);
  limits.expressions = number(3, 20'000);
  limits.combinations = 4'000'000;
  if (name == "--prune") {
    neural::Miner::prune(number(2, 0));
    return 0;
  }
  for (u32 t = 1; t < kScalarCount; ++t)
    if (scalar_name(static_cast<Scalar>(t)) == name) {
      neural::Miner(static_cast<Scalar>(t), limits).run();
      return 0;
    }
  std::fprintf(stderr, "no such type: %s\n", words[1]);
  return 1;
}

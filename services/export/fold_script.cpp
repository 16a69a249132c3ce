// SPDX-License-Identifier: Apache-2.0
// Scripts as formulas: one term for each result of the entry.
#include <map>
#include <utility>

#include "services/export/formula.h"

namespace komuz::services {
namespace {

// More terms than this are no formula that anybody reads.
constexpr size_t kMostTerms = 20'000;

// What one function computes, over terms of its own parameters.
class Folder {
 public:
  Folder(const Script& script, u32 number, const std::vector<Formula>& callees)
      : f_(script.functions[number]), callees_(callees) {
    out_.function = number;
    out_.terms.parameters = f_.parameters;
    values_.assign(f_.variables.size(), kNoTerm);
    for (u32 k = 0; k < f_.parameters; ++k) {
      out_.terms.variables.push_back(f_.variables[k]);
      Term term;
      term.kind = TermKind::Variable;
      term.type = f_.variables[k].type;
      term.number = k;
      values_[k] = add(term, {});
    }
  }

  Formula run() {
    for (const ScriptVariable& variable : f_.variables) {
      if (is_reference(variable.type)) refuse("a slice");
      if (variable.length != 0) refuse("an array or a list");
    }
    if (f_.cycle != 0) refuse("a function that calls itself");
    for (const Statement& statement : f_.statements) {
      if (!out_.refusal.empty()) break;
      step(statement);
      if (out_.terms.terms.size() > kMostTerms)
        refuse("a formula of more than " + std::to_string(kMostTerms) + " operations");
    }
    if (!out_.refusal.empty()) return std::move(out_);
    // The first return whose way was taken counts; the last one is behind all.
    out_.results = returns_.back().values;
    for (size_t k = returns_.size() - 1; k-- > 0;)
      for (size_t r = 0; r < out_.results.size(); ++r)
        out_.results[r] = choose(returns_[k].path, returns_[k].values[r], out_.results[r]);
    return std::move(out_);
  }

 private:
  static constexpr u32 kNoTerm = ~0u;
  struct Arm {
    u32 condition = 0, path = kNoTerm;  // of the whole way to here; kNoTerm: always
    bool is_second = false;
    std::vector<u32> before, first;  // values of variables
  };
  struct Given {
    u32 path;
    std::vector<u32> values;
  };

  void refuse(std::string what) {
    if (out_.refusal.empty()) out_.refusal = std::move(what);
  }
  u32 add(Term term, std::span<const u32> operands) {
    ScriptFunction& to = out_.terms;
    const std::vector<u32> kept(operands.begin(), operands.end());
    // Equal terms are one.
    std::string key;
    for (const u64 word : {u64{static_cast<u8>(term.kind)}, u64{static_cast<u8>(term.op)},
                           u64{static_cast<u8>(term.type)}, u64{static_cast<u8>(term.operand_type)},
                           u64{static_cast<u8>(term.other_type)}, u64{term.number}, term.cell})
      key += std::to_string(word) + " ";
    for (const u32 operand : kept) {
      key += std::to_string(operand) + ",";
      term.may_trap |= to.terms[operand].may_trap;
    }
    const auto [known, is_new] =
        numbers_.emplace(std::move(key), static_cast<u32>(to.terms.size()));
    if (!is_new) return known->second;
    term.operands_begin = static_cast<u32>(to.operands.size());
    to.operands.insert(to.operands.end(), kept.begin(), kept.end());
    term.operands_end = static_cast<u32>(to.operands.size());
    to.terms.push_back(term);
    out_.names.emplace_back();
    return static_cast<u32>(to.terms.size() - 1);
  }
  u32 choose(u32 condition, u32 first, u32 second) {
    if (first == second) return first;
    Term term;
    term.kind = TermKind::Choose;
    term.type = out_.terms.terms[second].type;
    const u32 operands[] = {condition, first, second};
    return add(term, operands);
  }
  u32 both(u32 a, u32 b) {
    if (a == kNoTerm) return b;
    Term term;
    term.kind = TermKind::AndThen;
    term.type = Scalar::Bool;
    const u32 operands[] = {a, b};
    return add(term, operands);
  }
  u32 opposite(u32 a) {
    Term term;
    term.kind = TermKind::Operation;
    term.op = Op::Not;
    term.type = term.operand_type = Scalar::Bool;
    const u32 operands[] = {a};
    return add(term, operands);
  }
  // Copies what a term of another function stands on, smallest first.
  template <class Leaf>
  u32 copy(const ScriptFunction& from, u32 root, const Leaf& leaf) {
    std::vector<u32> open = {root};
    std::map<u32, u32> copies;
    while (!open.empty()) {
      const u32 at = open.back();
      open.pop_back();
      if (!copies.emplace(at, 0).second) continue;
      for (const u32 operand : from.operands_of(at)) open.push_back(operand);
    }
    for (auto& [number, made] : copies) {
      const Term& term = from.terms[number];
      if (term.kind == TermKind::Variable) {
        made = leaf(term.number);
        continue;
      }
      std::vector<u32> operands;
      for (const u32 operand : from.operands_of(term)) operands.push_back(copies[operand]);
      if (term.kind == TermKind::Call) {
        const std::vector<u32> results = call(term.number, operands);
        made = results.empty() ? 0 : results[0];
      } else {
        made = add(term, operands);
      }
    }
    return copies[root];
  }
  u32 translated(u32 term) {
    return copy(f_, term, [&](u32 variable) {
      if (values_[variable] == kNoTerm) {
        // An arm that is never taken may name what it has not assigned.
        Term zero;
        zero.type = f_.variables[variable].type;
        return add(zero, {});
      }
      return values_[variable];
    });
  }
  std::vector<u32> call(u32 callee, const std::vector<u32>& arguments) {
    const Formula& of = callees_[callee];
    if (!of.refusal.empty()) {
      refuse(of.refusal);
      return {};
    }
    std::vector<u32> results;
    for (const u32 result : of.results)
      results.push_back(copy(of.terms, result, [&](u32 variable) { return arguments[variable]; }));
    for (const u32 effect : of.effects)
      out_.effects.push_back(
          copy(of.terms, effect, [&](u32 variable) { return arguments[variable]; }));
    if (out_.terms.terms.size() > kMostTerms)
      refuse("a formula of more than " + std::to_string(kMostTerms) + " operations");
    return results;
  }
  void set(u32 variable, u32 term) {
    values_[variable] = term;
    if (out_.terms.terms[term].may_trap) out_.effects.push_back(term);
    if (f_.is_entry && arms_.empty() && f_.variables[variable].is_named &&
        out_.names[term].empty() && out_.terms.terms[term].kind != TermKind::Variable &&
        out_.terms.terms[term].kind != TermKind::Constant)
      out_.names[term] = f_.variables[variable].name;
  }
  [[nodiscard]] u32 path() const { return arms_.empty() ? kNoTerm : arms_.back().path; }

  void step(const Statement& s) {
    switch (s.kind) {
      case StatementKind::Assign: set(s.variable, translated(s.term)); return;
      case StatementKind::Declare: return;
      case StatementKind::Call: {
        std::vector<u32> arguments;
        for (const u32 value : s.values) arguments.push_back(translated(value));
        const std::vector<u32> results = call(s.number, arguments);
        for (size_t k = 0; k < results.size(); ++k) set(s.targets[k], results[k]);
        return;
      }
      case StatementKind::If: {
        Arm arm;
        arm.condition = translated(s.term);
        arm.path = both(path(), arm.condition);
        arm.before = values_;
        arms_.push_back(std::move(arm));
        return;
      }
      case StatementKind::Else: {
        Arm& arm = arms_.back();
        arm.first = std::exchange(values_, arm.before);
        arm.is_second = true;
        const u32 outer = arms_.size() < 2 ? kNoTerm : arms_[arms_.size() - 2].path;
        arm.path = both(outer, opposite(arm.condition));
        return;
      }
      case StatementKind::EndIf: {
        Arm arm = std::move(arms_.back());
        arms_.pop_back();
        if (!arm.is_second) arm.first = std::exchange(values_, arm.before);
        for (size_t k = 0; k < values_.size(); ++k) {
          if (arm.first[k] == kNoTerm || values_[k] == kNoTerm)
            values_[k] = values_[k] == kNoTerm ? arm.first[k] : values_[k];
          else
            values_[k] = choose(arm.condition, arm.first[k], values_[k]);
        }
        return;
      }
      case StatementKind::Return: {
        Given given{path(), {}};
        for (const u32 value : s.values) given.values.push_back(translated(value));
        returns_.push_back(std::move(given));
        return;
      }
      case StatementKind::Loop:
      case StatementKind::While:
      case StatementKind::For:
      case StatementKind::EndLoop:
      case StatementKind::BreakUnless:
      case StatementKind::CountDown:
      case StatementKind::Break:
      case StatementKind::Continue: return refuse("a loop");
      case StatementKind::MakeArray:
      case StatementKind::StoreElement: return refuse("an array or a list");
      case StatementKind::Require:
      case StatementKind::Trap: return refuse("what ends in a trap by itself, as `assert` does,");
    }
  }

  const ScriptFunction& f_;
  const std::vector<Formula>& callees_;
  Formula out_;
  std::map<std::string, u32> numbers_;  // of terms, by what they are
  std::vector<u32> values_;             // of variables, as terms
  std::vector<Arm> arms_;
  std::vector<Given> returns_;
};

}  // namespace

Formula fold_script(const Script& script) {
  std::vector<Formula> functions;
  for (u32 k = 0; k < script.functions.size(); ++k)
    functions.push_back(Folder(script, k, functions).run());
  return std::move(functions.back());
}

}  // namespace komuz::services

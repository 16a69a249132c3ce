// SPDX-License-Identifier: Apache-2.0
// A script that grows: terms, statements, and what waits on the operand stack of a machine. What reads code is in
// array_builder.h and read_script.cpp.
#pragma once
#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "services/export/script.h"

namespace komuz::services {

// A region of the code that is open (docs/bytecode.md, "Structured control flow").
struct Region {
  enum class Kind : u8 { FirstArm, SecondArm, OneArm, Lazy, Loop } kind = Kind::Loop;
  u32 end = 0;        // the instruction where it ends
  u32 condition = 0;  // a term; of Lazy: the left operand
  bool is_or = false;
  size_t height = 0;                     // of the stack where it starts
  std::vector<Statement> before, first;  // the statements around it; those of the first arm
  std::vector<u32> first_values;
};

struct Area {
  u32 begin = 0, end = 0;  // slots
};
// Stretches of slots that are arrays: those that are accessed by an index, and parameters of an array's or a list's type.
[[nodiscard]] std::vector<Area> find_areas(const CodeView& code, const Function& f);

class ScriptBuilder {
 public:
  ScriptBuilder(const CodeView& code, u32 number, const SlotNames& names,
                std::span<const u32> numbers, const ScriptOptions& options)
      : code_(code),
        f_(code.functions[number]),
        numbers_(numbers),
        options_(options),
        instructions_(code.instructions.subspan(f_.code_begin, f_.code_end - f_.code_begin)) {
    out_.name = code.name(f_);
    out_.rec = f_.rec;
    out_.cycle = f_.cycle;
    out_.parameters = f_.parameter_slots;
    out_.place = f_.place;
    for (u32 slot = 0; slot < f_.slots; ++slot) {
      ScriptVariable variable;
      variable.type = static_cast<Scalar>(code.slot_types[f_.slots_begin + slot]);
      if (slot < names.size()) variable.name = names[slot];
      variable.is_named = !variable.name.empty();
      out_.variables.push_back(std::move(variable));
    }
    areas_ = find_areas(code, f_);
    for (const Area& area : areas_) {
      ScriptVariable& array = out_.variables[area.begin];
      array.length = area.end - area.begin;
      for (u32 slot = area.begin + 1; slot < area.end; ++slot)
        out_.variables[slot].is_inside = true;
      // A list is named by its length, which stands before it; a parameter is no length of a variable.
      if (area.begin == 0 || area.begin == f_.parameter_slots || array.is_named) continue;
      ScriptVariable& before = out_.variables[area.begin - 1];
      if (!before.is_named || before.type != Scalar::I64 || before.length != 0) continue;
      array.name = before.name;
      array.is_named = true;
      before.name += "_len";
    }
    // So is a slice, whose references stand behind its length.
    for (u32 slot = f_.parameter_slots; slot + 1 < f_.slots; ++slot) {
      ScriptVariable& length = out_.variables[slot];
      ScriptVariable& reference = out_.variables[slot + 1];
      if (!length.is_named || reference.is_named || length.type != Scalar::I64 ||
          !is_reference(reference.type))
        continue;
      reference.name = length.name;
      reference.is_named = true;
      length.name += "_len";
    }
    for (const Instruction i : instructions_) {
      if (i.op == Op::StoreVar || i.op == Op::Limit) ++stores_of(i.a);
      if (i.op == Op::StoreVars)
        for (u32 k = 0; k < i.b; ++k) ++stores_of(i.a + k);
      if (i.op == Op::ForNext) {
        stores_of(i.a) = stores_of(i.a + 1) = 2;
        // What waits does so within one iteration.
        stores_of(i.a + 2) = 1;
      }
    }
    read_.assign(f_.slots, 0);
    for (const Instruction i : instructions_) {
      if (i.op == Op::LoadVar) read_[i.a] = 1;
      if (i.op == Op::LoadVars)
        for (u32 k = 0; k < i.b; ++k) read_[i.a + k] = 1;
    }
    for_each_cell(code.result_type(f_), [&](Scalar type) { out_.results.push_back(type); });
  }

  ScriptFunction take() { return std::move(out_); }

 protected:
  u32& stores_of(u32 slot) { return out_.variables[slot].stores; }

  [[nodiscard]] std::optional<ScriptProblem> refused(u32 at, const std::string& what,
                                                     std::string remedy) const {
    ScriptProblem problem;
    problem.problem = input_problem(what + " cannot be exported yet");
    problem.problem = std::move(problem.problem).with_remedy(std::move(remedy));
    problem.place = code_.places.empty() ? 0 : code_.places[f_.code_begin + at];
    return problem;
  }

  // Terms.
  u32 add(Term term, std::span<const u32> operands = {}) {
    term.operands_begin = static_cast<u32>(out_.operands.size());
    out_.operands.insert(out_.operands.end(), operands.begin(), operands.end());
    term.operands_end = static_cast<u32>(out_.operands.size());
    term.place = place_;
    for (const u32 operand : operands) term.may_trap |= out_.terms[operand].may_trap;
    out_.terms.push_back(term);
    mentions_.push_back(false);
    for (const u32 operand : operands)
      if (mentions_[operand]) mentions_.back() = true;
    const u32 added = static_cast<u32>(out_.terms.size() - 1);
    roots_.emplace_back();
    if (term.kind == TermKind::Slice) roots_[added] = {term.number};
    if (is_reference(term.type) || term.kind == TermKind::ElementOf)
      for (const u32 operand : operands) add_roots(roots_[added], roots_[operand]);
    // What an element is may change with the array.
    if (term.kind == TermKind::ElementOf && !roots_[added].empty()) mentions_[added] = true;
    return added;
  }
  u32 constant(Scalar type, u64 cell) {
    Term term;
    term.type = type;
    term.cell = cell;
    return add(term);
  }
  u32 variable(u32 number) {
    Term term;
    term.kind = TermKind::Variable;
    term.type = out_.variables[number].type;
    term.number = number;
    const u32 added = add(term);
    if (is_reference(term.type)) roots_[added] = roots_of_variable(number);
    // A variable that is assigned once keeps its value for as long as a term waits.
    const u32 least = number < out_.parameters ? 0 : 1;
    if (out_.variables[number].stores > least) mentions_[added] = true;
    return added;
  }
  // The array that a slot is part of; null: none.
  [[nodiscard]] const Area* area_of(u32 slot) const {
    for (const Area& area : areas_)
      if (area.begin <= slot && slot < area.end) return &area;
    return nullptr;
  }
  u32 element(u32 array, u32 index, bool is_known) {
    Term term;
    term.kind = TermKind::Element;
    term.number = array;
    term.type = out_.variables[array].type;
    term.cell = is_known ? 1 : 0;
    term.may_trap = !is_known;
    const u32 operands[] = {index};
    const u32 added = add(term, operands);
    mentions_[added] = true;
    return added;
  }
  // What a slot holds.
  u32 slot_value(u32 slot) {
    const Area* const area = area_of(slot);
    if (area == nullptr) return variable(slot);
    return element(area->begin, constant(Scalar::I64, slot - area->begin), true);
  }
  u32 operation(Op op, Scalar type, Scalar other, std::span<const u32> operands) {
    Term term;
    term.kind = TermKind::Operation;
    term.op = op;
    term.operand_type = type;
    term.other_type = other;
    term.type = result_type(op_row(op).form, type);
    term.may_trap = may_trap(op, type);
    return add(term, operands);
  }
  [[nodiscard]] bool is_leaf(u32 term) const {
    const TermKind kind = out_.terms[term].kind;
    return kind == TermKind::Constant || kind == TermKind::Variable || kind == TermKind::Slice;
  }
  // The arrays of this function that a reference may refer to; those of callers do not change here.
  static void add_roots(std::vector<u32>& to, const std::vector<u32>& more) {
    for (const u32 root : more)
      if (std::ranges::find(to, root) == to.end()) to.push_back(root);
  }
  [[nodiscard]] bool refers(u32 term, u32 array) const {
    return std::ranges::find(roots_[term], array) != roots_[term].end();
  }
  std::vector<u32>& roots_of_variable(u32 number) {
    if (variable_roots_.size() <= number) variable_roots_.resize(number + 1);
    return variable_roots_[number];
  }

  // Statements. What waits is evaluated before, if the order matters: it may trap, or it reads what may change.
  void emit(Statement statement) {
    settle(stack_.size());
    block_.push_back(std::move(statement));
  }
  void settle(size_t height) {
    const size_t base = regions_.empty() ? 0 : regions_.back().height;
    for (size_t k = base; k < height; ++k) {
      const u32 term = stack_[k];
      if (out_.terms[term].may_trap || mentions_[term]) stack_[k] = keep(term);
    }
  }
  // Before an assignment: what reads the variable, and what may trap if the value may trap, too.
  void settle_before(u32 slot, u32 value) {
    const size_t base = regions_.empty() ? 0 : regions_.back().height;
    for (size_t k = base; k < stack_.size(); ++k) {
      const u32 term = stack_[k];
      if ((out_.terms[term].may_trap && out_.terms[value].may_trap) || reads(term, slot))
        stack_[k] = keep(term);
    }
  }
  [[nodiscard]] bool reads(u32 root, u32 slot) const {
    if (!mentions_[root]) return false;
    std::vector<u32> open = {root};
    while (!open.empty()) {
      const u32 at = open.back();
      open.pop_back();
      const Term& term = out_.terms[at];
      if ((term.kind == TermKind::Variable || term.kind == TermKind::Element) &&
          term.number == slot)
        return true;
      if (term.kind == TermKind::ElementOf && refers(at, slot)) return true;
      for (const u32 operand : out_.operands_of(term))
        if (mentions_[operand]) open.push_back(operand);
    }
    return false;
  }
  u32 new_variable(Scalar type) {
    out_.variables.push_back({{}, type, false, 1});
    return static_cast<u32>(out_.variables.size() - 1);
  }
  // Its value in a variable of its own.
  u32 keep(u32 term) {
    const u32 number = new_variable(out_.terms[term].type);
    assign(number, term);
    return variable(number);
  }
  void assign(u32 number, u32 term) {
    note_roots(number, term);
    Statement statement;
    statement.variable = number;
    statement.term = term;
    block_.push_back(std::move(statement));
  }
  void note_roots(u32 number, u32 term) {
    if (is_reference(out_.terms[term].type)) add_roots(roots_of_variable(number), roots_[term]);
  }
  // The same. Where the value is what the arms of an `if` just before have left, they assign the variable itself.
  void assign_last(u32 number, u32 term, bool is_first_store) {
    const size_t declared =
        is_first_store && !stands_in(stack_, term) ? find_declaration(term) : block_.size();
    if (declared == block_.size()) return assign(number, term);
    note_roots(number, term);
    const u32 temporary = out_.terms[term].number;
    for (size_t k = declared; k < block_.size(); ++k)
      if (block_[k].kind == StatementKind::Assign || block_[k].kind == StatementKind::Declare)
        if (block_[k].variable == temporary) block_[k].variable = number;
  }
  // The same of one of an arm's values, whose variable is declared before the arms.
  void pass_on(u32 number, std::span<const u32> values, size_t which) {
    const u32 term = values[which];
    const bool is_once =
        !stands_in(values.first(which), term) && !stands_in(values.subspan(which + 1), term);
    const size_t declared = is_once ? find_declaration(term) : block_.size();
    if (declared == block_.size()) return assign(number, term);
    note_roots(number, term);
    const u32 temporary = out_.terms[term].number;
    block_.erase(block_.begin() + static_cast<std::ptrdiff_t>(declared));
    for (size_t k = declared; k < block_.size(); ++k)
      if (block_[k].kind == StatementKind::Assign && block_[k].variable == temporary)
        block_[k].variable = number;
  }
  // Does one of the terms read the variable that `leaf` is?
  [[nodiscard]] bool stands_in(std::span<const u32> terms, u32 leaf) const {
    if (out_.terms[leaf].kind != TermKind::Variable) return false;
    std::vector<u32> open(terms.begin(), terms.end());
    std::unordered_set<u32> seen;
    while (!open.empty()) {
      const u32 at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      const Term& term = out_.terms[at];
      if (term.kind == TermKind::Variable && term.number == out_.terms[leaf].number) return true;
      const std::span<const u32> operands = out_.operands_of(term);
      open.insert(open.end(), operands.begin(), operands.end());
    }
    return false;
  }
  // Of the variable that the `if` at the end of the block leaves its value in.
  [[nodiscard]] size_t find_declaration(u32 term) const {
    const Term& value = out_.terms[term];
    if (value.kind != TermKind::Variable || value.number < f_.slots || block_.empty() ||
        block_.back().kind != StatementKind::EndIf)
      return block_.size();
    for (size_t k = block_.size(); k-- > 0;)
      if (block_[k].kind == StatementKind::Declare && block_[k].variable == value.number) return k;
    return block_.size();
  }
  // What a function ends with: the arms of an `if` return.
  void give(Statement statement) {
    settle(stack_.size());
    const size_t declared =
        statement.values.size() == 1 ? find_declaration(statement.values[0]) : block_.size();
    if (declared == block_.size()) {
      block_.push_back(std::move(statement));
      return;
    }
    const u32 temporary = out_.terms[statement.values[0]].number;
    for (size_t k = declared; k < block_.size(); ++k) {
      Statement& of = block_[k];
      if (of.kind != StatementKind::Assign || of.variable != temporary) continue;
      of.kind = StatementKind::Return;
      of.values = {of.term};
    }
    block_.erase(block_.begin() + static_cast<std::ptrdiff_t>(declared));
  }
  u32 pop() {
    const u32 term = stack_.back();
    stack_.pop_back();
    return term;
  }
  std::vector<u32> pop(size_t count) {
    std::vector<u32> terms(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return terms;
  }
  [[nodiscard]] size_t base() const { return regions_.empty() ? 0 : regions_.back().height; }
  // A term that stands twice is computed once.
  void share(size_t at) {
    // Below the region it stays as it is: it is evaluated before the region if that has statements, and again here.
    if (is_leaf(stack_[at]) || options_.repeats_terms || at < base()) return;
    settle(at);
    stack_[at] = keep(stack_[at]);
  }
  const CodeView& code_;
  const Function& f_;
  std::span<const u32> numbers_;  // of functions in the script
  const ScriptOptions& options_;
  std::span<const Instruction> instructions_;
  ScriptFunction out_;
  std::vector<Area> areas_;
  std::vector<u8> read_;      // of a slot: some instruction loads it
  std::vector<u8> mentions_;  // of a term: it reads a variable that is assigned again
  std::vector<std::vector<u32>> roots_, variable_roots_;  // arrays that a reference may refer to
  std::vector<u32> stack_;
  std::vector<Region> regions_;
  std::vector<Statement> block_;
  u32 place_ = 0;
};

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// What code does with arrays, as terms and statements.
#pragma once
#include "services/export/script_builder.h"

namespace komuz::services {

class ArrayBuilder : public ScriptBuilder {
 public:
  using ScriptBuilder::ScriptBuilder;

 protected:
  static constexpr std::string_view kCopyThePart = "copy the part to an array of its own";

  // Arrays that are written slot by slot are zeros first.
  void make_zeros() {
    std::vector<u8> partly(out_.variables.size(), 0);
    const auto note = [&](u32 first, u32 count) {
      for (const Area& area : areas_) {
        const bool covers = first <= area.begin && area.end <= first + count;
        if (!covers && first < area.end && area.begin < first + count) partly[area.begin] = 1;
      }
    };
    for (const Instruction i : instructions_) {
      if (i.op == Op::StoreVar) {
        const Area* const area = area_of(i.a);
        if (area != nullptr) partly[area->begin] = 1;
      }
      if (i.op == Op::StoreVars) note(i.a, i.b);
    }
    for (const Area& area : areas_) {
      if (partly[area.begin] == 0 || area.begin < f_.parameter_slots) continue;
      Statement statement;
      statement.kind = StatementKind::MakeArray;
      statement.variable = area.begin;
      statement.values.assign(area.end - area.begin, constant(out_.variables[area.begin].type, 0));
      block_.push_back(std::move(statement));
    }
  }
  // Of the topmost values.
  void make_array(const Area& area) {
    const size_t count = area.end - area.begin;
    const size_t from = stack_.size() - count;
    for (const u32 term : std::span(stack_).last(count))
      if (out_.terms[term].may_trap) {
        settle(from);
        break;
      }
    Statement statement;
    statement.kind = StatementKind::MakeArray;
    statement.variable = area.begin;
    statement.values = pop(count);
    for (size_t k = 0; k < stack_.size(); ++k)
      if (k >= base() && reads(stack_[k], area.begin)) stack_[k] = keep(stack_[k]);
    block_.push_back(std::move(statement));
  }
  [[nodiscard]] u32 moved_index(u32 index, u32 by) {
    if (by == 0) return index;
    if (out_.terms[index].kind == TermKind::Constant)
      return constant(Scalar::I64, out_.terms[index].cell + by);
    const u32 pair[] = {index, constant(Scalar::I64, by)};
    return operation(Op::AddWrap, Scalar::I64, Scalar::None, pair);
  }
  // For the place of a stretch of an array: an index that lies inside, or an assertion of it before.
  bool find_index(u32& index, u32 length, u32 cells) {
    const Term& term = out_.terms[index];
    if (term.kind == TermKind::Constant) return term.cell + cells <= length;
    if (cells == 1) return false;
    settle(stack_.size());
    if (!is_leaf(index)) index = keep(index);
    const u32 low[] = {index, constant(Scalar::I64, 0)},
              high[] = {index, constant(Scalar::I64, length - cells)};
    const u32 both[] = {operation(Op::Ge, Scalar::I64, Scalar::None, low),
                        operation(Op::Le, Scalar::I64, Scalar::None, high)};
    Statement statement;
    statement.kind = StatementKind::Require;
    statement.term = operation(Op::And, Scalar::Bool, Scalar::None, both);
    statement.trap = Trap::Index;
    block_.push_back(std::move(statement));
    return true;
  }
  [[nodiscard]] bool is_whole(Instruction i) const {
    const Area* const area = area_of(i.a);
    return area != nullptr && area->begin == i.a && area->end == i.a + area_access(i).slots;
  }
  std::optional<ScriptProblem> load_element(u32 at, Instruction i) {
    if (!is_whole(i))
      return refused(at, "a part of an array, as an array,", std::string(kCopyThePart));
    const AreaAccess access = area_access(i);
    u32 index = pop();
    const bool is_known = find_index(index, access.slots, access.cells);
    for (u32 k = 0; k < access.cells; ++k)
      stack_.push_back(element(i.a, moved_index(index, k), is_known));
    return {};
  }
  std::optional<ScriptProblem> store_element(u32 at, Instruction i) {
    if (!is_whole(i))
      return refused(at, "a part of an array, as an array,", std::string(kCopyThePart));
    const AreaAccess access = area_access(i);
    u32 index = pop();
    std::vector<u32> values = pop(access.cells);
    settle(stack_.size());
    // Values are computed before the index is looked at.
    for (u32& value : values)
      if (out_.terms[value].may_trap || (access.cells > 1 && reads(value, i.a)))
        value = keep(value);
    const bool is_known = find_index(index, access.slots, access.cells);
    for (u32 k = 0; k < access.cells; ++k) {
      Statement statement;
      statement.kind = StatementKind::StoreElement;
      statement.variable = i.a;
      statement.second = moved_index(index, k);
      statement.term = values[k];
      statement.number = is_known ? 1 : 0;
      block_.push_back(std::move(statement));
    }
    return {};
  }
  void store(u32 slot, u32 term) {
    if (const Area* const area = area_of(slot)) {
      settle(stack_.size());
      Statement statement;
      statement.kind = StatementKind::StoreElement;
      statement.variable = area->begin;
      statement.second = constant(Scalar::I64, slot - area->begin);
      statement.term = term;
      statement.number = 1;
      block_.push_back(std::move(statement));
      return;
    }
    settle_before(slot, term);
    assign_last(slot, term, out_.variables[slot].stores == 1);
  }
  // The cells of arguments, with those of arrays as one.
  std::vector<u32> with_arrays(const Function& callee, std::vector<u32> cells) {
    std::vector<u32> arguments;
    const std::vector<Area> areas = find_areas(code_, callee);
    for (u32 slot = 0; slot < cells.size();) {
      const Area* of = nullptr;
      for (const Area& area : areas)
        if (area.begin == slot) of = &area;
      if (of == nullptr) {
        arguments.push_back(cells[slot++]);
        continue;
      }
      const std::span<const u32> part = std::span(cells).subspan(slot, of->end - of->begin);
      slot = of->end;
      arguments.push_back(array_of(part));
    }
    return arguments;
  }
  // A variable that holds the cells: the array that they are all of, or a new one.
  u32 array_of(std::span<const u32> cells) {
    const Term& first = out_.terms[cells[0]];
    bool is_copy =
        first.kind == TermKind::Element && out_.variables[first.number].length == cells.size();
    for (u32 k = 0; is_copy && k < cells.size(); ++k) {
      const Term& term = out_.terms[cells[k]];
      is_copy = term.kind == TermKind::Element && term.number == first.number && term.cell == 1;
      if (!is_copy) break;
      const Term& index = out_.terms[out_.operands[term.operands_begin]];
      is_copy = index.kind == TermKind::Constant && index.cell == k;
    }
    Term term;
    term.kind = TermKind::Variable;
    term.number = first.number;
    term.type = first.type;
    if (!is_copy) {
      settle(stack_.size());
      Statement statement;
      statement.kind = StatementKind::MakeArray;
      statement.values.assign(cells.begin(), cells.end());
      statement.variable = new_variable(first.type);
      out_.variables[statement.variable].length = static_cast<u32>(cells.size());
      term.number = statement.variable;
      block_.push_back(std::move(statement));
    }
    const u32 added = add(term);
    mentions_[added] = true;
    return added;
  }
};

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "lang/reached_functions.h"
#include "services/export/script.h"

namespace komuz::services {
namespace {

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
std::vector<Area> find_areas(const CodeView& code, const Function& f) {
  std::vector<Area> found;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    const Instruction i = code.instructions[at];
    if (i.op == Op::LoadAt || i.op == Op::StoreAt)
      found.push_back({i.a, i.a + area_access(i).slots});
  }
  const std::string_view types = code.parameter_types(f);
  u32 slot = 0;
  for (size_t at = 2; at < types.size();) {
    const size_t end = skip_type(types, at);
    const TypeHead head = read_type_head(types, at);
    bool is_first = true;
    for_each_block(types.substr(at, end - at), [&](LayoutBlock block) {
      const bool is_length = head.code == kListCode && is_first;
      if ((head.code == kArrayCode || head.code == kListCode) && !is_length)
        found.push_back({slot, slot + block.cells});
      is_first = false;
      slot += block.cells;
    });
    at = end;
  }
  std::ranges::sort(found, {}, &Area::begin);
  std::vector<Area> areas;
  for (const Area& area : found) {
    if (!areas.empty() && area.begin < areas.back().end)
      areas.back().end = std::max(areas.back().end, area.end);
    else
      areas.push_back(area);
  }
  return areas;
}

// Reads one function from its start to its end. Values wait on a stack of terms, as on the operand stack of a machine.
class FunctionReader {
 public:
  FunctionReader(const CodeView& code, u32 number, const SlotNames& names,
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
      // A list is named by its length, which stands before it.
      if (area.begin == 0 || array.is_named) continue;
      ScriptVariable& before = out_.variables[area.begin - 1];
      if (!before.is_named || before.type != Scalar::I64 || before.length != 0) continue;
      array.name = before.name;
      array.is_named = true;
      before.name += "_len";
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

  std::optional<ScriptProblem> read() {
    for (const ScriptVariable& variable : out_.variables)
      if (is_reference(variable.type)) return refused(0, "a slice");
    make_zeros();
    const u32 size = static_cast<u32>(instructions_.size());
    for (u32 at = 0; at < size; ++at) {
      place_ = code_.places.empty() ? 0 : code_.places[f_.code_begin + at];
      close_regions(at);
      if (std::optional<ScriptProblem> problem = step(at)) return problem;
      at += std::exchange(skipped_, 0);
    }
    out_.statements = std::move(block_);
    recount();
    return {};
  }
  ScriptFunction take() { return std::move(out_); }
  [[nodiscard]] bool has_loops() const { return has_loops_; }

 private:
  u32& stores_of(u32 slot) { return out_.variables[slot].stores; }

  [[nodiscard]] std::optional<ScriptProblem> refused(u32 at, const std::string& what,
                                                     std::string remedy = {}) const {
    ScriptProblem problem;
    problem.problem = input_problem(what + " cannot be exported yet");
    if (remedy.empty()) remedy = "take an array `[T; N]` or a list `List[T, N]`, or numbers";
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
    return static_cast<u32>(out_.terms.size() - 1);
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
    return kind == TermKind::Constant || kind == TermKind::Variable;
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
    Statement statement;
    statement.variable = number;
    statement.term = term;
    block_.push_back(std::move(statement));
  }
  // The same. Where the value is what the arms of an `if` just before have left, they assign the variable itself.
  void assign_last(u32 number, u32 term, bool is_first_store) {
    const size_t declared = is_first_store ? find_declaration(term) : block_.size();
    if (declared == block_.size()) return assign(number, term);
    const u32 temporary = out_.terms[term].number;
    for (size_t k = declared; k < block_.size(); ++k)
      if (block_[k].kind == StatementKind::Assign || block_[k].kind == StatementKind::Declare)
        if (block_[k].variable == temporary) block_[k].variable = number;
  }
  // The same of an arm's value, whose variable is declared before the arms.
  void pass_on(u32 number, u32 term) {
    const size_t declared = find_declaration(term);
    if (declared == block_.size()) return assign(number, term);
    const u32 temporary = out_.terms[term].number;
    block_.erase(block_.begin() + static_cast<std::ptrdiff_t>(declared));
    for (size_t k = declared; k < block_.size(); ++k)
      if (block_[k].kind == StatementKind::Assign && block_[k].variable == temporary)
        block_[k].variable = number;
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

  // Regions.
  void open(Region region) {
    region.height = stack_.size();
    region.before = std::exchange(block_, {});
    regions_.push_back(std::move(region));
  }
  static bool leaves(const std::vector<Statement>& block) {
    if (block.empty()) return false;
    const StatementKind kind = block.back().kind;
    return kind == StatementKind::Return || kind == StatementKind::Break ||
           kind == StatementKind::Continue || kind == StatementKind::Trap;
  }
  void close_regions(u32 at) {
    while (!regions_.empty() && regions_.back().end == at &&
           regions_.back().kind != Region::Kind::Loop &&
           regions_.back().kind != Region::Kind::FirstArm) {
      Region region = std::move(regions_.back());
      regions_.pop_back();
      std::vector<Statement> second = std::exchange(block_, std::move(region.before));
      if (region.kind == Region::Kind::Lazy)
        close_lazy(region, std::move(second));
      else
        close_arms(region, std::move(second));
    }
  }
  void close_lazy(Region& region, std::vector<Statement> right_statements) {
    const u32 right = pop();
    if (right_statements.empty()) {
      Term term;
      term.kind = region.is_or ? TermKind::OrElse : TermKind::AndThen;
      term.type = Scalar::Bool;
      const u32 operands[] = {region.condition, right};
      stack_.push_back(add(term, operands));
      return;
    }
    settle(stack_.size());
    const u32 number = new_variable(Scalar::Bool);
    assign(number, region.condition);
    u32 condition = variable(number);
    if (region.is_or) {
      const u32 operands[] = {condition};
      condition = operation(Op::Not, Scalar::Bool, Scalar::None, operands);
    }
    push_if(condition);
    append(std::move(right_statements));
    assign(number, right);
    push_mark(StatementKind::EndIf);
    stack_.push_back(variable(number));
  }
  void close_arms(Region& region, std::vector<Statement> second) {
    std::vector<Statement> first = std::move(region.first);
    if (region.kind == Region::Kind::OneArm) std::swap(first, second);
    const size_t count = region.first_values.size();
    const std::vector<u32> second_values = pop(count);
    const bool pure = first.empty() && second.empty();
    const auto chosen = [&](size_t k) {
      Term term;
      term.kind = TermKind::Choose;
      term.type = out_.terms[second_values[k]].type;
      const u32 operands[] = {region.condition, region.first_values[k], second_values[k]};
      return add(term, operands);
    };
    if (pure && count == 1) {
      stack_.push_back(chosen(0));
      return;
    }
    if (pure && count == 0) {
      if (!out_.terms[region.condition].may_trap) return;
      settle(stack_.size());
      (void)keep(region.condition);
      return;
    }
    settle(stack_.size());
    std::vector<u32> numbers;
    for (size_t k = 0; k < count; ++k) {
      numbers.push_back(new_variable(out_.terms[second_values[k]].type));
      Statement declare;
      declare.kind = StatementKind::Declare;
      declare.variable = numbers.back();
      block_.push_back(std::move(declare));
    }
    push_if(region.condition);
    const bool first_leaves = leaves(first), second_leaves = leaves(second);
    append(std::move(first));
    if (!first_leaves)
      for (size_t k = 0; k < count; ++k) pass_on(numbers[k], region.first_values[k]);
    if (!second.empty() || (count != 0 && !second_leaves)) {
      push_mark(StatementKind::Else);
      append(std::move(second));
      if (!second_leaves)
        for (size_t k = 0; k < count; ++k) pass_on(numbers[k], second_values[k]);
    }
    push_mark(StatementKind::EndIf);
    for (const u32 number : numbers) stack_.push_back(variable(number));
  }
  void push_if(u32 condition) {
    Statement statement;
    statement.kind = StatementKind::If;
    statement.term = condition;
    block_.push_back(std::move(statement));
  }
  void push_mark(StatementKind kind) {
    Statement statement;
    statement.kind = kind;
    block_.push_back(std::move(statement));
  }
  void append(std::vector<Statement> statements) {
    for (Statement& statement : statements) block_.push_back(std::move(statement));
  }
  void close_loop() {
    Region region = std::move(regions_.back());
    regions_.pop_back();
    std::vector<Statement> body = std::exchange(block_, std::move(region.before));
    Statement head;
    head.kind = StatementKind::Loop;
    size_t from = 0;
    if (!body.empty() && body[0].kind == StatementKind::BreakUnless) {
      head = body[0];
      head.kind = StatementKind::While;
      from = 1;
    } else if (!body.empty() && body[0].kind == StatementKind::For) {
      head = body[0];
      take_range(head);
      from = 1;
    }
    block_.push_back(std::move(head));
    body.erase(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(from));
    append(std::move(body));
    push_mark(StatementKind::EndLoop);
  }
  // The ends of the range are the two assignments before the loop.
  void take_range(Statement& head) {
    const size_t size = block_.size();
    const u32 next = head.values[0], bound = next + 1;
    const auto assigns = [&](size_t back, u32 number) {
      return size >= back && block_[size - back].kind == StatementKind::Assign &&
             block_[size - back].variable == number;
    };
    head.values.clear();
    if (assigns(1, next) && assigns(2, bound)) {
      const u32 low = block_[size - 1].term, high = block_[size - 2].term;
      const bool is_fixed = is_leaf(high) && !mentions_[high];
      head.term = low;
      block_.pop_back();
      if (is_fixed && read_[bound] == 0) {
        head.second = high;
        block_.pop_back();
      } else {
        head.second = variable(bound);
      }
      return;
    }
    head.term = variable(next);
    head.second = variable(bound);
  }

  std::optional<ScriptProblem> step(u32 at) {
    const Instruction i = instructions_[at];
    if (is_pure_form(op_row(i.op).form)) return compute(i);
    Statement statement;
    switch (i.op) {
      case Op::LoadConst: stack_.push_back(constant(i.type, code_.constants[i.b])); return {};
      case Op::LoadConsts:
        for (u32 k = 0; k < i.a; ++k) stack_.push_back(constant(i.type, code_.constants[i.b + k]));
        return {};
      case Op::LoadVar: stack_.push_back(slot_value(i.a)); return {};
      case Op::LoadVars:
        for (u32 k = 0; k < i.b; ++k) stack_.push_back(slot_value(i.a + k));
        return {};
      case Op::StoreVar: store(i.a, pop()); return {};
      case Op::StoreVars:
        // From the top down: those below wait, and are settled if they read what is stored.
        for (u32 k = i.b; k-- > 0;) {
          const Area* const area = area_of(i.a + k);
          if (area != nullptr && area->end == i.a + k + 1 && area->begin >= i.a) {
            make_array(*area);
            k = area->begin - i.a;
          } else {
            store(i.a + k, pop());
          }
        }
        return {};
      case Op::LoadAt: return load_element(at, i);
      case Op::StoreAt: return store_element(at, i);
      case Op::Project: {
        const u32 taken = i.b >> 16, first = i.b & 0xFFFF;
        for (const u32 term : std::span(stack_).last(taken))
          if (out_.terms[term].may_trap) {
            settle(stack_.size());
            break;
          }
        const std::vector<u32> cells = pop(taken);
        stack_.insert(stack_.end(), cells.begin() + first, cells.begin() + first + i.a);
        return {};
      }
      case Op::Copy: {
        const size_t from = stack_.size() - i.a - (i.b + 1);
        for (u32 k = 0; k <= i.b; ++k) {
          share(from + k);
          stack_.push_back(stack_[from + k]);
        }
        return {};
      }
      case Op::Repeat: return repeat(at, i);
      case Op::EqCells: {
        const size_t second = stack_.size() - (i.b >> 16) - i.a,
                     first = stack_.size() - (i.b & 0xFFFF) - i.a;
        u32 all = 0;
        for (u32 k = 0; k < i.a; ++k) {
          share(first + k);
          share(second + k);
          const u32 pair[] = {stack_[first + k], stack_[second + k]};
          const u32 same = operation(Op::Eq, i.type, Scalar::None, pair);
          const u32 both[] = {all, same};
          all = k == 0 ? same : operation(Op::And, Scalar::Bool, Scalar::None, both);
        }
        stack_.push_back(all);
        return {};
      }
      case Op::LoadHole:
        return refused(at, "a hole", "`komuz fill` writes a variant, whose holes are filled");
      case Op::JumpIfFalse: {
        Region region;
        region.condition = pop();
        region.kind = i.a != 0 ? Region::Kind::FirstArm : Region::Kind::OneArm;
        region.end = i.a != 0 ? i.b - 1 : i.b;
        open(std::move(region));
        return {};
      }
      case Op::Jump: {
        Region& region = regions_.back();
        region.first_values = pop(i.a);
        region.first = std::exchange(block_, {});
        region.kind = Region::Kind::SecondArm;
        region.end = i.b;
        stack_.resize(region.height);
        return {};
      }
      case Op::JumpIfFalseOrPop:
      case Op::JumpIfTrueOrPop: {
        Region region;
        region.kind = Region::Kind::Lazy;
        region.condition = pop();
        region.is_or = i.op == Op::JumpIfTrueOrPop;
        region.end = i.b;
        open(std::move(region));
        return {};
      }
      case Op::Loop: {
        settle(stack_.size());
        Region region;
        region.kind = Region::Kind::Loop;
        region.end = i.b;
        open(std::move(region));
        has_loops_ = true;
        return {};
      }
      case Op::End:
        stack_.resize(regions_.back().height);
        close_loop();
        return {};
      case Op::BreakIfFalse:
        statement.kind = StatementKind::BreakUnless;
        statement.term = pop();
        emit(std::move(statement));
        return {};
      case Op::ForNext:
        statement.kind = StatementKind::For;
        statement.variable = i.a + 2u;
        statement.number = i.b;
        statement.values = {i.a};
        if (!block_.empty() || read_[i.a] != 0) return refused(at, "a loop of this form");
        emit(std::move(statement));
        return {};
      case Op::Break:
      case Op::Continue:
        if (i.a != 0) return refused(at, "a step out of several loops");
        statement.kind = i.op == Op::Break ? StatementKind::Break : StatementKind::Continue;
        emit(std::move(statement));
        return {};
      case Op::Limit: {
        const u32 pair[] = {variable(i.a), constant(Scalar::I64, 0)};
        statement.kind = StatementKind::Require;
        statement.term = operation(Op::Gt, Scalar::I64, Scalar::None, pair);
        statement.trap = Trap::Limit;
        emit(std::move(statement));
        Statement count;
        count.kind = StatementKind::CountDown;
        count.variable = i.a;
        block_.push_back(std::move(count));
        return {};
      }
      case Op::Tick: return {};
      case Op::Ticks: {
        const u32 ticks = pop();
        if (out_.terms[ticks].may_trap) {
          settle(stack_.size());
          (void)keep(ticks);
        }
        return {};
      }
      case Op::Call: return call(at, i);
      case Op::Return:
        statement.kind = StatementKind::Return;
        statement.values = pop(f_.result_cells);
        give(std::move(statement));
        return {};
      case Op::Assert:
      case Op::Require:
        statement.kind = StatementKind::Require;
        statement.term = pop();
        statement.trap = i.op == Op::Assert ? Trap::Assert : static_cast<Trap>(i.a);
        emit(std::move(statement));
        return {};
      case Op::TrapNow:
        statement.kind = StatementKind::Trap;
        statement.trap = static_cast<Trap>(i.a);
        emit(std::move(statement));
        return {};
      default: return refused(at, "a slice, or a chain over one");
    }
  }
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
  [[nodiscard]] size_t base() const { return regions_.empty() ? 0 : regions_.back().height; }
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
    if (!is_whole(i)) return refused(at, "an array that is used in parts");
    const AreaAccess access = area_access(i);
    u32 index = pop();
    const bool is_known = find_index(index, access.slots, access.cells);
    for (u32 k = 0; k < access.cells; ++k)
      stack_.push_back(element(i.a, moved_index(index, k), is_known));
    return {};
  }
  std::optional<ScriptProblem> store_element(u32 at, Instruction i) {
    if (!is_whole(i)) return refused(at, "an array that is used in parts");
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
  // A term that stands twice is computed once.
  void share(size_t at) {
    if (is_leaf(stack_[at]) || options_.repeats_terms) return;
    settle(at);
    stack_[at] = keep(stack_[at]);
  }
  std::optional<ScriptProblem> compute(Instruction i) {
    const OpForm form = op_row(i.op).form;
    const bool has_other = form == OpForm::Shift || form == OpForm::Convert;
    order_traps(operand_count(form));
    const std::vector<u32> operands = pop(operand_count(form));
    stack_.push_back(
        operation(i.op, i.type, has_other ? static_cast<Scalar>(i.a) : Scalar::None, operands));
    return {};
  }
  // Of the operands on top of the stack.
  void order_traps(size_t count) {
    if (!options_.orders_traps) return;
    size_t last = stack_.size(), trapping = 0;
    for (size_t k = stack_.size() - count; k < stack_.size(); ++k)
      if (out_.terms[stack_[k]].may_trap) last = k, ++trapping;
    if (trapping > 1) settle(last);
  }
  std::optional<ScriptProblem> repeat(u32 at, Instruction i) {
    // `x ** n` of floats: n copies, and n - 1 products.
    bool is_power = i.a == 1 && i.b >= 2 && at + i.b <= instructions_.size();
    for (u32 k = 1; is_power && k < i.b; ++k)
      is_power = instructions_[at + k].op == Op::Mul && is_float(instructions_[at + k].type);
    if (is_power) {
      skipped_ = i.b - 1;
      if (!options_.keeps_powers) share(stack_.size() - 1);
      const u32 base = pop();
      const Scalar type = out_.terms[base].type;
      if (options_.keeps_powers) {
        Term term;
        term.kind = TermKind::Power;
        term.number = i.b;
        term.type = type;
        const u32 operands[] = {base};
        stack_.push_back(add(term, operands));
        return {};
      }
      u32 product = base;
      for (u32 k = 1; k < i.b; ++k) {
        const u32 pair[] = {product, base};
        product = operation(Op::Mul, type, Scalar::None, pair);
      }
      stack_.push_back(product);
      return {};
    }
    const size_t from = stack_.size() - i.a;
    for (u32 k = 0; k < i.a; ++k) share(from + k);
    for (u32 copy = 1; copy < i.b; ++copy)
      for (u32 k = 0; k < i.a; ++k) stack_.push_back(stack_[from + k]);
    return {};
  }
  std::optional<ScriptProblem> call(u32 at, Instruction i) {
    const Function& callee = code_.functions[i.a];
    order_traps(callee.parameter_slots);
    const std::vector<u32> arguments = with_arrays(callee, pop(callee.parameter_slots));
    if (numbers_[i.a] == ~0u) return refused(at, "this call");
    if (callee.result_cells == 1) {
      Term term;
      term.kind = TermKind::Call;
      term.number = numbers_[i.a];
      for_each_cell(code_.result_type(callee), [&](Scalar type) { term.type = type; });
      term.may_trap = true;
      stack_.push_back(add(term, arguments));
      return {};
    }
    Statement statement;
    statement.kind = StatementKind::Call;
    statement.number = numbers_[i.a];
    statement.values = arguments;
    settle(stack_.size());
    for_each_cell(code_.result_type(callee),
                  [&](Scalar type) { statement.targets.push_back(new_variable(type)); });
    const std::vector<u32> targets = statement.targets;
    emit(std::move(statement));
    for (const u32 target : targets) stack_.push_back(variable(target));
    return {};
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
  void recount() {
    for (ScriptVariable& variable : out_.variables) variable.stores = 0;
    for (const Statement& statement : out_.statements) {
      if (statement.kind == StatementKind::Assign || statement.kind == StatementKind::CountDown ||
          statement.kind == StatementKind::MakeArray)
        ++stores_of(statement.variable);
      for (const u32 target : statement.targets) ++stores_of(target);
    }
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
  std::vector<u32> stack_;
  std::vector<Region> regions_;
  std::vector<Statement> block_;
  bool has_loops_ = false;
  u32 place_ = 0;
  u32 skipped_ = 0;  // instructions behind the present one that are done with
};

// The functions that the entry reaches, each behind those that it calls; where functions call each other, in the order of
// their first calls.
std::vector<u32> in_call_order(const CodeView& code, u32 entry) {
  struct Open {
    u32 function, at;
  };
  std::vector<u32> order;
  std::vector<u8> seen(code.functions.size(), 0);
  std::vector<Open> open = {{entry, code.functions[entry].code_begin}};
  seen[entry] = 1;
  while (!open.empty()) {
    Open& top = open.back();
    if (top.at == code.functions[top.function].code_end) {
      order.push_back(top.function);
      open.pop_back();
      continue;
    }
    const Instruction i = code.instructions[top.at++];
    if (i.op != Op::Call || seen[i.a] != 0) continue;
    seen[i.a] = 1;
    open.push_back({i.a, code.functions[i.a].code_begin});
  }
  return order;
}

}  // namespace

ScriptProblem read_script(const CodeView& code, u32 entry, std::span<const SlotNames> names,
                          const ScriptOptions& options, Script& out) {
  out = {};
  const std::vector<u32> order = in_call_order(code, entry);
  std::vector<u32> numbers(code.functions.size(), ~0u);
  for (u32 k = 0; k < order.size(); ++k) numbers[order[k]] = k;
  for (const u32 function : order) {
    static const SlotNames kNoNames;
    FunctionReader reader(code, function, function < names.size() ? names[function] : kNoNames,
                          numbers, options);
    if (std::optional<ScriptProblem> problem = reader.read()) {
      problem->function = function;
      return std::move(*problem);
    }
    out.has_loops |= reader.has_loops();
    out.functions.push_back(reader.take());
  }
  out.functions.back().is_entry = true;
  return {};
}

}  // namespace komuz::services

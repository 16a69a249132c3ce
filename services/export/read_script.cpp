// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "services/export/region_builder.h"
#include "services/export/script.h"

namespace komuz::services {
namespace {

// Reads one function from its start to its end. Values wait on a stack of terms, as on the operand stack of a machine.
class FunctionReader : public RegionBuilder {
 public:
  using RegionBuilder::RegionBuilder;

  std::optional<ScriptProblem> read() {
    if (!options_.trusts_references)
      for (const ScriptVariable& variable : out_.variables)
        if (is_reference(variable.type))
          return refused(0, "a slice in bytecode", "export the source of the program");
    make_zeros();
    const u32 size = static_cast<u32>(instructions_.size());
    for (u32 at = 0; at < size; ++at) {
      place_ = code_.places.empty() ? 0 : code_.places[f_.code_begin + at];
      close_regions(at);
      if (std::optional<ScriptProblem> problem = check_slices(at, instructions_[at]))
        return problem;
      if (std::optional<ScriptProblem> problem = step(at)) return problem;
      hold(at, instructions_[at]);
      at += std::exchange(skipped_, 0);
    }
    out_.statements = std::move(block_);
    recount();
    return {};
  }
  [[nodiscard]] bool has_loops() const { return has_loops_; }

 private:
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
      case Op::Ref: return refer(at, i);
      case Op::RefPart: refer_to_part(); return {};
      case Op::LoadRef: load_referred(i); return {};
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
          if (mentions_[stack_[from + k]] && has_statements_since(from + k))
            return refused(at, "a variable that changes while it is matched",
                           "match a copy of it: `let copy = x;`");
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
        if (!block_.empty() || read_[i.a] != 0)
          return refused(at, "a chain or loop of this kind", "write it with `while`");
        emit(std::move(statement));
        return {};
      case Op::Break:
      case Op::Continue:
        if (i.a != 0)
          return refused(at, "`break` and `continue` of an outer loop",
                         "set a variable, and leave the loops one by one");
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
      default:
        return refused(at, "`" + std::string(op_row(i.op).mnemonic) + "`",
                       "docs/export.md says what each target has");
    }
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
    if (numbers_[i.a] == ~0u)
      return refused(at, "a call of code that is not there", "link the code");
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
  void recount() {
    for (ScriptVariable& variable : out_.variables) variable.stores = 0;
    for (const Statement& statement : out_.statements) {
      if (statement.kind == StatementKind::Assign || statement.kind == StatementKind::CountDown ||
          statement.kind == StatementKind::MakeArray)
        ++stores_of(statement.variable);
      for (const u32 target : statement.targets) ++stores_of(target);
    }
  }

  bool has_loops_ = false;
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

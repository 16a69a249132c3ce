// SPDX-License-Identifier: Apache-2.0
#include "tests/vm/random_code.h"

#include <algorithm>

#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

struct Signature {
  std::vector<Scalar> parameters, results;
  u16 rec = 0;
  u32 group = 0;  // functions of one group may call each other, and those of earlier groups
};

// Slots of one type that are accessed by offsets.
struct Area {
  Scalar type = Scalar::None;
  u32 first = 0, slots = 0;
};

// The pure operations that give a value of each type.
struct OperationsByResult {
  std::vector<Instruction> rows[kScalarCount];

  OperationsByResult() {
    for (Instruction i : all_operations()) rows[static_cast<u32>(result_type(i))].push_back(i);
  }
};

class Generator {
 public:
  Generator(u64 seed, u32 size, ProgramKind kind) : random_(seed), size_(size), kind_(kind) {}

  GeneratedCode run() {
    plan();
    for (u32 f = 0; f < signatures_.size(); ++f) write_function(f);
    return {std::move(b_.code), static_cast<u32>(signatures_.size() - 1)};
  }

 private:
  u32 below(u32 n) { return random_.below(n); }
  bool one_in(u32 n) { return below(n) == 0; }
  // Some types are more usual than others.
  Scalar any_type() {
    constexpr Scalar kUsual[] = {Scalar::I64, Scalar::I64, Scalar::F64, Scalar::F32, Scalar::Bool};
    return one_in(2) ? kUsual[below(5)] : kScalars[below(8)];
  }
  std::vector<Scalar> any_types(u32 most) {
    std::vector<Scalar> types(below(most + 1));
    for (Scalar& t : types) t = any_type();
    return types;
  }

  void plan() {
    const u32 functions = 1 + below(size_ < 40 ? 2 : 4);
    for (u32 f = 0; f < functions; ++f) {
      Signature s;
      s.parameters = any_types(4);
      // An entry's arguments come from columns, where there are no references.
      if (f + 1 < functions && one_in(2)) s.parameters.push_back(reference_to(any_type()));
      s.results = any_types(3);
      const bool joins = f > 0 && one_in(3);
      s.group = f == 0 ? 0 : signatures_[f - 1].group + (joins ? 0 : 1);
      if (joins && signatures_[f - 1].rec == 0)
        signatures_[f - 1].rec = static_cast<u16>(1 + below(6));
      s.rec = joins ? signatures_[f - 1].rec : one_in(3) ? static_cast<u16>(1 + below(6)) : u16{0};
      signatures_.push_back(s);
    }
    // A group that was joined after its first members were planned has one bound for all.
    for (size_t f = signatures_.size() - 1; f > 0; --f)
      if (signatures_[f].group == signatures_[f - 1].group)
        signatures_[f - 1].rec = signatures_[f].rec;
  }

  void write_function(u32 number) {
    const Signature& s = signatures_[number];
    current_ = number;
    loops_ = 0;
    instructions_left_ = 4 + below(size_);
    types_.clear();
    for (Scalar type : s.parameters) {
      if (is_reference(type)) types_.push_back(Scalar::I64);
      types_.push_back(type);
    }
    b_.function("f" + std::to_string(number), s.parameters, s.results, s.rec);
    for (u32 variables = 1 + below(size_ < 40 ? 2 : 6); variables > 0; --variables) {
      const Scalar type = any_type();
      constant(type);
      b_.store(new_variable(type));
    }
    for (u32 areas = one_in(2) ? 0 : 1 + below(2); areas > 0; --areas) new_area();
    assignable_ = static_cast<u32>(types_.size());
    if (one_in(3)) {
      const Scalar type = reference_to(any_type());
      reference(type, 2);
      b_.store(new_variable(type));
      assignable_ = static_cast<u32>(types_.size());
    }
    for (u32 loops = kind_ == ProgramKind::Loops ? 1 + below(3) : 0; loops > 0; --loops)
      loop_over_elements(2);
    if (kind_ == ProgramKind::Any || one_in(2)) block(4);
    for (Scalar type : s.results) expression(type, 4);
    b_.end_function();
  }

  void new_area() {
    const Scalar type = any_type();
    const u32 slots = 1 + below(6);
    for (u32 k = 0; k < slots; ++k) leaf(type);
    b_.store_slots(b_.variables(type, slots), slots);
    types_.insert(types_.end(), slots, type);
  }

  u16 new_variable(Scalar type) {
    types_.push_back(type);
    return b_.variable(type);
  }

  bool spend(u32 instructions) {
    if (instructions_left_ < instructions) return false;
    instructions_left_ -= instructions;
    return true;
  }

  void constant(Scalar type) { b_.constant(type, any_constant(type)); }
  u64 any_constant(Scalar type) {
    EdgeStream edges(type, random_.next());
    u64 value = edges.next();
    if (is_integer(type) && !one_in(3)) value = below(8);
    if (type == Scalar::F64 && one_in(2)) value = cell_f64(static_cast<f64>(below(16)) / 4);
    if (type == Scalar::F32 && one_in(2)) value = cell_f32(static_cast<f32>(below(16)) / 4);
    return value;
  }

  void leaf(Scalar type) {
    const u32 start = below(static_cast<u32>(types_.size()));
    for (u32 i = 0; i < types_.size(); ++i) {
      const u32 slot = (start + i) % static_cast<u32>(types_.size());
      if (types_[slot] == type && !one_in(4)) return void(b_.load(static_cast<u16>(slot)));
    }
    constant(type);
  }

  void expression(Scalar type, u32 depth) {
    if (is_reference(type)) return reference(type, depth);
    if (depth == 0 || !spend(3)) return leaf(type);
    switch (below(12)) {
      case 0: return one_in(3) ? copying_choice(type, depth - 1) : choice(type, depth - 1);
      case 1:
        if (call_for(type, depth - 1)) return;
        return leaf(type);
      case 2:
        if (type != Scalar::Bool) return chosen_cell(type, depth - 1);
        switch (below(3)) {
          case 0: return lazy(depth - 1);
          case 1: return compare_pairs(depth - 1);
          default: return compare_cells(depth - 1);
        }
      case 3:
        if (element(type, depth - 1)) return;
        return leaf(type);
      default: return operation(type, depth - 1);
    }
  }

  void operation(Scalar type, u32 depth) {
    static const OperationsByResult kOperations;
    const auto& rows = kOperations.rows[static_cast<u32>(type)];
    const Instruction i = rows[below(static_cast<u32>(rows.size()))];
    for (u32 n = 0; n < operand_count(op_row(i.op).form); ++n)
      expression(operand_type(i, n), depth);
    b_.emit(i.op, i.type, i.a, i.b);
  }

  // Any stretch of variables that have one type; none if `type` has no variables.
  Area any_area(Scalar type) {
    const u32 start = below(assignable_);
    for (u32 i = 0; i < assignable_; ++i) {
      const u32 first = (start + i) % assignable_;
      if (types_[first] != type) continue;
      u32 slots = 1;
      while (first + slots < assignable_ && types_[first + slots] == type && !one_in(6)) ++slots;
      return {type, first, slots};
    }
    return {};
  }
  // Mostly one that is in range.
  void offset(u32 offsets, u32 depth) {
    expression(Scalar::I64, depth);
    if (!one_in(8)) b_.i64_constant(offsets).op(Op::ModFloor);
  }
  // A cell of an area; false if there is none of the type.
  bool element(Scalar type, u32 depth) {
    if (one_in(3) && referred_element(type, depth)) return true;
    const Area area = any_area(type);
    if (area.slots == 0) return false;
    const u32 cells = one_in(3) ? 1 + below(area.slots) : 1;
    offset(area.slots - cells + 1, depth);
    b_.load_at(static_cast<u16>(area.first), area.slots, cells);
    if (cells > 1) b_.project(1, static_cast<u16>(cells), static_cast<u16>(below(cells)));
    return true;
  }
  void assign_element() {
    const Scalar type = types_[below(assignable_)];
    if (is_reference(type)) return;
    const Area area = any_area(type);
    const u32 cells = one_in(3) ? 1 + below(area.slots) : 1;
    for (u32 k = 0; k < cells; ++k) expression(area.type, 3);
    offset(area.slots - cells + 1, 2);
    b_.store_at(static_cast<u16>(area.first), area.slots, cells);
  }
  // A variable that holds such a reference; false if there is none.
  bool load_reference(Scalar type) {
    const u32 start = below(assignable_);
    for (u32 i = 0; i < assignable_; ++i) {
      const u32 slot = (start + i) % assignable_;
      if (types_[slot] == type) return b_.load(static_cast<u16>(slot)), true;
    }
    return false;
  }
  void reference(Scalar type, u32 depth) {
    const u32 kind = below(depth == 0 ? 2 : 4);
    if (kind == 0 && load_reference(type)) return;
    if (kind == 2) {
      reference(type, depth - 1);
      b_.i64_constant(below(3));
      offset(6, depth - 1);
      return void(b_.emit(Op::RefPart, referred(type)));
    }
    if (kind == 3) {
      expression(Scalar::Bool, depth - 1);
      b_.if_();
      reference(type, depth - 1);
      b_.else_(1);
      reference(type, depth - 1);
      return void(b_.end_if());
    }
    const Area area = any_area(referred(type));
    offset(area.slots + 1, depth);
    b_.refer(referred(type), static_cast<u16>(area.first), area.slots);
  }
  // A cell of what a reference refers to; false if there is no reference to such cells.
  bool referred_element(Scalar type, u32 depth) {
    if (!load_reference(reference_to(type))) return false;
    const u32 cells = one_in(3) ? 1 + below(3) : 1;
    offset(4, depth);
    b_.emit(Op::LoadRef, type, static_cast<u16>(cells));
    if (cells > 1) b_.project(1, static_cast<u16>(cells), static_cast<u16>(below(cells)));
    return true;
  }
  // A stretch of variables to where the types are the same, most likely to itself or next to itself.
  void move_variables() {
    const u32 first = below(assignable_), count = 1 + below(assignable_ - first);
    const u32 start = below(assignable_);
    for (u32 i = 0; i < assignable_; ++i) {
      const u32 to = (start + i) % assignable_;
      if (to + count > assignable_ ||
          !std::equal(&types_[first], &types_[first] + count, &types_[to]))
        continue;
      b_.load_slots(static_cast<u16>(first), count);
      if (one_in(4)) assign();
      return void(b_.store_slots(static_cast<u16>(to), count));
    }
  }

  void choice(Scalar type, u32 depth) {
    expression(Scalar::Bool, depth);
    b_.if_();
    expression(type, depth);
    if (one_in(8)) exit();
    b_.else_(1);
    expression(type, depth);
    b_.end_if();
  }

  void lazy(u32 depth) {
    expression(Scalar::Bool, depth);
    one_in(2) ? b_.and_then() : b_.or_else();
    expression(Scalar::Bool, depth);
    b_.end_lazy();
  }

  // Arms, and loops in them, that copy what lies below them.
  void copying_choice(Scalar type, u32 depth) {
    const u32 cells = 1 + below(3);
    many_cells(type, cells, depth);
    expression(Scalar::Bool, depth);
    b_.if_();
    copy_from_below(type, cells, 0, depth);
    if (one_in(3)) copying_loop(type, cells + 1);
    b_.else_(1);
    copy_from_below(type, cells, 0, depth);
    b_.end_if();
    b_.project(1, static_cast<u16>(cells + 1), static_cast<u16>(cells));
  }
  // One of `cells` cells that `above` cells lie on, or something that has been made with one.
  void copy_from_below(Scalar type, u32 cells, u32 above, u32 depth) {
    const bool has_more = one_in(2);
    if (has_more) expression(type, depth);
    if (has_more) ++above;
    const u32 first = below(cells), count = 1 + below(first + 1);
    b_.copy(type, static_cast<u16>(above + first + 1 - count), count);
    const u32 made = count + (has_more ? 1 : 0);
    b_.project(1, static_cast<u16>(made), static_cast<u16>(below(made)));
  }
  // Puts one of the cells below it into a variable, once or twice.
  void copying_loop(Scalar type, u32 cells) {
    if (in_condition_) return;  // of a loop that this one would stand in
    const u32 start = below(assignable_);
    for (u32 i = 0; i < assignable_; ++i) {
      const u32 slot = (start + i) % assignable_;
      if (types_[slot] != type) continue;
      b_.loop();
      ++loops_;
      in_condition_ = true;
      expression(Scalar::Bool, 1);
      in_condition_ = false;
      b_.break_if_false().tick();
      copy_from_below(type, cells, 0, 1);
      b_.store(static_cast<u16>(slot));
      if (one_in(2)) b_.break_(0);
      --loops_;
      return void(b_.end_loop());
    }
  }

  // (a, b) == (c, d) from copies of the cells.
  void compare_pairs(u32 depth) {
    const Scalar types[] = {any_type(), any_type()};
    for (u32 n = 0; n < 4; ++n) expression(types[n % 2], depth);
    b_.copy(types[0], 3).copy(types[0], 2).op(Op::Eq, types[0]);
    b_.copy(types[1], 3).copy(types[1], 2).op(Op::Eq, types[1]);
    b_.op(Op::And, Scalar::Bool).project(1, 5, 4);
  }

  // `count` cells of one type, made in any way.
  void many_cells(Scalar type, u32 count, u32 depth) {
    while (count > 0) {
      const u32 some = 1 + below(count);
      switch (below(4)) {
        case 0: {
          std::vector<u64> values(some);
          for (u64& value : values) value = any_constant(type);
          b_.constants(type, values);
          count -= some;
          break;
        }
        case 1: {
          many_leaves(type, some);
          const u32 times = 1 + below(count / some);
          b_.repeat(static_cast<u16>(some), times);
          count -= some * times;
          break;
        }
        case 2:
          many_leaves(type, some);
          count -= some;
          if (const u32 copies = std::min(some, count); copies > 0) {
            b_.copy(type, static_cast<u16>(some - copies), copies);
            count -= copies;
          }
          break;
        default: expression(type, depth); --count;
      }
    }
  }
  void many_leaves(Scalar type, u32 count) {
    for (; count > 0; --count) one_in(3) ? expression(type, 1) : leaf(type);
  }
  // One of many cells.
  void chosen_cell(Scalar type, u32 depth) {
    const u32 count = 1 + below(6);
    many_cells(type, count, depth);
    b_.project(1, static_cast<u16>(count), static_cast<u16>(below(count)));
  }
  // Stretches of cells that may overlap, below some others.
  void compare_cells(u32 depth) {
    const Scalar type = any_type();
    const u32 count = 1 + below(8), above = below(3);
    const bool has_copies = one_in(2);
    many_cells(type, count, depth);
    if (has_copies) b_.copy(type, 0, count);
    for (u32 k = 0; k < above; ++k) leaf(any_type());
    const u32 all = has_copies ? 2 * count : count;
    const u32 cells = 1 + below(count), most = all - cells;
    b_.eq_cells(type, static_cast<u16>(cells), static_cast<u16>(above + below(most + 1)),
                static_cast<u16>(above + below(most + 1)));
    b_.project(1, static_cast<u16>(all + above + 1), static_cast<u16>(all + above));
  }

  bool may_call(u32 callee) const {
    const Signature& s = signatures_[callee];
    const u32 here = signatures_[current_].group;
    return s.group < here || (s.group == here && s.rec > 0);
  }
  // Leaves the callee's results.
  void call(u32 callee, u32 depth) {
    for (Scalar type : signatures_[callee].parameters) {
      if (is_reference(type)) expression(Scalar::I64, depth);
      expression(type, depth);
    }
    b_.call(static_cast<u16>(callee));
  }
  // A call of which one result has the type; false if there is none.
  bool call_for(Scalar type, u32 depth) {
    const u32 start = below(static_cast<u32>(signatures_.size()));
    for (u32 i = 0; i < signatures_.size(); ++i) {
      const u32 callee = (start + i) % static_cast<u32>(signatures_.size());
      const auto& results = signatures_[callee].results;
      if (!may_call(callee)) continue;
      for (u32 r = 0; r < results.size(); ++r) {
        if (results[r] != type) continue;
        call(callee, depth);
        if (results.size() > 1)
          b_.project(1, static_cast<u16>(results.size()), static_cast<u16>(r));
        return true;
      }
    }
    return false;
  }

  void block(u32 depth) {
    for (u32 statements = 1 + below(4); statements > 0; --statements) statement(depth);
  }

  void statement(u32 depth) {
    if (!spend(4)) return;
    const u32 kind = depth == 0 ? below(6) : below(17);
    switch (kind) {
      case 3: return one_in(3) ? many_ticks() : assign();
      case 4: return assign_element();
      case 5: return move_variables();
      case 6:
      case 7:
      case 8: return branch(depth - 1);
      case 9:
      case 10: return for_loop(depth - 1);
      case 11: return while_loop(depth - 1);
      case 12: return one_in(2) ? while_loop(depth - 1) : loop_over_elements(depth - 1);
      case 13: return call_statement();
      case 14: return guarded_exit();
      case 15: return guarded_trap();
      case 16: mostly_true(); return void(b_.emit(Op::Assert));
      default: return assign();
    }
  }

  void mostly_true() {
    expression(Scalar::Bool, 3);
    b_.bool_constant(!one_in(4)).op(Op::Or, Scalar::Bool);
  }
  void guarded_trap() {
    // Nothing else ends in CAPACITY.
    constexpr Trap kRequired[] = {Trap::Index, Trap::Capacity, Trap::Capacity, Trap::Range};
    mostly_true();
    b_.require(kRequired[below(4)]);
  }

  void assign() {
    const u32 slot = below(assignable_);
    expression(types_[slot], 4);
    b_.store(static_cast<u16>(slot));
  }

  // Mostly few.
  void many_ticks() {
    expression(Scalar::I64, 3);
    if (!one_in(8)) b_.i64_constant(9).op(Op::Rem);
    b_.ticks();
  }

  void branch(u32 depth) {
    expression(Scalar::Bool, 3);
    b_.if_();
    block(depth);
    if (one_in(5)) exit();
    if (one_in(2)) {
      b_.else_();
      block(depth);
    }
    b_.end_if();
  }

  void for_loop(u32 depth) {
    constexpr Scalar kCounters[] = {Scalar::I64, Scalar::I32, Scalar::U8, Scalar::U32, Scalar::U64};
    const Scalar type = kCounters[below(5)];
    const u16 next = b_.variable(type);
    b_.variable(type);
    const u16 variable = b_.variable(type);
    // Now and then the ends are anything; mostly they are near, some of them the largest of their type.
    if (one_in(8)) {
      expression(type, 2);
      expression(type, 2);
    } else {
      const u64 start = one_in(4) ? canonical_cell(type, ~u64{0} >> 1) : below(4);
      b_.constant(type, type == Scalar::U8 && start > 250 ? 250 : start);
      leaf(type);
      b_.constant(type, 7).op(Op::And, type).constant(type, start > 8 ? start : 0).op(Op::Or, type);
    }
    b_.store(static_cast<u16>(next + 1)).store(next);
    types_.insert(types_.end(), {Scalar::None, Scalar::None, Scalar::None});
    b_.loop().for_next(next, one_in(2)).tick();
    ++loops_;
    types_[variable] = type;
    block(depth);
    types_[variable] = Scalar::None;
    --loops_;
    b_.end_loop();
  }

  // Most of an iteration does not depend on the one before: lanes of few cases run it for many iterations at once.
  void loop_over_elements(u32 depth) {
    if (!spend(30)) return;
    const Scalar type = any_type();
    const Result result{type, new_variable(type), new_variable(Scalar::I64),
                        new_variable(Scalar::I64)};
    const u16 next = b_.variables(Scalar::I64, 3), variable = static_cast<u16>(next + 2);
    types_.insert(types_.end(), 3, Scalar::None);
    constant(type);
    b_.store(result.made).i64_constant(0).store(result.count).i64_constant(0).store(result.place);
    const bool to_largest = one_in(8);
    const u64 last = to_largest ? ~u64{0} >> 1 : below(150);
    b_.i64_constant(to_largest ? last - below(100) : below(3)).store(next);
    b_.i64_constant(last).store(static_cast<u16>(next + 1));
    b_.loop().for_next(next, one_in(2));
    b_.tick();
    if (one_in(4)) many_ticks();
    ++loops_;
    types_[variable] = Scalar::I64;
    const bool hides = !one_in(4);  // what is read of it ends what is the same for all iterations
    if (hides) types_[result.made] = types_[result.count] = types_[result.place] = Scalar::None;
    if (one_in(8)) step_counter(next);
    if (one_in(8)) {
      // In an arm others may wait behind it while all leave.
      const bool in_arm = one_in(2);
      if (in_arm) {
        expression(Scalar::Bool, 2);
        b_.if_();
      }
      expression(Scalar::Bool, 3);
      b_.break_if_false();
      if (in_arm) b_.end_if();
    }
    expression(type, 4);
    const u16 element = new_variable(type);
    b_.store(element);
    if (one_in(3)) {
      expression(Scalar::Bool, 3);
      b_.if_().continue_(0).end_if();
    }
    if (one_in(4)) guarded_trap();
    rest_of_iteration(result, element, variable, depth);
    types_[element] = types_[variable] = Scalar::None;
    types_[result.made] = types_[result.count] = types_[result.place] = Scalar::None;
    --loops_;
    b_.end_loop();
    show(result);
  }

  // What FOR_NEXT counts with is not its own: no source makes such code, a file may hold it.
  void step_counter(u16 next) {
    const auto slot = static_cast<u16>(next + below(3));
    b_.load(slot).i64_constant(1 + below(3)).op(one_in(2) ? Op::AddWrap : Op::SubWrap).store(slot);
  }

  struct Result {
    Scalar type;
    u16 made, count, place;
  };
  // In a variable that outlives the block, and in the fuel.
  void show(const Result& result) {
    b_.load(result.count).load(result.place).op(Op::AddWrap).i64_constant(7).op(Op::And).ticks();
    for (u32 slot = 0; slot < assignable_; ++slot)
      if (types_[slot] == result.type)
        return void(b_.load(result.made).store(static_cast<u16>(slot)));
  }
  // A variable that the iteration declares and nothing else knows, with room for 0 to 63 more: a count of it
  // overflows in some iterations.
  u16 near_overflow(u16 variable) {
    types_.push_back(Scalar::None);
    const u16 own = b_.variable(Scalar::I64);
    b_.i64_constant(~u64{0} >> 1).load(variable).i64_constant(1 + 2 * below(32));
    b_.op(Op::MulWrap).i64_constant(63).op(Op::And).op(Op::Sub).store(own);
    return own;
  }
  void rest_of_iteration(const Result& result, u16 element, u16 variable, u32 depth) {
    const auto [type, made, count, place] = result;
    std::vector<Op> folds{Op::And, Op::Or, Op::Xor};
    if (is_float(type)) folds = {Op::Add, Op::Mul, Op::Min, Op::Max};
    if (is_integer(type))
      folds = {Op::Add, Op::Mul, Op::Min, Op::Max, Op::AddWrap, Op::MulWrap, Op::Xor};
    constexpr Op kComparisons[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    const bool made_first = one_in(2);
    const u16 left = made_first ? made : element, right = made_first ? element : made;
    switch (below(6)) {
      case 0:
      case 1:
        b_.load(left)
            .load(right)
            .op(folds[below(static_cast<u32>(folds.size()))], type)
            .store(made);
        if (one_in(3)) b_.i64_constant(1).store(count);
        return;
      case 2:
        b_.load(left).load(right).op(kComparisons[type == Scalar::Bool ? below(2) : below(6)],
                                     type);
        b_.if_().load(element).store(made);
        if (one_in(4)) b_.break_(0);
        return void(b_.end_if());
      case 3:
        if (type == Scalar::Bool) break;
        b_.load(element).load(count).i64_constant(1).op(Op::AddWrap).store(count).load(made);
        b_.op(one_in(2) ? Op::Min : Op::Max, type).copy(type, 0).load(made).op(Op::Cmp, type);
        b_.i64_constant(0).op(Op::Ne).if_().load(count).store(place).end_if();
        return void(b_.store(made));
      case 4: {
        const bool counts_own = one_in(2);
        const u16 counted = counts_own ? near_overflow(variable) : count;
        expression(Scalar::Bool, 3);
        b_.if_().load(counted).i64_constant(1 + below(3)).op(Op::Add).store(counted);
        if (one_in(4)) guarded_exit();
        return void(b_.end_if());
      }
      default: break;
    }
    block(depth);
  }

  void while_loop(u32 depth) {
    const bool limited = one_in(2);
    u16 left = 0;
    if (limited) {
      left = b_.variable(Scalar::I64);
      types_.push_back(Scalar::None);
      b_.i64_constant(below(6)).store(left);
    }
    b_.loop();
    ++loops_;
    in_condition_ = true;
    expression(Scalar::Bool, 3);
    in_condition_ = false;
    b_.break_if_false();
    if (limited) b_.emit(Op::Limit, Scalar::None, left);
    b_.tick();
    block(depth);
    if (one_in(2)) guarded_exit();
    --loops_;
    b_.end_loop();
  }

  void call_statement() {
    const u32 callee = below(static_cast<u32>(signatures_.size()));
    if (!may_call(callee)) return assign();
    call(callee, 2);
    const u16 results = static_cast<u16>(signatures_[callee].results.size());
    if (results > 0) b_.project(0, results, 0);
  }

  // Leaves a loop or the function, if it may.
  void exit() {
    const u32 kind = below(8);
    if (kind == 0) return void(b_.emit(Op::TrapNow, Scalar::None, static_cast<u16>(Trap::Hole)));
    if (kind == 1 && one_in(2)) {
      b_.load_hole(Scalar::F64);
      return void(b_.project(0, 1, 0));
    }
    if (kind <= 2 || loops_ == 0) {
      const auto& results = signatures_[current_].results;
      for (Scalar type : results) leaf(type);
      return void(b_.emit(Op::Return));
    }
    const u16 out = static_cast<u16>(below(loops_));
    // No CONTINUE before the iteration's tick: fuel would not bound the loop, and the checker refuses it.
    kind <= 5 || (in_condition_ && out == 0) ? b_.break_(out) : b_.continue_(out);
  }
  void guarded_exit() {
    expression(Scalar::Bool, 3);
    b_.if_();
    if (one_in(2)) assign();
    exit();
    b_.end_if();
  }

  Random random_;
  u32 size_;
  ProgramKind kind_;
  CodeBuilder b_;
  std::vector<Signature> signatures_;
  u32 current_ = 0;
  std::vector<Scalar> types_;  // of the slots; None: not to be read
  u32 assignable_ = 0;
  u32 loops_ = 0;
  bool in_condition_ = false;  // of the innermost loop, a `while`
  u32 instructions_left_ = 0;
};

}  // namespace

GeneratedCode generate_code(u64 seed, u32 size, ProgramKind kind) {
  return Generator(seed, size, kind).run();
}

std::vector<std::vector<u64>> random_cases(const Code& code, u32 function, u32 count, u64 seed) {
  const Function& f = code.functions[function];
  Random random(seed);
  std::vector<std::vector<u64>> rows(f.parameter_slots);
  for (u32 p = 0; p < f.parameter_slots; ++p) {
    const Scalar type = static_cast<Scalar>(code.slot_types[f.slots_begin + p]);
    EdgeStream edges(type, random.next());
    for (u32 c = 0; c < count; ++c) {
      const u64 small = random.below(16);
      const bool usual = is_integer(type) && random.below(2) == 0;
      rows[p].push_back(usual ? small : edges.next());
    }
  }
  return rows;
}

}  // namespace komuz::test

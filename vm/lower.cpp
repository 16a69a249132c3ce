// SPDX-License-Identifier: Apache-2.0
// Lowering, the straight-line part. A virtual stack takes the place of the operand stack: LOAD_VAR and LOAD_CONST
// only push the place of a value, and an operation takes its operands from where they lie.
//
// A computed value goes to the home cell of its stack position. STORE_VAR redirects the operation that made the value
// to the slot. If a slot changes while its old value is on the stack, that value is first copied home.
#include "vm/lower.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "lang/ops/eval_cells.h"

namespace komuz::vm {
namespace {

constexpr OpForm kForms[] = {
#define OP(Name, mnemonic, form, types, traps, meaning) OpForm::form,
#include "lang/ops.def"
};

constexpr u32 kNoWaiting = 0;

// Lanes of a tile, chosen so that the frames of most programs stay in the first-level cache.
u32 tile_lanes_for(const Function& entry) {
  const u32 cells = entry.stack_bytes / kCellBytes;
  return cells <= 16 ? 256 : cells <= 32 ? 128 : 64;
}

// In code that accesses areas, most cells belong to areas, and an iteration touches one or a few of them. Wide tiles
// are then faster, although they do not fit that cache.
constexpr u32 kLanesOfAreas = kMaxTileLanes;

bool accesses_area(Op op) { return op == Op::LoadAt || op == Op::StoreAt || op == Op::LoadRef; }

}  // namespace

// As many as there are cases for.
void BatchLowering::choose_lanes(u32 lanes) {
  const u32 cases = job_->cases.count;
  const u32 needed = cases <= 64 ? 64 : cases <= 128 ? 128 : 256;
  program_->tile_lanes = needed < lanes ? needed : lanes;
  parting_ = program_->tile_lanes <= kLanesOfWord ? &handlers_->one_word : &handlers_->all_words;
  cell_pitch_ = program_->tile_lanes * kCellBytes;
  has_tiles_ = cases > program_->tile_lanes;
}

void BatchLowering::find_constant_columns() {
  constant_columns_.clear();
  if (job_->constants.empty()) return;
  constant_columns_.resize(job_->code.constants.size());
  for (const ConstantColumn& own : job_->constants)
    constant_columns_[own.constant] = own.values.data;
}

void BatchLowering::run(const Job& job, const HandlerTable& handlers, LoweredProgram& program) {
  job_ = &job;
  handlers_ = &handlers;
  program_ = &program;
  const CodeView& code = job.code;
  const Function& entry = code.functions[job.function];
  choose_lanes(tile_lanes_for(entry));
  find_constant_columns();
  program.copies_arguments = entry.cycle != 0;
  program.column_uses.clear();
  forget_constants();
  program.is_straight = !has_tiles_ && entry.cycle == 0 && lower_straight_line(entry);
  if (program.is_straight) return;

  program.ops.clear();
  program.live_cells.clear();
  program.element_loops.clear();
  program.cell_copies.clear();
  forget_constants();
  // Lanes change places in loops, so a case cannot be found by its lane.
  bool has_areas = false;
  for (const Instruction& i : code.instructions) {
    program.copies_arguments |= i.op == Op::Loop;
    has_areas |= accesses_area(i.op);
  }
  if (has_areas) choose_lanes(kLanesOfAreas);
  program.functions.assign(code.functions.size(), {});
  worklist_.assign(1, job.function);
  program.functions[job.function].is_lowered = true;
  // NOLINTNEXTLINE(modernize-loop-convert): the list grows while it is read
  for (size_t next = 0; next < worklist_.size(); ++next) lower_function(worklist_[next]);

  program.first_op = program.functions[job.function].first_op;
  // A function outside of all cycles occurs at most once in a chain of calls. Of a cycle at most `rec` frames are
  // live.
  u32 cells = 1, frames = 0, regions = 0;
  program.cycles = 0;
  for (const u32 number : worklist_) {
    const LoweredFunction& f = program.functions[number];
    const u32 live = f.cycle == 0 ? 1 : f.rec;
    cells += live * f.cells;
    frames += live;
    regions += live * f.regions;
    if (f.cycle > program.cycles) program.cycles = f.cycle;
  }
  program.frame_cells = cells;
  program.live_frames = frames;
  program.regions = regions;
}

void BatchLowering::start_function(const Function& f, u32 number) {
  number_ = number;
  is_entry_ = number == job_->function;
  code_begin_ = f.code_begin;
  code_size_ = f.code_end - f.code_begin;
  uses_.survey(job_->code, f);
  is_reachable_ = true;
  shift_ = 0;
  waiting_ = most_waiting_ = uses_.returns_early() ? 1 : kNoWaiting;
  producer_ = 0;
  moved_ = {};
  shrink(0);
  regions_.clear();
  arm_types_.clear();
  open_parts_.clear();
  part_cells_.clear();
  parts_.clear();
  // Elements would look for constants of cases in their own lanes.
  if (job_->cases.count <= kMostSpreadCases && job_->constants.empty())
    parts_.find(job_->code, f, uses_, job_->cases.count);
  depends_on_constants_ |= !parts_.parts().empty();
  stack_base_ = f.slots + (uses_.returns_early() ? f.result_cells : 0u);
  for (const ElementPart& part : parts_.parts()) {
    part_cells_.push_back(stack_base_);
    stack_base_ += cells_of(part);
  }
  cells_ = stack_base_ > f.result_cells ? stack_base_ : f.result_cells;
  slots_.resize(f.slots);
  for (u32 slot = 0; slot < f.slots; ++slot) {
    const auto type = static_cast<Scalar>(job_->code.slot_types[f.slots_begin + slot]);
    slots_[slot] = cell_value(slot, moved_as(type));
    slots_[slot].where = Where::Slot;
    slots_[slot].slot = static_cast<u16>(slot);
  }
  LoweredFunction& lowered = program_->functions[number];
  lowered.first_op = static_cast<u32>(program_->ops.size());
  lowered.rec = f.rec;
  lowered.cycle = f.cycle;
}

void BatchLowering::lower_function(u32 number) {
  const Function& f = job_->code.functions[number];
  start_function(f, number);
  note_result_types(f);
  pc_ = 0;
  if (uses_.returns_early()) emit(Control::Enter);
  if (is_entry_ && !program_->copies_arguments) {
    // Arguments are read in place, unless only some lanes may store to them or they are accessed by an offset.
    for (u32 slot = 0; slot < f.parameter_slots; ++slot) {
      const ArgumentColumn& column = job_->cases.columns[slot];
      Value in_column = slots_[slot];
      in_column.at = reinterpret_cast<i64>(column.data) | kInColumn;
      in_column.where = Where::Column;
      const SlotUse& use = uses_.of(slot);
      if (uses_.is_indexed(slot) || (uses_.has_regions() && use.is_stored))
        move(in_column, slot, false);
      else
        slots_[slot] = in_column;
    }
  }
  while (true) {
    close_regions();
    if (!open_parts_.empty() && open_parts_.back().part->end == pc_) join_elements();
    if (pc_ >= code_size_) break;
    next_pc_ = pc_ + 1;
    lower_instruction(f, job_->code.instructions[code_begin_ + pc_]);
    pc_ = next_pc_;
  }
  if (!is_reachable_) return_to_caller(f);
  LoweredFunction& lowered = program_->functions[number];
  lowered.cells = cells_;
  lowered.regions = most_waiting_;
}

LoweredOp& BatchLowering::emit(Handler handler) {
  LoweredOp& op = program_->ops.emplace_back();
  op.run = handler;
  op.place = code_begin_ + pc_;
  producer_ = 0;
  tick_at_ = 0;
  return op;
}

void BatchLowering::set_operand(u32 which, const Value& v) {
  LoweredOp& op = program_->ops.back();
  if (v.where == Where::Column && has_tiles_)
    program_->column_uses.push_back({static_cast<u32>(program_->ops.size() - 1),
                                     static_cast<u8>(which),
                                     static_cast<u8>(scalar_bytes(v.type))});
  (which == 0 ? op.a : which == 1 ? op.b : op.c) = v.at;
}

// Moves the value at a stack position to the position's home cell.
void BatchLowering::move_home(u32 position) {
  Value& v = stack_[position];
  const u32 cell = home(position);
  if (v.where == Where::Cell && v.at == in_frame(cell)) return;
  move(v, cell, false);
  v = cell_value(cell, v.type);
}

// Called before control splits the lanes: values in slots may be overwritten on one way only.
void BatchLowering::settle() {
  for (u32 position = kept_below_; position < height(); ++position)
    if (stack_[position].where == Where::Slot) move_home(position);
  kept_below_ = height();
}

void BatchLowering::lower_instruction(const Function& f, Instruction i) {
  const OpForm form = kForms[static_cast<u32>(i.op)];
  switch (form) {
    case OpForm::Const: stack_.push_back(constant(i.type, i.b)); break;
    case OpForm::Load: stack_.push_back(slots_[i.a]); break;
    case OpForm::Store: store(i); break;
    case OpForm::LoadSlots:
      for (u32 k = 0; k < i.b; ++k) stack_.push_back(slots_[i.a + k]);
      break;
    case OpForm::StoreSlots: store_slots(i.a, i.b); break;
    case OpForm::LoadAt: load_at(i); break;
    case OpForm::StoreAt: store_at(i); break;
    case OpForm::Ref: refer(i); break;
    case OpForm::RefPart: part_reference(i); break;
    case OpForm::LoadRef: load_referred(i); break;
    case OpForm::Project: project(i); break;
    case OpForm::Copy: push_again(height() - 1 - i.a - i.b, i.b + 1); break;
    case OpForm::Repeat: push_again(height() - i.a, i.a * (i.b - 1)); break;
    case OpForm::Consts: load_constants(i); break;
    case OpForm::EqCells: compare_cells(i); break;
    case OpForm::Branch: open_branch(i); break;
    case OpForm::Jump: end_first_arm(i); break;
    case OpForm::ShortCircuit: open_short_circuit(i); break;
    case OpForm::Loop: open_loop(i); break;
    case OpForm::BreakIf: break_if(i); break;
    case OpForm::ForNext:
      break_if(i);
      lower_elements(f);
      break;
    case OpForm::LoopExit: exit_loop(i); break;
    case OpForm::End: close_loop(); break;
    case OpForm::Slot:
      settle();
      emit(Control::Limit).dst = offset_of(i.a);
      tick_at_ = pc_ + 1;
      break;
    case OpForm::Plain: tick(); break;
    case OpForm::Ticks:
      emit(Control::Ticks);
      set_operand(0, stack_.back());
      (void)pop();
      break;
    case OpForm::Call: call(i); break;
    case OpForm::Return: return_values(f); break;
    case OpForm::Assert: require(Trap::Assert); break;
    case OpForm::Require: require(static_cast<Trap>(i.a)); break;
    case OpForm::TrapNow:
      emit(Control::TrapNow).c = i.a;
      unreachable_from_here();
      break;
    case OpForm::Hole:
      emit(Control::TrapNow).c = static_cast<u32>(Trap::Hole);
      unreachable_from_here();
      break;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near: compute(i, form, Scalar::None); break;
    case OpForm::Shift:
    case OpForm::Convert: compute(i, form, static_cast<Scalar>(i.a)); break;
  }
}

void BatchLowering::compute(Instruction i, OpForm form, Scalar second_type) {
  const u32 operands = operand_count(form), bottom = height() - operands;
  LoweredOp& op = emit(handlers_->pure[static_cast<u32>(i.op)][static_cast<u32>(i.type)]
                                      [static_cast<u32>(second_type)]);
  const u32 cell = home(bottom);
  op.dst = offset_of(cell);
  for (u32 k = 0; k < operands; ++k) set_operand(k, stack_[bottom + k]);
  shrink(bottom);
  stack_.push_back(cell_value(cell, result_type(form, i.type)));
  if (division_of(i.op) < kDivisions && (op.b & kOperandBits) == kForAllLanes)
    shorten_division(op, i);
  note_producer(i);
}

// Emits an operation of control that tests the topmost value, which has been popped. The comparison that made the
// value is merged into it.
void BatchLowering::emit_test(Control control, const Value& test) {
  const u32 comparison = comparison_number(produced_by_.op);
  if (producer_ == 0 || test.where != Where::Cell || comparison >= kComparisons) {
    emit(control);
    return set_operand(0, test);
  }
  const auto& handlers =
      control == Control::BreakIfFalse ? parting_->break_compared : parting_->if_compared;
  program_->ops.back().run = handlers[comparison][static_cast<u32>(produced_by_.type)];
  producer_ = 0;
}

// Replaces an integer division by a constant, operand b, by a shorter operation if the constant is a power of two.
void BatchLowering::shorten_division(LoweredOp& op, Instruction i) {
  if (!is_integer(i.type)) return;
  u64 word;
  std::memcpy(&word, reinterpret_cast<const void*>(op.b), sizeof word);
  const u64 divisor = canonical_cell(i.type, word);
  const bool is_negative = is_signed(i.type) && static_cast<i64>(divisor) < 0;
  if (is_negative || !std::has_single_bit(divisor)) return;
  const auto made = std::ranges::find(broadcasts_, op.b, &Broadcast::at);
  if (made != broadcasts_.end())
    assumed_.push_back({made->constant, job_->code.constants[made->constant]});
  op.run = handlers_->by_power_of_two[division_of(i.op)][static_cast<u32>(i.type)];
  op.b = broadcast(i.type, divisor - 1);
  op.c = std::countr_zero(divisor);
}

void BatchLowering::forget_constants() {
  program_->constants.clear();
  broadcasts_.clear();
  assumed_.clear();
  depends_on_constants_ = false;
}

BatchLowering::Value BatchLowering::constant(Scalar type, u32 number) {
  const void* const column = constant_columns_.empty() ? nullptr : constant_columns_[number];
  if (column != nullptr) return {reinterpret_cast<i64>(column) | kInColumn, Where::Column, type, 0};
  const Operand at = broadcast(type, job_->code.constants[number]);
  broadcasts_.push_back({at, number, type});
  return {at, Where::Constant, type, 0};
}

bool BatchLowering::renew_constants(const Job& job) {
  if (depends_on_constants_) return false;
  for (const Assumed& own : assumed_)
    if (job.code.constants[own.constant] != own.value) return false;
  for (const Broadcast& made : broadcasts_)
    write_broadcast(made.at, made.type, job.code.constants[made.constant]);
  return true;
}

// A value for all lanes, repeated to fill a vector.
Operand BatchLowering::broadcast(Scalar type, u64 value) {
  const Operand operand = reinterpret_cast<i64>(&program_->constants.add()) | kForAllLanes;
  write_broadcast(operand, type, value);
  return operand;
}
void BatchLowering::write_broadcast(Operand at, Scalar type, u64 value) {
  set_broadcast(*reinterpret_cast<BroadcastValue*>(at), type, value);
}

void BatchLowering::project(Instruction i) {
  const u32 taken = i.b >> 16, first = i.b & 0xFFFF, kept = i.a;
  const u32 bottom = height() - taken;
  if (kept_below_ > bottom) kept_below_ = bottom;
  for (u32 k = 0; k < kept; ++k) {
    stack_[bottom + k] = stack_[bottom + first + k];
    if (stack_[bottom + k].where == Where::Cell) move_home(bottom + k);
  }
  shrink(bottom + kept);
  producer_ = 0;
}

void BatchLowering::note_result_types(const Function& f) {
  result_types_.clear();
  for_each_cell(job_->code.result_type(f), [&](Scalar cell) { result_types_.push_back(cell); });
}

}  // namespace komuz::vm

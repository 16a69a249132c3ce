// SPDX-License-Identifier: Apache-2.0
// Lowering of an entry without control, in one pass: most expressions are such, and their lowering takes as long as their
// tile. No region can part the lanes, so a slot may stand for an argument or a constant, and nothing is masked.
//
// Two sums, differences or products of floats of which the second takes the first one's result become one operation,
// which does not store the result in between.
#include "lang/eval_cells.h"
#include "vm/lower.h"

namespace komuz::vm {
namespace {

enum class Step : u8 { Load, Constant, Store, Compute, Return, Control };

struct Shape {
  Step step;
  u8 operands;           // of Compute
  bool has_second_type;  // of Compute, in field a
  u8 pair;               // PairedOp
};

constexpr Shape shape_of(OpForm form, u8 pair) {
  if (is_pure_form(form))
    return {Step::Compute, static_cast<u8>(operand_count(form)),
            form == OpForm::Shift || form == OpForm::Convert, pair};
  const Step step = form == OpForm::Load     ? Step::Load
                    : form == OpForm::Const  ? Step::Constant
                    : form == OpForm::Store  ? Step::Store
                    : form == OpForm::Return ? Step::Return
                                             : Step::Control;
  return {step, 0, false, pair};
}

constexpr u8 paired_op(Op op) {
  for (u8 k = 0; k < kPairedOps; ++k)
    if (kPairedOp[k] == op) return k;
  return kPairedOps;
}

constexpr Shape kShapes[] = {
#define OP(Name, mnemonic, form, types, traps, meaning) shape_of(OpForm::form, paired_op(Op::Name)),
#include "lang/ops.def"
};

// The operation emitted last, if it may still be changed: its result has not been used.
struct Last {
  u32 position = ~0u;    // of its result on the stack; ~0: no such operation
  u8 pair = kPairedOps;  // what it is as the first of a pair
};

}  // namespace

void Lowering::start_straight_line(const Function& f) {
  if (operands_.size() < f.max_stack) operands_.resize(f.max_stack);
  if (variables_.size() < f.slots) variables_.resize(f.slots);
  for (u32 slot = 0; slot < f.slots; ++slot) variables_[slot] = {offset_of(slot), kInFrame};
  for (u32 slot = 0; slot < f.parameter_slots; ++slot)
    variables_[slot] = {reinterpret_cast<i64>(job_->cases.columns[slot].data), kInColumn};
  // An operation for each instruction and each result at most, and the last one.
  const size_t ops = size_t{f.code_end} - f.code_begin + f.result_cells + 1;
  if (program_->ops.size() < ops) program_->ops.resize(ops);
}

bool Lowering::lower_straight_line(const Function& f) {
  start_straight_line(f);
  const Instruction* const code = job_->code.instructions.data();
  Operand* const stack = operands_.data();
  LoweredOp* next = program_->ops.data();
  u32 height = 0;
  Last last;
  for (u32 at = f.code_begin;; ++at) {
    const Instruction i = code[at];
    const Shape shape = kShapes[static_cast<u32>(i.op)];
    switch (shape.step) {
      case Step::Load: stack[height++] = variables_[i.a]; break;
      case Step::Constant: stack[height++] = broadcast(i); break;
      case Step::Store: {
        const Operand value = stack[--height];
        const i64 cell = offset_of(i.a);
        // The old value is still wanted: left to the general way.
        for (u32 position = 0; position < height; ++position)
          if (stack[position].lanes == kInFrame && stack[position].address == cell) return false;
        variables_[i.a] = value;
        if (value.lanes == kInFrame) {
          if (last.position != height) return false;
          next[-1].dst = offset_of(i.a);
          variables_[i.a].address = cell;
        }
        last = {};
        break;
      }
      case Step::Compute: {
        height -= shape.operands;
        const u32 dst = offset_of(f.slots + height);
        const auto type = static_cast<u32>(i.type);
        const bool is_right = last.position == height + 1;
        if (last.pair < kPairedOps && shape.pair < kPairedOps &&
            (is_right || last.position == height)) {
          LoweredOp& op = next[-1];
          const Operand other = stack[is_right ? height : height + 1];
          op.run = handlers_->pair[i.type == Scalar::F64][last.pair][shape.pair][is_right];
          op.c = other.address;
          op.c_lanes = other.lanes;
          op.dst = dst;
          last = {height};
        } else {
          LoweredOp& op = *next++;
          op = {};
          op.run = handlers_->pure[static_cast<u32>(i.op)][type][shape.has_second_type ? i.a : 0];
          op.a = stack[height].address;
          op.a_lanes = stack[height].lanes;
          if (shape.operands > 1) {
            op.b = stack[height + 1].address;
            op.b_lanes = stack[height + 1].lanes;
          }
          if (shape.operands > 2) {
            op.c = stack[height + 2].address;
            op.c_lanes = stack[height + 2].lanes;
          }
          op.dst = dst;
          op.place = at;
          last = {height, is_float(i.type) ? shape.pair : kPairedOps};
        }
        stack[height++] = {dst, kInFrame};
        break;
      }
      case Step::Return:
        if (at + 1 != f.code_end) return false;
        finish_straight_line(f, next);
        return true;
      case Step::Control: return false;
    }
  }
}

void Lowering::finish_straight_line(const Function& f, LoweredOp* next) {
  note_result_types(f);
  for (u32 k = 0; k < f.result_cells; ++k) {
    LoweredOp& op = *next++;
    op = {};
    op.run = handlers_->result[static_cast<u32>(result_types_[k])];
    op.a = operands_[k].address;
    op.a_lanes = operands_[k].lanes;
    op.c = k;
  }
  *next = {};
  next->run = handlers_->control[static_cast<u32>(Control::Finish)];
  program_->first_op = 0;
  program_->frame_cells = u32{f.slots} + f.max_stack;
  program_->live_frames = program_->regions = program_->cycles = 0;
}

}  // namespace komuz::vm

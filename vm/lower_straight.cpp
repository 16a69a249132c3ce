// SPDX-License-Identifier: Apache-2.0
// Lowers an entry without control, in one pass. Most expressions are such, and lowering them takes as long as running
// their tile. No region can split the lanes, so a slot may stand for an argument or a constant, and nothing is
// masked.
//
// Two additions, subtractions or multiplications of floats become one operation if the second takes the first one's
// result. That operation does not store the result in between.
#include "lang/ops/eval_cells.h"
#include "vm/lower.h"

namespace komuz::vm {
namespace {

enum class Step : u8 { Value, Constant, Store, Return, Control };

struct Shape {
  Step step;
  // For Value: a variable or a pure operation.
  u8 operands = 0;
  bool is_operation = false;
  u16 second_type = 0;  // all ones if field a is a type that the operation depends on
  u8 pair = kPairedOps;
  bool divides = false;
};

constexpr Shape shape_of(OpForm form, u8 pair, bool divides) {
  if (is_pure_form(form)) {
    const bool has_second_type = form == OpForm::Shift || form == OpForm::Convert;
    return {Step::Value, static_cast<u8>(operand_count(form)),
            true,        static_cast<u16>(has_second_type ? 0xFFFF : 0),
            pair,        divides};
  }
  if (form == OpForm::Load) return {Step::Value};
  if (form == OpForm::Const) return {Step::Constant};
  if (form == OpForm::Store) return {Step::Store};
  if (form == OpForm::Return) return {Step::Return};
  return {Step::Control};
}

constexpr u8 paired_op(Op op) {
  for (u8 k = 0; k < kPairedOps; ++k)
    if (kPairedOp[k] == op) return k;
  return kPairedOps;
}

constexpr Shape kShapes[] = {
#define OP(Name, mnemonic, form, types, traps, meaning) \
  shape_of(OpForm::form, paired_op(Op::Name), division_of(Op::Name) < kDivisions),
#include "lang/ops.def"
};

constexpr u32 kNone = ~0u;

}  // namespace

// The stack of operands, the variables, and the operations so far.
struct BatchLowering::Straight {
  Operand* stack;
  Operand* variables;
  LoweredOp* next;  // behind at least an empty operation
  u32 height = 0;
  u32 fresh = kNone;      // stack position of what next[-1] made, while that is its only use
  u32 pair = kPairedOps;  // the row of next[-1] as the first of a pair
  u32 divides = 0;        // odd: there are divisions of integers
};

void BatchLowering::start_straight_line(const Function& f) {
  // One more of each than there are: unused ones are read without effect.
  if (operands_.size() < f.max_stack + 3u) operands_.resize(f.max_stack + 3u);
  if (variables_.size() < f.slots + 1u) variables_.resize(f.slots + 1u);
  for (u32 slot = 0; slot < f.slots; ++slot) variables_[slot] = in_frame(slot);
  for (u32 slot = 0; slot < f.parameter_slots; ++slot)
    variables_[slot] = reinterpret_cast<i64>(job_->cases.columns[slot].data) | kInColumn;
  // An empty one first, at most one for each instruction and each result, and the last one.
  const size_t ops = size_t{f.code_end} - f.code_begin + f.result_cells + 2;
  if (program_->ops.size() < ops) program_->ops.resize(ops);
}

// Whether a variable or an operation comes next cannot be predicted, and a mispredicted branch takes as long as all
// of this. So both take the same path.
inline void BatchLowering::lower_value(Straight& s, const Function& f, Instruction i,
                                       u32 at) const {
  const Shape shape = kShapes[static_cast<u32>(i.op)];
  s.height -= shape.operands;
  const Operand* const operands = s.stack + s.height;
  const u32 dst = offset_of(f.slots + s.height);
  if (s.pair < kPairedOps && shape.pair < kPairedOps && s.fresh - s.height < 2) {
    const bool is_right = s.fresh != s.height;
    LoweredOp& first = s.next[-1];
    first.run = handlers_->pair[i.type == Scalar::F64][s.pair][shape.pair][is_right];
    first.c = operands[is_right ? 0 : 1];
    first.dst = dst;
    s.stack[s.height] = i64{dst} | kInFrame;
    s.fresh = s.height++;
    s.pair = kPairedOps;
    return;
  }
  LoweredOp& op = *s.next;
  op.run =
      handlers_->pure[static_cast<u32>(i.op)][static_cast<u32>(i.type)][i.a & shape.second_type];
  op.a = operands[0];
  op.b = operands[1];
  op.c = operands[2];
  op.dst = dst;
  op.place = at;
  op.masked = false;
  s.divides |= shape.divides & (type_set::kInt >> static_cast<u32>(i.type));

  const Operand variable = s.variables[shape.is_operation ? 0 : i.a];
  s.stack[s.height] = shape.is_operation ? i64{dst} | kInFrame : variable;
  const u32 pair = is_float(i.type) ? u32{shape.pair} : u32{kPairedOps};
  s.fresh = shape.is_operation ? s.height : s.fresh;
  s.pair = shape.is_operation ? pair : s.pair;
  s.next += shape.is_operation;
  ++s.height;
}

// False if the slot's old value is still on the stack, or the new value has another use.
bool BatchLowering::store_straight(Straight& s, u32 slot) const {
  const Operand value = s.stack[--s.height];
  const Operand cell = in_frame(slot);
  for (u32 position = 0; position < s.height; ++position)
    if (s.stack[position] == cell) return false;
  s.variables[slot] = value;
  if ((value & kOperandBits) == kInFrame) {
    if (s.fresh != s.height) return false;
    s.next[-1].dst = offset_of(slot);
    s.variables[slot] = cell;
  }
  s.fresh = kNone;
  s.pair = kPairedOps;
  return true;
}

bool BatchLowering::lower_straight_line(const Function& f) {
  start_straight_line(f);
  const Instruction* const code = job_->code.instructions.data();
  Straight s{operands_.data(), variables_.data(), program_->ops.data() + 1};
  for (u32 at = f.code_begin;; ++at) {
    const Instruction i = code[at];
    const Step step = kShapes[static_cast<u32>(i.op)].step;
    if (step == Step::Value) {
      lower_value(s, f, i, at);
    } else if (step == Step::Constant) {
      s.stack[s.height++] = constant(i.type, i.b).at;
    } else if (step == Step::Store) {
      if (!store_straight(s, i.a)) return false;
    } else {
      if (step != Step::Return || at + 1 != f.code_end) return false;
      if ((s.divides & 1) != 0) shorten_divisions(s.next);
      finish_straight_line(f, s.next);
      return true;
    }
  }
}

// Done for all at once: a branch at each operation would take longer, in most programs for nothing.
void BatchLowering::shorten_divisions(LoweredOp* end) {
  for (LoweredOp* op = program_->ops.data() + 1; op != end; ++op) {
    const Instruction i = job_->code.instructions[op->place];
    if (division_of(i.op) < kDivisions && (op->b & kOperandBits) == kForAllLanes)
      shorten_division(*op, i);
  }
}

void BatchLowering::finish_straight_line(const Function& f, LoweredOp* next) {
  note_result_types(f);
  for (u32 k = 0; k < f.result_cells; ++k) {
    LoweredOp& op = *next++;
    op = {};
    op.run = handlers_->result[static_cast<u32>(result_types_[k])];
    op.a = operands_[k];
    op.c = k;
  }
  *next = {};
  next->run = parting_->control[static_cast<u32>(Control::Finish)];
  program_->first_op = 1;
  program_->frame_cells = u32{f.slots} + f.max_stack;
  program_->live_frames = program_->regions = program_->cycles = 0;
}

}  // namespace komuz::vm

// SPDX-License-Identifier: Apache-2.0
// The value of an expression that stands for a number of elements: a number, a constant of an integer type, or
// integer operators on these. Lengths are part of types, so they are needed before the types of values are known.
// That is why nothing else may take part.
#pragma once
#include "frontend_gpu/questions/evaluate.h"
#include "frontend_gpu/questions/type_form.h"
#include "frontend_gpu/text/literal.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Takes operands before operators, as they lie in post-order. Where a constant's name stands, the constant's own
// expression is taken first, in the constant's type.
class LengthValue {
 public:
  HD explicit LengthValue(const Columns& c) : c_(c) {}

  // The length; 0: there is none, because the expression traps, is negative, is more than `most`, or has parts that
  // belong in no length. Its own operators calculate in i64.
  HD_COLD u32 operator()(Index length, u32 most) {
    i64 value = 0;
    if (!find(length, Scalar::I64, value)) return 0;
    return value >= 0 && static_cast<u64>(value) <= most ? static_cast<u32>(value) : 0;
  }
  // Finds the value of an expression whose operators calculate in an integer type. Returns false if it is not
  // known, or no i64.
  HD_COLD bool find(Index expression, Scalar type, i64& value) {
    enter(expression, type);
    while (known_ && frames_ != 0) {
      Frame& frame = frame_[frames_ - 1];
      if (frame.next != frame.end)
        take(c_.order[frame.next++], frame.type);
      else
        leave();
      if (++steps_ > kMaxSteps) known_ = false;
    }
    count_work(c_, steps_);
    if (!known_ || values_ != 1) return false;
    value = static_cast<i64>(value_[0]);
    return is_signed(type) || value >= 0;
  }

 private:
  static constexpr u32 kMaxFrames = 16;  // the most constants that name each other
  static constexpr u32 kMaxValues = 64, kMaxSteps = 2048;
  struct Frame {
    u32 next, end;  // positions in post-order
    Scalar type;
  };

  HD void enter(Index root, Scalar type) {
    known_ = root != kNone && node_context(c_, root) != Context::Skipped && is_integer(type) &&
             frames_ != kMaxFrames;
    if (!known_) return;
    const u32 end = c_.rank[root] + 1u, size = c_.end[root] - c_.begin[root];
    frame_[frames_++] = {end - size, end, type};
  }
  // Hands the value of a constant to the expression that names it. Both have 64 bits, but a u64 may be no i64.
  HD void leave() {
    const Scalar own = frame_[--frames_].type;
    if (frames_ == 0 || values_ == 0) return;
    const bool same = is_signed(own) == is_signed(frame_[frames_ - 1].type);
    known_ &= same || static_cast<i64>(value_[values_ - 1]) >= 0;
  }
  HD void push(u64 value) {
    known_ &= values_ != kMaxValues;
    if (known_) value_[values_++] = value;
  }
  HD void take(Index i, Scalar type) {
    const Index above = parent_of(c_, i);
    if (above != kNone && node_kind(c_, above) == Node::Name) return;  // of a name with its module
    known_ &= node_context(c_, i) != Context::Skipped;
    if (!known_) return;
    switch (node_kind(c_, i)) {
      case Node::Paren: known_ = c_.right[i] != kNone; return;
      case Node::Int: {
        const Literal value = integer_literal(node_text(c_, i), node_length(c_, i), type, false);
        known_ = value.error == DiagnosticCode::None;
        return push(value.cell);
      }
      case Node::Name: return constant(i);
      default: break;
    }
    const NodeRow& row = node_row(node_kind(c_, i));
    if (row.node_class == NodeClass::Unary) return calculate(row.op, 1, type);
    if (row.node_class == NodeClass::Arithmetic) return calculate(row.op, 2, type);
    if (row.node_class == NodeClass::Shift) return calculate(row.op, 2, type, type_of(type));
    known_ = false;
  }
  HD void constant(Index name) {
    known_ = c_.ref[name] < kBuiltinRef && c_.bind_kind[c_.ref[name]] == BindKind::Constant;
    if (!known_) return;
    const Index item = c_.item_body[c_.item[c_.bind_node[c_.ref[name]]]];
    const Index assign =
        item == kNone || node_context(c_, item) == Context::Skipped ? kNone : Index{c_.right[item]};
    known_ = assign != kNone && node_kind(c_, assign) == Node::Assign &&
             node_kind(c_, c_.left[assign]) == Node::Colon;
    if (!known_) return;
    const TypeId type = declared_type(c_, c_.right[c_.left[assign]]);
    enter(c_.right[assign], is_scalar(type) ? as_scalar(type) : Scalar::None);
  }
  HD void calculate(Op op, u32 operands, Scalar type, u32 amount = 0) {
    known_ = values_ >= operands;
    if (!known_) return;
    values_ -= operands;
    const EvaluatedCell result =
        evaluate_operation({op, type, static_cast<u16>(amount), 0}, value_ + values_);
    known_ = result.trap == Trap::None;
    push(result.value);
  }

  const Columns& c_;
  bool known_ = true;
  u32 frames_ = 0, values_ = 0, steps_ = 0;
  Frame frame_[kMaxFrames];
  u64 value_[kMaxValues];
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

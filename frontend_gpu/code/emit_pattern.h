// SPDX-License-Identifier: Apache-2.0
// The instructions of a pattern. All of them stand where its last node does: first copies of the parts whose cells
// do not lie together, then the test that says whether the pattern takes the value.
//
//   Rect(lo, 0.0) | Empty if c => e,       copies of lo; tests of Rect and 0.0, AND; test of Empty; OR
//                                          JUMP_IF_FALSE_OR_POP ->c's end; c
//                                          JUMP_IF_FALSE ->next arm; e; JUMP ->end of the match
#pragma once
#include "frontend_gpu/code/type_erased_sink.h"
#include "frontend_gpu/questions/patterns.h"
#include "frontend_gpu/text/literal.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The value of a built-in constant as a cell of `type`, which a constant without a type of its own takes.
HD_COLD u64 builtin_cell(const ConstantRow& row, Scalar type) {
  if (row.type != Scalar::None || type != Scalar::F32) return row.bits;
  f64 wide;
  std::memcpy(&wide, &row.bits, 8);
  const f32 narrow = static_cast<f32>(wide);
  u32 bits;
  std::memcpy(&bits, &narrow, 4);
  return bits;
}

template <class Sink>
struct EmitPattern {
  const Columns& c;
  Sink& sink;

  HD_COLD void operator()(Index root) const {
    const Index arm = c.owner[root], match = match_of_arm(c, arm);
    const u32 slot = matched_slot(c, match);
    copy_parts(root, match, slot);
    if (is_last_arm(c, arm)) return;  // takes what the others leave
    const bool tested = tests(root, slot);
    if (const Index guard = guard_of(c, arm); guard != kNone) {
      if (tested) sink.skip_guard(guard);
      return;
    }
    if (!tested) sink.constant(Scalar::Bool, 1);
    sink.next_arm(arm);
  }
  // Emits what follows a guard.
  HD_COLD void after_guard(Index guard) const {
    const Index arm = c.owner[guard];
    if (is_last_arm(c, arm)) return sink.op(Op::Project, Scalar::None, 0, 1 << 16);
    sink.next_arm(arm);
  }

  // Tests whether the bytes that a slot refers to are those of a string. A StretchSink counts these instructions,
  // too.
  HD_COLD void equal_bytes(Index string, u32 reference, u32 count) const {
    sink.op(Op::LoadVar, reference_to(Scalar::U8), reference);
    sink.constant(Scalar::I64, 0);
    sink.op(Op::LoadRef, Scalar::U8, count);
    sink.text(string, count);
    sink.op(Op::EqCells, Scalar::U8, count, count << 16);
    sink.op(Op::Project, Scalar::None, 1, (1 + 2 * count) << 16 | 2 * count);
  }

 private:
  // Copies first to the last binding of a name, whatever its cells hold, then to it from the sides before, if these
  // take the value.
  HD void copy_parts(Index root, Index match, u32 slot) const {
    for (Index i = c.end[root]; i-- > c.begin[root];) {
      if (!is_pattern_name(c, i) || lies_together(c, i) || is_blank(c, i)) continue;
      const u32 last = last_of_name(c, c.ref[i]);
      if (last != c.ref[i] && sides_take(root, i, slot))
        sink.jump_over(2 * count_blocks(c, c.bind_type[last]));
      copy(root, i, match, slot, c.bind_slot[last]);
    }
  }
  HD void copy(Index root, Index i, Index match, u32 slot, u32 to) const {
    PatternPlace place;
    LocatePattern{c, place}(root, i, c.type[match]);
    u32 block = 0;
    for_each_block(c, place.type, [&](Scalar scalar, u32 count) {
      const u32 from = slot + place.offset[block++];
      if (count == 1) {
        sink.op(Op::LoadVar, scalar, from);
        sink.op(Op::StoreVar, scalar, to);
      } else {
        sink.op(Op::LoadVars, Scalar::None, from, count);
        sink.op(Op::StoreVars, Scalar::None, to, count);
      }
      to += count;
    });
  }
  // Tests whether all sides of the `|`s around a name take the value. Returns false if they always do; then nothing
  // is pushed.
  HD bool sides_take(Index root, Index name, u32 slot) const {
    bool tested = false;
    for (Index at = name; at != root; at = parent_of(c, at))
      if (node_kind(c, parent_of(c, at)) == Node::BitOr) tested = both(tested, tests(at, slot));
    return tested;
  }

  // Notes which operands are on the stack. The others are true.
  class Operands {
   public:
    HD void push(bool on_stack) {
      if (n_ < kMost)
        bits_[n_ / 64] = (bits_[n_ / 64] & ~(1ull << n_ % 64)) | static_cast<u64>(on_stack)
                                                                     << n_ % 64;
      ++n_;
    }
    HD bool pop() {
      --n_;
      return n_ < kMost && (bits_[n_ / 64] >> n_ % 64 & 1) != 0;
    }

   private:
    static constexpr u32 kMost = 256;
    u64 bits_[kMost / 64] = {};
    u32 n_ = 0;
  };

  // Emits the tests in post-order. Returns false if nothing is tested, and nothing pushed.
  HD bool tests(Index root, u32 slot) const {
    Operands operands;
    const u32 last = c.rank[root], size = c.end[root] - c.begin[root];
    for (u32 r = last + 1 - size; r <= last; ++r) {
      const Index i = c.order[r];
      const Context context = node_context(c, i);
      if (!is_in_arm(context) && context != Context::PatternUse) continue;
      switch (node_kind(c, i)) {
        case Node::Comma:
          if (c.right[i] != kNone) operands.push(both(operands.pop(), operands.pop()));
          break;
        case Node::Call: operands.push(both(operands.pop(), test(i, slot))); break;
        case Node::BitOr: operands.push(either(operands.pop(), operands.pop())); break;
        case Node::Paren:
        case Node::LeadingOr:
        case Node::Colon: break;
        default: operands.push(test(i, slot)); break;
      }
    }
    return operands.pop();
  }
  HD bool both(bool a, bool b) const {
    if (a && b) sink.op(Op::And, Scalar::Bool);
    return a || b;
  }
  // If one side takes every value, the answer of the other side does not matter.
  HD bool either(bool a, bool b) const {
    if (a && b) {
      sink.op(Op::Or, Scalar::Bool);
      return true;
    }
    if (a || b) sink.op(Op::Project, Scalar::None, 0, 1 << 16);
    return false;
  }
  HD bool test(Index i, u32 slot) const {
    const Node kind = node_kind(c, i);
    if (kind == Node::Spread || is_pattern_name(c, i)) return false;
    if (kind == Node::String) return text(i, slot);
    const u32 at = slot + first_cell(c, i);
    const Index ref = kind == Node::Call   ? Index{c.ref[c.left[i]]}
                      : kind == Node::Name ? Index{c.ref[i]}
                                           : kNone;
    if (ref < kBuiltinRef && c.bind_kind[ref] == BindKind::Constructor) {
      if (!is_sum(c, c.type[i])) return false;
      return compare(at, kTagScalar, Op::Eq, c.cell[i]);
    }
    if (is_option_constructor(ref)) return compare(at, kTagScalar, Op::Eq, c.cell[i]);
    const Scalar type = is_scalar(c.type[i]) ? as_scalar(c.type[i]) : Scalar::Bool;
    if (kind == Node::Name) {
      sink.op(Op::LoadVar, type, at);
      if (ref < kBuiltinRef)
        sink.constants_of(type, c.item[c.bind_node[ref]], 0, 1);
      else
        sink.constant(type,
                      builtin_cell(builtin_constant(ref - kBuiltinRef - kBuiltinCount), type));
      sink.op(Op::Eq, type);
      return true;
    }
    if (kind != Node::Range && kind != Node::RangeInclusive)
      return compare(at, type, Op::Eq, c.cell[i]);
    compare(at, type, Op::Ge, c.cell[c.left[i]]);
    compare(at, type, kind == Node::Range ? Op::Lt : Op::Le, c.cell[c.right[i]]);
    sink.op(Op::And, Scalar::Bool);
    return true;
  }
  // Tests the length of a list, then its bytes, which are zeros behind the length. The bytes of a slice are read
  // only if the length is right.
  HD bool text(Index i, u32 slot) const {
    const Index arm = c.owner[i];
    PatternPlace place;
    LocatePattern{c, place}(pattern_of(c, arm), i, c.type[match_of_arm(c, arm)]);
    u32 at = slot + place.offset[1];
    const u32 count = string_bytes(node_text(c, i), node_length(c, i), [](u8) {});
    compare(slot + place.offset[0], Scalar::I64, Op::Eq, count);
    if (is_slice(c, place.type)) {
      if (count != 0) referred_text(i, slot + place.offset[1], count);
      return true;
    }
    (void)string_bytes(node_text(c, i), node_length(c, i), [&](u8 byte) {
      compare(at++, Scalar::U8, Op::Eq, byte);
      sink.op(Op::And, Scalar::Bool);
    });
    return true;
  }
  // If the bool on top is true, replaces it by whether the bytes are those of the string.
  HD_COLD void referred_text(Index i, u32 reference, u32 count) const {
    Stretch<Sink> stretch;
    EmitPattern<typename Stretch<Sink>::Type>{c, stretch.sink}.equal_bytes(i, reference, count);
    sink.own_branch(stretch.counted.code + 1);
    equal_bytes(i, reference, count);
    sink.own_jump(1, 1);
    sink.constant(Scalar::Bool, 0);
  }
  HD bool compare(u32 slot, Scalar type, Op op, u64 cell) const {
    sink.op(Op::LoadVar, type, slot);
    sink.constant(type, cell);
    sink.op(op, type);
    return true;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

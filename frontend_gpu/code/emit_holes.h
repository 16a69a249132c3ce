// SPDX-License-Identifier: Apache-2.0
// The instructions of holes. Alternatives are arms that exclude each other, as in `if … else if … else`:
//
//   test 0 · JUMP_IF_FALSE a · first · JUMP end · a: test 1 · JUMP_IF_FALSE b · second · JUMP end · b: third · end:
//
// The instructions between two alternatives belong to the first of them (kAlternative). The first test belongs to
// the hole.
#pragma once
#include "frontend_gpu/code/emit_container.h"
#include "frontend_gpu/questions/holes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if another alternative follows this one.
HD bool makes_way(const Columns& c, Index alternative) {
  return (c.tails[alternative] & kAlternative) != 0;
}
// The alternative behind one that makes way.
HD_COLD Index alternative_behind(const Columns& c, Index alternative) {
  Index comma = parent_of(c, alternative);
  if (c.right[comma] == alternative) comma = parent_of(c, comma);
  return c.right[comma];
}
// The brackets behind the hole of a choice.
HD Index alternatives_of_choice(const Columns& c, Index hole) {
  return c.right[parent_of(c, hole)];
}

// The node that decides among alternatives: the hole of a choice, or the name of a space.
HD_COLD Index hole_of_alternatives(const Columns& c, Index list) {
  const Index above = parent_of(c, list);
  return node_kind(c, above) == Node::Index ? Index{c.left[above]}
                                            : Index{c.item_name[c.item[list]]};
}
// The instructions that ask whether an alternative is the chosen one, with the jump past it.
inline constexpr u32 kTestCode = 2;
// The instructions behind an alternative's value, without the jump to the end.
HD u32 code_behind_jump(const Columns& c, Index alternative) {
  if (!makes_way(c, alternative)) return 0;
  return makes_way(c, alternative_behind(c, alternative)) ? kTestCode : 0;
}

// The instructions behind an alternative's value.
HD u32 code_behind_alternative(const Columns& c, Index alternative) {
  return makes_way(c, alternative) ? 1 + code_behind_jump(c, alternative) : 0;
}

template <class Sink>
struct EmitHoles : EmitContainer<Sink> {
  using EmitContainer<Sink>::c, EmitContainer<Sink>::sink;

  // A number of a grid.
  HD_COLD void grid(Index call) const { sink.hole(as_scalar(c.type[call]), c.left[call], 0); }
  // The test for the first of several alternatives.
  HD_COLD void start(Index list) const {
    if (!holds_alternatives(c, list)) return;
    const Index first = first_alternative(c, list);
    if (makes_way(c, first)) test(list, first, 0);
  }
  // What stands behind an alternative's value.
  HD_COLD void tail(Index alternative) const {
    const Index behind = alternative_behind(c, alternative);
    const TypeId want = c.want[alternative];
    const u32 cells = is_value(want) ? type_cells(c, settled(want)) : 0;
    const Index list = alternatives_around(c, alternative);
    sink.end_alternative(list, cells);
    if (makes_way(c, behind)) test(list, behind, hole_alternative_number(c, behind));
  }
  // A hole without a decision: a trap, and zeros for the value.
  HD_COLD void unfilled(TypeId type) const {
    sink.op(Op::TrapNow, Scalar::None, static_cast<u32>(Trap::Hole));
    for_each_block(c, settled(type), [&](Scalar scalar, u32 cells) { this->zeros(scalar, cells); });
  }

 private:
  HD void test(Index list, Index alternative, u32 number) const {
    sink.hole(Scalar::Bool, hole_of_alternatives(c, list), number);
    sink.next_alternative(alternative);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

// SPDX-License-Identifier: Apache-2.0
// The holes of a sketch, by what stands behind `?name`:
//
//   ?n[a, b]               a choice: one of its alternatives
//   ?n(0.0..1.0, steps: 8) a grid: one of 8 numbers
//   ?n(real)               any number: a grid of all floats
//   ?s(x)                  an expression from `space s`, which is compiled as a function that is called
//   ?n                     free: it has the type that is expected, and its value is not known
//
// The braces of a space hold alternatives, as the brackets of a choice do.
#pragma once
#include "frontend_gpu/questions/comma_lists.h"
#include "frontend_gpu/text/literal.h"
#include "frontend_gpu/tree/real_word.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if the item is a space.
HD bool is_space(const Columns& c, Index item) {
  const Index name = c.item_name[item];
  return name != kNone && name != 0 && node_kind(c, name - 1) == Node::Space;
}

// Numbers of alternatives have 16 bits in code.
inline constexpr u32 kMaxAlternatives = 1u << 16;

// True for the node below which alternatives hang: the brackets of a choice, or the braces of a space.
HD bool holds_alternatives(const Columns& c, Index i) {
  return c.right[i] != kNone && node_context(c, c.right[i]) == Context::Alternatives;
}
// The brackets or braces around an alternative.
HD_COLD Index alternatives_around(const Columns& c, Index alternative) {
  return above_commas(c, alternative);
}
// The number of an alternative. Once types are known, the comma before the alternative keeps it.
HD_COLD u32 hole_alternative_number(const Columns& c, Index alternative) {
  const Index above = parent_of(c, alternative);
  const bool is_behind = node_kind(c, above) == Node::Comma && c.right[above] == alternative;
  return is_behind ? u32{c.ref[above]} : 0;
}
HD Index first_alternative(const Columns& c, Index list) {
  Index first = kNone;
  ElementsBackwards alternatives(c, list);
  for (Index e = alternatives.next(); e != kNone; e = alternatives.next()) first = e;
  return first;
}

// The numbers of a grid as they are written.
struct Grid {
  Index range = kNone, steps = kNone,
        log = kNone;    // the `..`; the values of `steps:` and `log:`
  Index real = kNone;   // the word `real`, which stands alone
  Index wrong = kNone;  // a part that does not belong in a grid
};
HD_COLD Grid grid_of(const Columns& c, Index call) {
  Grid grid;
  ElementsBackwards parts(c, c.right[call]);
  for (Index e = parts.next(); e != kNone; e = parts.next()) {
    const Node kind = node_kind(c, e);
    if (node_context(c, e) == Context::Skipped) {
      grid.wrong = e;
    } else if (kind == Node::Range || kind == Node::RangeInclusive) {
      if (grid.range != kNone) grid.wrong = grid.range;
      grid.range = e;
    } else if (kind == Node::Name) {
      (e == real_word(c, c.right[c.right[call]]) ? grid.real : grid.wrong) = e;
    } else {
      constexpr u64 kSteps = 0x73'7065'7473, kLog = 0x676F'6C;
      const Index name = c.left[e];
      const u64 text = load_text(node_text(c, name), node_length(c, name));
      const bool is_steps = node_length(c, name) == 5 && text == kSteps;
      const bool is_log = node_length(c, name) == 3 && text == kLog;
      Index& option = is_steps ? grid.steps : grid.log;
      const bool fits = (is_steps && node_kind(c, c.right[e]) == Node::Int) ||
                        (is_log && node_kind(c, c.right[e]) != Node::Int);
      if (!fits || option != kNone)
        grid.wrong = name;
      else
        option = c.right[e];
    }
  }
  return grid;
}
// An end of a grid: its literal, and whether a `-` stands before it. If the literal is missing, as in `--..3`, the
// last `-`.
struct GridEnd {
  Index literal;
  bool is_negative;
};
HD_COLD GridEnd grid_end(const Columns& c, Index i) {
  bool negative = false;
  while (node_kind(c, i) == Node::Neg && c.right[i] != kNone) {
    negative = !negative;
    i = c.right[i];
  }
  return {i, negative};
}
HD_COLD TypeId grid_end_type(const Columns& c, Index i) {
  const Node kind = node_kind(c, grid_end(c, i).literal);
  return kind == Node::Char    ? type_of(Scalar::U8)
         : kind == Node::Float ? kTypeFloatLiteral
                               : kTypeIntLiteral;
}
// An end as a cell of `type`, a type of numbers.
HD_COLD Literal grid_end_value(const Columns& c, Index i, Scalar type) {
  const GridEnd end = grid_end(c, i);
  const u8* const text = node_text(c, end.literal);
  const u32 length = node_length(c, end.literal);
  if (node_kind(c, end.literal) == Node::Char) return character_literal(text, length);
  return number_literal(node_kind(c, end.literal), text, length, type, end.is_negative);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES

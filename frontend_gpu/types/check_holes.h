// SPDX-License-Identifier: Apache-2.0
// check_types for holes: choices, grids, and free holes.
#pragma once
#include "frontend_gpu/questions/holes.h"
#include "frontend_gpu/questions/paths.h"
#include "frontend_gpu/types/expectations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct CheckHoles : Expectations<G> {
  using Base = Expectations<G>;
  using Base::c, Base::g;
  using Base::fail, Base::resolved, Base::settle;

  // A free hole has the type that is expected.
  HD_COLD void free(Index i) const {
    if (c.want[i] == kTypePending) report(g, c, i, DiagnosticCode::HoleType);
    refuse_in_constant(i);
  }
  HD_COLD void grid(Index i) const {
    refuse_in_constant(i);
    const Grid grid = grid_of(c, i);
    const TypeId type = resolved(i);
    if (type == kTypeError || grid.wrong != kNone || (grid.range == kNone && grid.real == kNone)) {
      c.type[i] = kTypeError;
      return;
    }
    const TypeId own = c.type[i];
    settle(i, type);
    if (c.type[i] == kTypeError || own == kTypeError || grid.real != kNone) return;
    const Scalar scalar = as_scalar(type);
    if (is_float(scalar))
      check_floats(i, grid, scalar);
    else
      check_integers(i, grid, scalar);
  }

  // Keeps the type that an alternative, or a list of alternatives, gives by itself, for describe_sketch.
  HD void keep_given(Index i) const {
    if (i != kNone) c.given[i] = c.type[i];
  }
  // Takes the `,` between two alternatives: the alternative before it makes way for the one behind it.
  HD_COLD void mark_alternative(Index comma) const {
    keep_given(c.left[comma]);
    keep_given(c.right[comma]);
    if (c.right[comma] == kNone) return;
    if (c.ref[comma] == kMaxAlternatives)
      report(g, c, c.right[comma], DiagnosticCode::TooManyAlternatives, kMaxAlternatives);
    const Index left = c.left[comma];
    const bool is_list = c.role[left] == Role::Alternatives;
    add_tail(c, is_list ? Index{c.right[left]} : left, kAlternative);
  }

  HD_COLD void refuse_in_constant(Index i) const {
    if (c.item_kind[c.item[i]] == ItemKind::Constant)
      report(g, c, i, DiagnosticCode::HoleInConstant);
  }

 private:
  // Finds the value of an end, and reports an end that has none.
  HD_COLD bool end_value(Index i, Scalar type, u64& cell) const {
    const Literal value = grid_end_value(c, i, type);
    cell = value.cell;
    if (value.error == DiagnosticCode::None) return true;
    report(g, c, grid_end(c, i).literal, value.error, type_brief(c, type_of(type)));
    return false;
  }
  HD_COLD void check_floats(Index i, const Grid& grid, Scalar type) const {
    if (grid.steps == kNone) return fail(i, DiagnosticCode::GridSteps);
    const Literal steps =
        integer_literal(node_text(c, grid.steps), node_length(c, grid.steps), Scalar::U32, false);
    const u64 least = node_kind(c, grid.range) == Node::RangeInclusive ? 2 : 1;
    if (steps.error != DiagnosticCode::None || steps.cell < least)
      return report(g, c, grid.steps, DiagnosticCode::GridPoints);
    u64 low = 0, high = 0;
    if (!end_value(c.left[grid.range], type, low) || !end_value(c.right[grid.range], type, high))
      return;
    if (grid.log == kNone || node_kind(c, grid.log) == Node::False) return;
    const u64 sign = 1ull << (scalar_bits(type) - 1);
    const auto is_positive = [&](u64 cell) { return cell != 0 && (cell & sign) == 0; };
    if (!is_positive(low) || !is_positive(high)) report(g, c, grid.range, DiagnosticCode::GridLog);
  }
  HD_COLD void check_integers(Index i, const Grid& grid, Scalar type) const {
    const Index option = grid.steps != kNone ? grid.steps : grid.log;
    if (option != kNone)
      return report(g, c, c.left[parent_of(c, option)], DiagnosticCode::GridIntegers);
    u64 low = 0, high = 0;
    if (!end_value(c.left[grid.range], type, low) || !end_value(c.right[grid.range], type, high))
      return;
    const bool inclusive = node_kind(c, grid.range) == Node::RangeInclusive;
    const bool rises =
        is_signed(type) ? static_cast<i64>(low) <= static_cast<i64>(high) : low <= high;
    const u64 points = high - low + (inclusive ? 1 : 0);
    const bool has_points = rises && points - 1 < 0xFFFF'FFFFu;
    if (!has_points) fail(i, DiagnosticCode::GridPoints);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

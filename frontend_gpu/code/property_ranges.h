// SPDX-License-Identifier: Apache-2.0
// Ranges of a property's parameters: `n: i64 in 1..1000`. Their ends are constants, whose code is an entry beside
// that of the property.
#pragma once
#include "frontend_gpu/code/constants.h"
#include "frontend_gpu/code/side_entries.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if no value lies in the range. A NaN is no end.
HD_COLD bool is_empty_range(Scalar type, const u64* ends, bool has_last) {
  return evaluate_operation({has_last ? Op::Le : Op::Lt, type, 0, 0}, ends).value == 0;
}

template <class G>
HD_COLD void check_range(G& g, Columns& c, u32 bind, Index range, Column<u8> states) {
  EvaluateSink sink{c, states, 0, 0};
  if (run_constant(g, c, range, sink) != kConstantKnown) return;
  if (is_empty_range(as_scalar(c.bind_type[bind]), sink.stack, sink.stack[2] != 0))
    report(g, c, range, DiagnosticCode::EmptyRange);
}

// Needs the values of constants; `states` says what became of each.
template <class G>
HD void check_ranges(G& g, Columns& c, Column<u8> states) {
  if (c.traps == 0) return;
  g.once([&] {
    for (u32 b = 0; b < c.binds; ++b)
      if (const Index range = range_of_parameter(c, b); range != kNone)
        check_range(g, c, b, range, states);
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES

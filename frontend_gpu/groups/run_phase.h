// SPDX-License-Identifier: Apache-2.0
// What each phase is, written once for every group.
#pragma once
#include "frontend_gpu/code/headers.h"
#include "frontend_gpu/groups/phases.h"
#include "frontend_gpu/groups/pipeline.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
HD void run_find_tokens(G& g, Columns& c, PhaseValues& v) {
  v.tokens_fit = find_tokens(g, c, v.token_limit);
}
template <class G>
HD void run_classify_tokens(G& g, Columns& c, PhaseValues& v) {
  const HashSum sum = classify_tokens(g, c, tables());
  v.hash_low = sum.low;
  v.hash_high = sum.high;
}
template <class G>
HD void run_write_code(G& g, Columns& c, PhaseValues& v) {
  const CodeCounts counts = write_code(g, c);
  v.functions = counts.functions;
  v.traps = counts.traps;
  v.constants = counts.constants;
}
template <class G>
HD void run_finish_code(G& g, Columns& c, PhaseValues& v) {
  evaluate_constants(g, c, c.item_constant_state);
  check_ranges(g, c, c.item_constant_state);
  bound_recursion(g, c);
  if (c.flags[kFailed] != 0) return;
  move_limits(g, c);
  if (c.flags[kContainers] != 0) hoist_arguments(g, c);
  find_entries(g, c);
  fill_places(g, c);
  v.header_sizes = count_headers(g, c);
}
template <class G>
HD void run_write_headers(G& g, Columns& c, PhaseValues& v) {
  write_headers(g, c, v.functions, v.functions + v.traps, v.header_rows);
}

template <class G>
HD void run_phase(G& g, Columns& c, Phase phase, PhaseValues& v) {
  switch (phase) {
    case Phase::FindTokens: return run_find_tokens(g, c, v);
    case Phase::ClassifyTokens: return run_classify_tokens(g, c, v);
    case Phase::Analyse: return analyse(g, c, tables());
    case Phase::WriteCode: return run_write_code(g, c, v);
    case Phase::FinishCode: return run_finish_code(g, c, v);
    case Phase::WriteHeaders: return run_write_headers(g, c, v);
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES

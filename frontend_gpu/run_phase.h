// SPDX-License-Identifier: Apache-2.0
// What each phase is, written once for every group.
#pragma once
#include "frontend_gpu/phases.h"
#include "frontend_gpu/pipeline.h"

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
HD void run_place_code(G& g, Columns& c, PhaseValues& v) {
  const CodeCounts counts = place_code(g, c);
  v.functions = counts.functions;
  v.traps = counts.traps;
  v.constants = counts.constants;
}
template <class G>
HD void run_evaluate_constants(G& g, Columns& c, PhaseValues& v) {
  evaluate_constants(g, c, v.pool, c.item_known);
  bound_recursion(g, c, v.pool);
}
template <class G>
HD void run_write_code(G& g, Columns& c, PhaseValues& v) {
  move_limits(g, c);
  find_entries(g, c);
  write_code(g, c, WriteSink{c, v.instructions, v.places, v.pool, v.functions});
}

template <class G>
HD void run_phase(G& g, Columns& c, Phase phase, PhaseValues& v) {
  switch (phase) {
    case Phase::FindTokens: return run_find_tokens(g, c, v);
    case Phase::ClassifyTokens: return run_classify_tokens(g, c, v);
    case Phase::Analyse: return analyse(g, c, tables());
    case Phase::PlaceCode: return run_place_code(g, c, v);
    case Phase::EvaluateConstants: return run_evaluate_constants(g, c, v);
    case Phase::WriteCode: return run_write_code(g, c, v);
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES

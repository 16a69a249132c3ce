// SPDX-License-Identifier: Apache-2.0
// The phases on the serial group, each in one function. `flatten` forces the functors to be inlined. A functor that
// is not inlined costs a call for each element, and no compiler warns of it.
#pragma once
#include "frontend_gpu/wide/wide_code.h"
#include "frontend_gpu/wide/wide_layout.h"
#include "frontend_gpu/wide/wide_lex.h"
#include "frontend_gpu/wide/wide_lists.h"
#include "frontend_gpu/wide/wide_names.h"
// The wide forms of passes come first, so that the phases find them.
#include "frontend_gpu/groups/run_phase.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

#ifdef KOMUZ_COMPACT_PASSES
using PhaseColumns = Columns&;
#else
// The phases work on a local copy of the columns. A store of a byte may change any memory whose address has
// escaped; the optimiser knows that it cannot change the copy, and keeps the copy's pointers in registers.
using PhaseColumns = Columns;
#endif

class SerialPhases {
 public:
  void run(Phase phase, Columns& c, PhaseValues& v) {
    group_.use(v.meter);
    switch (phase) {
      case Phase::FindTokens: run_find_tokens(group_, c, v); break;
      case Phase::ClassifyTokens: classify(c, v); break;
      case Phase::Analyse: analyse_all(c); break;
      case Phase::WriteCode: write(c, v); break;
      case Phase::FinishCode: run_finish_code(group_, c, v); break;
      case Phase::WriteHeaders: run_write_headers(group_, c, v); break;
    }
  }

 private:
  __attribute__((flatten, noinline)) void classify(Columns& shared, PhaseValues& v) {
    PhaseColumns c = shared;
    run_classify_tokens(group_, c, v);
  }
  __attribute__((flatten, noinline)) void analyse_all(Columns& shared) {
    PhaseColumns c = shared;
    analyse(group_, c, tables());
    static_cast<ColumnCounts&>(shared) = c;
  }
  __attribute__((flatten, noinline)) void write(Columns& shared, PhaseValues& v) {
    PhaseColumns c = shared;
    run_write_code(group_, c, v);
    static_cast<ColumnCounts&>(shared) = c;
  }

  MeteredGroup group_{has_wide_vectors()};
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

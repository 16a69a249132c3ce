// SPDX-License-Identifier: Apache-2.0
#include "engine/scores/score_loops.h"

namespace komuz::engine {

const ScoreLoops& score_loops_portable();
const ScoreLoops& score_loops_avx2();
const ScoreLoops& score_loops_avx512();

const ScoreLoops& score_loops(SimdLevel level) {
  switch (level) {
    case SimdLevel::Portable: return score_loops_portable();
    case SimdLevel::Avx2: return score_loops_avx2();
    case SimdLevel::Avx512: return score_loops_avx512();
  }
  return score_loops_portable();
}

}  // namespace komuz::engine

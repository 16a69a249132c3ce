// SPDX-License-Identifier: Apache-2.0
#include "engine/score_loops.h"

namespace komuz::engine {

const ScoreLoops& score_loops_portable();
const ScoreLoops& score_loops_avx2();
const ScoreLoops& score_loops_avx512();

const ScoreLoops& score_loops(vm::SimdLevel level) {
  switch (level) {
    case vm::SimdLevel::Portable: return score_loops_portable();
    case vm::SimdLevel::Avx2: return score_loops_avx2();
    case vm::SimdLevel::Avx512: return score_loops_avx512();
  }
  return score_loops_portable();
}

}  // namespace komuz::engine

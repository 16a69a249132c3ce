// SPDX-License-Identifier: Apache-2.0
#include "engine/scores/score_loops_body.h"

namespace komuz::engine {

const ScoreLoops& score_loops_avx2() { return kScoreLoops; }

}  // namespace komuz::engine

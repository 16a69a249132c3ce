// SPDX-License-Identifier: Apache-2.0
// Works portion by portion: one worker writes the last portion while the others make the next one, and joins them
// once it has written. With enough workers the whole takes as long as writing alone.
#include "engine/support/write_pieces.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace komuz::engine {

void write_pieces(WorkerPool& pool, u32 count, const MakePiece& make, const WritePiece& write) {
  // Enough pieces that a round costs far more than waking the workers for it.
  constexpr u32 kPiecesAWorker = 8;
  const u32 portion = pool.size() * kPiecesAWorker;
  std::vector<std::string> made(std::min(portion, count)), ready;
  bool is_wanted = true;
  for (u32 begin = 0; is_wanted && (begin < count || !ready.empty());) {
    const u32 pieces = std::min(portion, count - begin);
    made.resize(pieces);
    pool.run(pieces + 1, [&](u32, u32 index) {
      if (index != 0) {
        made[index - 1].clear();
        return make(begin + index - 1, made[index - 1]);
      }
      for (size_t k = 0; k < ready.size() && is_wanted; ++k) is_wanted = write(ready[k]);
    });
    begin += pieces;
    std::swap(made, ready);
  }
}

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/run/read_epoch.h"

#include <algorithm>

namespace komuz::engine {

Problem EpochReader::read_more(CandidateSource& source, u32 most, const See& see) {
  const size_t own = batch_.rows.size();
  const Shard& shard = options_.programs.shard;
  for (;;) {
    const u64 left =
        shard.of == 1 ? most - batch_.rows.size() : Shard::kBlock - position_ % Shard::kBlock;
    const bool is_own = shard.has(position_);
    if (!is_own) others_.clear();
    CandidateBatch& batch = is_own ? batch_ : others_;
    const size_t before = batch.rows.size();
    source.read(batch, std::min<u64>(left, most - (is_own ? before : 0)));
    if (stop_.stop_requested()) {
      if (own == 0)
        dropped_.swap(batch_.rows);
      else
        batch_.rows.resize(own);
      return {};
    }
    const std::span<Candidate> read = std::span(batch.rows).subspan(before);
    for (Candidate& candidate : read)
      if (Problem error = see(candidate, is_own)) return error;
    position_ += read.size();
    // A stream is answered as it is written, unless the size of epochs shows in the results. The first candidate
    // gives the signature, so no later block is read until the signature is known.
    const bool answers = shard.of == 1 ? options_.ranking.cut_off == 0 : !results_.typed;
    const bool is_full = answers || batch_.rows.size() == most;
    if (read.empty() || (is_full && batch_.rows.size() != own)) return {};
  }
}

}  // namespace komuz::engine

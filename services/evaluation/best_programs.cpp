// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/best_programs.h"

#include <algorithm>
#include <utility>

namespace komuz::services {

void BestPrograms::read(engine::CandidateBatch& batch, size_t most) {
  const size_t known = batch.rows.size();
  source_.read(batch, most);
  const std::scoped_lock lock(mutex_);
  for (size_t k = known; k < batch.rows.size(); ++k)
    waiting_.push_back({std::string(batch.rows[k].id), std::string(batch.rows[k].source)});
}

void BestPrograms::on_result(const engine::Results& results, u32 row) {
  RankedProgram program;
  {
    const std::scoped_lock lock(mutex_);
    program = std::move(waiting_.front());
    waiting_.pop_front();
  }
  const engine::ResultRow& r = results.rows[row];
  if (r.scored && r.duplicate_of == engine::kNone) {
    const engine::RankKey key = engine::rank_key(results.score, r);
    // Rows with equal keys are in input order.
    const auto at = std::ranges::upper_bound(best_, key, {}, &Kept::key);
    if (at != best_.end() || best_.size() < most_) {
      if (const engine::FixedSource* const fixed = results.fixed_source(row))
        program.text = fixed->text;
      program.id = results.id(row);  // a number, where it has no id
      best_.insert(at, {key, std::move(program)});
      if (best_.size() > most_) best_.pop_back();
    }
  }
  sink_.on_result(results, row);
}

std::vector<RankedProgram> BestPrograms::programs() const {
  std::vector<RankedProgram> programs;
  for (const Kept& kept : best_) programs.push_back(kept.program);
  return programs;
}

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/rank_requests.h"

#include <vector>

#include "engine/results/report.h"

namespace komuz::cli {

void RankRequests::ask(const engine::RankRequest& request) {
  if (request.before <= rows_)
    answer(request);
  else
    waiting_.push_back(request);
}

void RankRequests::on_row(const engine::Results& results, u32 row) {
  results_ = &results;
  ++rows_;
  const engine::ResultRow& r = results.rows[row];
  const engine::RankKey key = engine::rank_key(results.score, r);
  if (r.duplicate_of == engine::kNone && key.first != engine::kUnranked) {
    best_.emplace(key, row);
    if (best_.size() > engine::kMostRankRequest) best_.erase(std::prev(best_.end()));
    add_behaviour(r.behaviour, {key, row});
  }
  for (; !waiting_.empty() && waiting_.front().before <= rows_; waiting_.pop_front())
    answer(waiting_.front());
}

// One that is not among the best any more comes back with a better program alone, which is then as new as any.
void RankRequests::add_behaviour(u64 behaviour, const Ranked& ranked) {
  const auto [known, is_new] = by_behaviour_.try_emplace(behaviour, ranked);
  if (!is_new) {
    if (known->second < ranked) return;
    behaviours_.erase(known->second);
    known->second = ranked;
  }
  behaviours_.insert(ranked);
  if (behaviours_.size() <= engine::kMostRankRequest) return;
  const Ranked last = *behaviours_.rbegin();
  behaviours_.erase(last);
  std::erase_if(by_behaviour_, [&](const auto& entry) { return entry.second == last; });
}

void RankRequests::answer(const engine::RankRequest& request) {
  has_answered_ = true;
  std::vector<u32> rows;
  for (const Ranked& ranked : request.is_distinct ? behaviours_ : best_) {
    if (rows.size() == request.most) break;
    rows.push_back(ranked.second);
  }
  std::string line;
  const engine::Results none;
  engine::write_ranking_json(line, results_ == nullptr ? none : *results_, rows, rows_, request.id);
  out_.write(line + '\n');
  out_.flush();
}

}  // namespace komuz::cli

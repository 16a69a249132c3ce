// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/rank_requests.h"

#include <algorithm>
#include <iterator>
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

// A behaviour that left the best can only come back with a better program, and then counts as new.
void RankRequests::add_behaviour(u64 behaviour, const Ranked& ranked) {
  // In a long run this is the case for most rows.
  const bool is_full = behaviours_.size() == engine::kMostRankRequest;
  if (is_full && std::prev(behaviours_.end())->first < ranked) return;
  const auto [known, is_new] = by_behaviour_.try_emplace(behaviour, ranked);
  if (!is_new) {
    if (known->second < ranked) return;
    behaviours_.erase(known->second);
    known->second = ranked;
  }
  behaviours_.emplace(ranked, behaviour);
  if (behaviours_.size() <= engine::kMostRankRequest) return;
  const auto last = std::prev(behaviours_.end());
  by_behaviour_.erase(last->second);
  behaviours_.erase(last);
}

void RankRequests::answer(const engine::RankRequest& request) {
  has_answered_ = true;
  std::vector<u32> rows;
  const auto take = [&](const Ranked& ranked) {
    if (rows.size() < request.most) rows.push_back(ranked.second);
  };
  if (request.is_distinct)
    std::ranges::for_each(behaviours_, take, &std::pair<const Ranked, u64>::first);
  else
    std::ranges::for_each(best_, take);
  std::string line;
  const engine::Results none;
  engine::write_ranking_json(line, results_ == nullptr ? none : *results_, rows, rows_, request.id);
  out_.write(line + '\n');
  out_.flush();
}

}  // namespace komuz::cli

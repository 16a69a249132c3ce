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
  }
  for (; !waiting_.empty() && waiting_.front().before <= rows_; waiting_.pop_front())
    answer(waiting_.front());
}

void RankRequests::answer(const engine::RankRequest& request) {
  std::vector<u32> rows;
  for (auto at = best_.begin(); at != best_.end() && rows.size() < request.most; ++at)
    rows.push_back(at->second);
  std::string line;
  const engine::Results none;
  engine::write_ranking_json(line, results_ == nullptr ? none : *results_, rows, rows_, request.id);
  out_.write(line + '\n');
  out_.flush();
}

}  // namespace komuz::cli

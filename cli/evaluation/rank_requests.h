// SPDX-License-Identifier: Apache-2.0
// Answers requests between the candidates of a stream, `{"rank": 10}`: the best programs so far, as a line among the
// results, behind the results of all earlier candidates.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <string>

#include "cli/terminal/terminal.h"
#include "engine/candidates/candidates.h"
#include "engine/results/results.h"

namespace komuz::cli {

class RankRequests {
 public:
  explicit RankRequests(Stream& out) : out_(out) {}

  // Called on the thread that calls on_row.
  void ask(const engine::RankRequest& request);
  // A row has been written; rows come in input order.
  void on_row(const engine::Results& results, u32 row);
  [[nodiscard]] bool has_answered() const { return has_answered_; }

 private:
  using Ranked = std::pair<engine::RankKey, u32>;

  void answer(const engine::RankRequest& request);
  void add_behaviour(u64 behaviour, const Ranked& ranked);

  Stream& out_;
  const engine::Results* results_ = nullptr;  // null: there is no row yet
  u64 rows_ = 0;
  // Rows of distinct programs that were run, in the order of the ranking; at most as many as a request may ask for.
  std::set<Ranked> best_;
  // The same for behaviours, each by its best program.
  std::map<Ranked, u64> behaviours_;
  std::map<u64, Ranked> by_behaviour_;
  bool has_answered_ = false;
  std::deque<engine::RankRequest> waiting_;
};

}  // namespace komuz::cli

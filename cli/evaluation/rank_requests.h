// SPDX-License-Identifier: Apache-2.0
// Answers what a stream asks for between its candidates, `{"rank": 10}`: the best programs so far, as a line of their own
// among the results, behind those of the candidates before it.
#pragma once
#include <deque>
#include <set>
#include <string>

#include "cli/terminal/terminal.h"
#include "engine/candidates/candidates.h"
#include "engine/results/results.h"

namespace komuz::cli {

class RankRequests {
 public:
  explicit RankRequests(Stream& out) : out_(out) {}

  // On the thread that on_row is called on.
  void ask(const engine::RankRequest& request);
  // A row has been written; rows come in input order.
  void on_row(const engine::Results& results, u32 row);

 private:
  void answer(const engine::RankRequest& request);

  Stream& out_;
  const engine::Results* results_ = nullptr;  // none: there is no row yet
  u64 rows_ = 0;
  // Rows of distinct programs that were run, as they are ranked: no more of them than may be asked for.
  std::set<std::pair<engine::RankKey, u32>> best_;
  std::deque<engine::RankRequest> waiting_;
};

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
// `--tier` of commands that rank programs, and what is said of it in the end.
#pragma once
#include "cli/process/args.h"
#include "cli/terminal/terminal.h"
#include "neural/tier/tier.h"
#include "services/options/evaluation_options.h"

namespace komuz::cli {

using services::kRankingStatsOption;
using services::kTierOption;

class TierRun {
 public:
  // What the options say; `args` may be in error afterwards.
  TierRun(Args& args, Terminal& terminal);
  ~TierRun() { tell(); }
  TierRun(const TierRun&) = delete;
  TierRun& operator=(const TierRun&) = delete;

  // Says what `--stats` asks for, and what was wrong; once. The end does it, but for an end of the process.
  void tell();
  // Null: programs run as they are.
  [[nodiscard]] engine::CheaperCode* cheaper() {
    return tier_.choice() == neural::TierChoice::Traditional ? nullptr : &tier_;
  }

 private:
  Terminal& terminal_;
  neural::Tier tier_;
  bool says_stats_, has_told_ = false;
};

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/tier_run.h"

#include <utility>

#include "base/counts.h"
#include "neural/decode/open_model.h"
#include "services/options/environment.h"
#include "services/results/tier_text.h"

namespace komuz::cli {
namespace {

neural::TierChoice choice_of(Args& args) {
  const std::string_view usual = services::environment_value("KOMUZ_TIER");
  return static_cast<neural::TierChoice>(
      args.choice(kTierOption.name, usual.empty() ? "hybrid" : usual));
}

}  // namespace

TierRun::TierRun(Args& args, Terminal& terminal)
    : terminal_(terminal),
      tier_(choice_of(args)),
      says_stats_(args.has(kRankingStatsOption.name) && args.error().empty()) {}

void TierRun::tell() {
  if (std::exchange(has_told_, true)) return;
  if (const u64 faults = tier_.totals().faults; faults != 0)
    terminal_.warning(
        "cheaper code of " + counted(faults, "program") + " was wrong, which is a fault of Komuz",
        "what was seen to be wrong ran again as it is; run again with `--tier traditional`, as "
        "other "
        "programs may have had such code, too");
  if (says_stats_) {
    terminal_.err.write(services::tier_text(tier_));
  } else if (tier_.choice() == neural::TierChoice::Neural && tier_.wanted_model()) {
    const Result<const neural::Model*> model = neural::open_model();
    if (const Problem& problem = model.problem())
      terminal_.warning("`--tier neural` has no model: " + problem.text(), {});
  }
}

}  // namespace komuz::cli

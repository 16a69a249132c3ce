// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/native_run.h"

#include <algorithm>
#include <utility>

#include "base/counts.h"
#include "services/options/environment.h"
#include "services/results/native_text.h"

namespace komuz::cli {
namespace {

engine::NativeChoice choice_of(Args& args) {
  const std::string_view usual = services::environment_value("KOMUZ_NATIVE");
  return static_cast<engine::NativeChoice>(
      args.choice(kNativeOption.name, usual.empty() ? "auto" : usual));
}

}  // namespace

NativeRun::NativeRun(Args& args, Terminal& terminal)
    : terminal_(terminal),
      tier_(std::make_unique<engine::NativeTier>(choice_of(args))),
      says_stats_(args.has(kStatsOption.name) && args.error().empty()) {}

NativeRun::~NativeRun() {
  tell();
  // LLVM cannot be stopped: the process ends without it.
  if (tier_->is_compiling()) {
    static_cast<void>(tier_.release());
    terminal_.ends_at_once = true;
  }
}

void NativeRun::tell() {
  if (std::exchange(has_told_, true)) return;
  constexpr size_t kMost = 3;
  const std::vector<std::string> reasons = tier_->reasons();
  if (tier_->choice() == engine::NativeChoice::Always) {
    for (size_t k = 0; k < std::min(kMost, reasons.size()); ++k)
      terminal_.warning(reasons[k], "the virtual machines ran it, with the same results");
    if (reasons.size() > kMost)
      terminal_.note("there were " + counted(reasons.size() - kMost, "more reason") +
                     " why something was not machine code");
  }
  // Who asks for a map or a cache is told of what became of it, but for --stats, which says it, too.
  const std::vector<std::string> notes = says_stats_ ? std::vector<std::string>() : tier_->notes();
  for (size_t k = 0; k < std::min(kMost, notes.size()); ++k)
    terminal_.warning(notes[k], "the results are the same");
  if (says_stats_) terminal_.err.write(services::native_text(*tier_));
}

}  // namespace komuz::cli

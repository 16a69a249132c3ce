// SPDX-License-Identifier: Apache-2.0
// The phases on the cooperative group under the lockstep emulator: every lane runs them over its own copy of the columns'
// pointers and counts. The lanes must come to the same counts.
#define KOMUZ_CHECKED_PASSES
#include <string>

#include "base/group/arena.h"
#include "base/group/coop.h"
#include "base/group/emulated_machine.h"
#include "base/group/race.h"
#include "frontend_gpu/run_phase.h"

namespace komuz::frontend {

namespace {

// What a lane knows behind a phase.
struct LaneResult {
  Columns columns;
  PhaseValues values;

  [[nodiscard]] bool agrees(const LaneResult& other) const {
    const Columns &a = columns, &b = other.columns;
    const PhaseValues &v = values, &w = other.values;
    return a.tokens == b.tokens && a.nodes == b.nodes && a.brackets == b.brackets &&
           a.binds == b.binds && a.uses == b.uses && a.head_mask == b.head_mask &&
           a.items == b.items && a.traps == b.traps && a.functions == b.functions &&
           a.entries == b.entries && v.tokens_fit == w.tokens_fit && v.hash_low == w.hash_low &&
           v.hash_high == w.hash_high && v.functions == w.functions && v.traps == w.traps &&
           v.constants == w.constants;
  }
};

class EmulatedRunner final : public PhaseRunner {
 public:
  explicit EmulatedRunner(u64 seed) : lockstep_(seed), races_(lockstep_) {}

  bool run(Phase phase, void* columns, PhaseValues& values) override {
    Columns& c = *static_cast<Columns*>(columns);
    const CoopScratch scratch = make_scratch(phase == Phase::FindTokens ? 0 : 3 * (c.tokens + 8));
    watch(phase, c, values.extents);
    LaneResult results[Lockstep::kLanes];
    fault_ = lockstep_.run([&](u32 lane) {
      LaneResult& own = results[lane];
      own = {c, values};
      CoopGroup<EmulatedMachine> group(EmulatedMachine(lockstep_, lane), scratch);
      run_phase(group, own.columns, phase, own.values);
    });
    if (!fault_.empty()) return false;
    for (const LaneResult& result : results)
      if (!result.agrees(results[0])) fault_ = "lanes come to different counts";
    c = results[0].columns;
    values = results[0].values;
    return fault_.empty();
  }
  [[nodiscard]] std::string_view fault() const override { return fault_; }

 private:
  // The source's columns are new in the first phase, those of nodes once there are tokens.
  void watch(Phase phase, const Columns& c, std::span<const ColumnExtent> extents) {
    RaceDetector::current = &races_;
    if (phase == Phase::FindTokens) {
      races_.clear();
      known_ = 0;
    }
    races_.add(extents.subspan(known_));
    known_ = extents.size();
    if (phase == Phase::FindTokens) races_.mark_written(c.flags.unchecked(), kFlags);
  }
  CoopScratch make_scratch(u32 capacity) {
    const size_t bytes = CoopScratch::bytes(capacity);
    u8* const memory = memory_.reserve(bytes);
    std::memset(memory, 0xCD, bytes);
    return CoopScratch::in(reinterpret_cast<u32*>(memory), capacity);
  }

  Lockstep lockstep_;
  RaceDetector races_;
  size_t known_ = 0;  // columns
  Arena memory_;
  std::string fault_;
};

}  // namespace

std::unique_ptr<PhaseRunner> emulated_runner(u64 seed) {
  return std::make_unique<EmulatedRunner>(seed);
}

}  // namespace komuz::frontend

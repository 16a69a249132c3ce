// SPDX-License-Identifier: Apache-2.0
// The phases on the cooperative group under the lockstep emulator. Every lane runs them over its own copy of the
// columns' pointers and counts, and all lanes must come to the same counts.
#include "frontend_gpu/groups/checked_passes.h"
// checked_passes.h has to stand before all other includes.
#include <string>

#include "base/group/arena.h"
#include "base/group/coop.h"
#include "base/group/emulated_machine.h"
#include "base/group/race.h"
#include "frontend_gpu/groups/emulated_groups.h"
#include "frontend_gpu/groups/emulated_runner.h"
#include "frontend_gpu/groups/run_phase.h"

namespace komuz::frontend {

namespace {

// What a lane knows after a phase.
struct LaneResult {
  Columns columns;
  PhaseValues values;

  [[nodiscard]] bool agrees(const LaneResult& other) const {
    const Columns &a = columns, &b = other.columns;
    const PhaseValues &v = values, &w = other.values;
    return a.tokens == b.tokens && a.nodes == b.nodes && a.brackets == b.brackets &&
           a.binds == b.binds && a.uses == b.uses && a.head_mask == b.head_mask &&
           a.items == b.items && a.traps == b.traps && a.functions == b.functions &&
           a.entries == b.entries && a.constant_items == b.constant_items && a.open == b.open &&
           v.tokens_fit == w.tokens_fit && v.hash_low == w.hash_low && v.hash_high == w.hash_high &&
           v.functions == w.functions && v.traps == w.traps && v.constants == w.constants &&
           v.header_sizes == w.header_sizes;
  }
};

class EmulatedRunner final : public EmulatedPhases {
 public:
  explicit EmulatedRunner(u64 seed) : lockstep_(seed), races_(lockstep_) {}

  bool run(Phase phase, ColumnCounts& columns, PhaseValues& values) override {
    Columns& c = static_cast<Columns&>(columns);
    RaceDetector::current = &races_;
    if (phase == Phase::FindTokens) begin_program();
    if (phase == Phase::ClassifyTokens) make_scratch(3 * (c.tokens + 8));
    races_.add(values.extents.subspan(known_));
    known_ = values.extents.size();
    if (phase == Phase::FindTokens) races_.mark_written(c.flags.unchecked(), kFlags);
    LaneResult results[Lockstep::kWarpLanes];
    fault_ = lockstep_.run([&](u32 lane) {
      LaneResult& own = results[lane];
      own = {c, values};
      CoopGroup<EmulatedMachine, Scratch> group(EmulatedMachine(lockstep_, lane), scratch_);
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
  [[nodiscard]] const std::vector<Site>& barrier_sites() const override {
    return lockstep_.barrier_sites();
  }
  void leave_out(std::optional<Site> site) override { lockstep_.leave_out(site); }

 private:
  using Scratch = ScratchOf<CheckedPointer>;

  void begin_program() {
    races_.clear();
    known_ = 0;
    scratch_ = {};
  }
  // Makes room for the nodes of `capacity` tokens. The room is kept until the next program.
  void make_scratch(u32 capacity) {
    const size_t bytes = Scratch::bytes(capacity), n = size_t{capacity} + 1;
    const size_t blocks = Scratch::blocks(capacity);
    u8* const memory = memory_.reserve(bytes);
    std::memset(memory, 0xCD, bytes);
    scratch_ = Scratch::in(reinterpret_cast<u32*>(memory), capacity);
    const u8* at = memory;
    const auto extent = [&at](const char* name, size_t cells) {
      at += 4 * cells;
      return ColumnExtent{name, at - 4 * cells, cells, 4};
    };
    const ColumnExtent extents[] = {
        extent("scratch.before", n),        extent("scratch.low", blocks),
        extent("scratch.low_even", blocks), extent("scratch.left", n),
        extent("scratch.right", n),         extent("scratch.done", n)};
    races_.add(extents);
  }

  Lockstep lockstep_;
  RaceDetector races_;
  Scratch scratch_{};
  size_t known_ = 0;  // columns
  Arena memory_;
  std::string fault_;
};

}  // namespace

std::unique_ptr<EmulatedPhases> emulated_phases(u64 seed) {
  return std::make_unique<EmulatedRunner>(seed);
}
std::unique_ptr<PhaseRunner> emulated_runner(u64 seed) { return emulated_phases(seed); }

}  // namespace komuz::frontend

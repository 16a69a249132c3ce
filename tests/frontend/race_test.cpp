// SPDX-License-Identifier: Apache-2.0
// The race detector: what it reports as a race and what it does not; and the passes with each barrier removed in
// turn.
#include <gtest/gtest.h>

#include "base/group/checked_pointer.h"
#include "base/group/coop.h"
#include "base/group/emulated_machine.h"
#include "frontend_gpu/columns/workspace.h"
#include "frontend_gpu/groups/emulated_runner.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {
namespace {

// Runs `body(group, column, machine)` on all lanes over one column of 100 cells, the first 50 of
// them written by the host.
template <class Body>
std::string fault_of(Body body) {
  Lockstep lockstep(1);
  RaceDetector races(lockstep);
  RaceDetector::current = &races;
  std::vector<u32> memory(100, 0);
  const ColumnExtent extent{"numbers", reinterpret_cast<const u8*>(memory.data()), 100, 4};
  races.add({&extent, 1});
  races.mark_written(memory.data(), 50);
  const CheckedPointer<u32> column(memory.data());
  std::string fault = lockstep.run([&](u32 lane) {
    EmulatedMachine machine(lockstep, lane);
    CoopGroup<EmulatedMachine> g(machine, CoopScratch{});
    g.once([] {});
    body(g, column, machine);
  });
  RaceDetector::current = nullptr;
  return fault;
}
#define EXPECT_FAULT(fault, part) \
  EXPECT_NE((fault).find(part), std::string::npos) << '"' << (fault) << '"'

TEST(Race, EachItsOwnCellIsNone) {
  EXPECT_EQ(fault_of([](auto& g, auto numbers, auto&) {
              g.for_each(100, [&](u32 i) { numbers[i] = i; });
              g.for_each(100, [&](u32 i) { (void)u32{numbers[99 - i]}; });
              g.for_each(100, [&](u32 i) { numbers[99 - i] += i; });
            }),
            "");
}
TEST(Race, AtomicsOnOneCellAreNone) {
  EXPECT_EQ(fault_of([](auto& g, auto numbers, auto&) {
              g.for_each(100, [&](u32 i) { g.max_into(numbers[7], i); });
              g.for_each(100, [&](u32) { (void)u32{numbers[7]}; });
            }),
            "");
}
TEST(Race, TwoLanesThatWriteOneCell) {
  const std::string fault =
      fault_of([](auto& g, auto numbers, auto&) { g.for_each(100, [&](u32) { numbers[7] = 1; }); });
  EXPECT_FAULT(fault, "numbers[7]: lane ");
  EXPECT_FAULT(fault, " writes what lane ");
  EXPECT_FAULT(fault, ", behind once 0 at race_test.cpp:");
}
TEST(Race, AWriteAndAReadOfOneCell) {
  EXPECT_FAULT(fault_of([](auto& g, auto numbers, auto&) {
                 g.for_each(40, [&](u32 i) { numbers[i] = u32{numbers[i + 1]}; });
               }),
               "numbers[");
}
TEST(Race, AnAtomicAndAPlainRead) {
  EXPECT_FAULT(fault_of([](auto& g, auto numbers, auto&) {
                 g.for_each(40, [&](u32 i) {
                   if (i == 3) (void)u32{numbers[9]};
                   if (i == 4) g.raise(numbers[9]);
                 });
               }),
               "numbers[9]");
}
TEST(Race, AShuffleIsNoBarrier) {
  EXPECT_FAULT(fault_of([](auto&, auto numbers, auto& machine) {
                 if (machine.lane() == 5) numbers[0] = 1;
                 (void)machine.ballot(true, Site::here());
                 (void)u32{numbers[0]};
               }),
               "numbers[0]: lane ");
}
TEST(Race, ACellThatNoneHasWritten) {
  EXPECT_FAULT(
      fault_of([](auto& g, auto numbers, auto&) { g.once([&] { (void)u32{numbers[50]}; }); }),
      "numbers[50]: lane 0 reads what none has written");
}
TEST(Race, ACellOutsideTheColumn) {
  EXPECT_FAULT(fault_of([](auto& g, auto numbers, auto&) { g.once([&] { numbers[100] = 1; }); }),
               "numbers[100]: lane 0 goes outside of the column");
  EXPECT_FAULT(fault_of([](auto& g, auto numbers, auto&) { g.once([&] { numbers[-1] = 1; }); }),
               "numbers[-1]");
}

// The phases of one program on the emulated group, as the compiler runs them.
class Phases {
 public:
  Phases() : runner_(frontend::emulated_phases(1)) { memory_.poison = true; }

  // The lanes' faults.
  std::string run(const std::string& source) {
    using frontend::Phase;
    memory_.begin(columns_, source);
    frontend::best_byte_masks()(columns_.source, columns_.blocks, columns_.masks);
    values_ = {};
    values_.token_limit = columns_.bytes;
    if (!step(Phase::FindTokens) || !step(Phase::ClassifyTokens)) return fault();
    if (columns_.tokens == 0) return {};
    memory_.reserve_nodes(columns_);
    if (!step(Phase::Analyse)) return fault();
    if (columns_.flags[frontend::kFailed] != 0) return {};
    return step(Phase::WriteCode) && step(Phase::FinishCode) ? std::string() : fault();
  }
  frontend::EmulatedPhases& runner() { return *runner_; }

 private:
  bool step(frontend::Phase phase) {
    values_.extents = memory_.extents;
    return runner_->run(phase, columns_, values_);
  }
  std::string fault() const { return std::string(runner_->fault()); }

  std::unique_ptr<frontend::EmulatedPhases> runner_;
  frontend::Columns columns_{};
  frontend::ColumnMemory memory_;
  frontend::PhaseValues values_;
};

// Barriers that no neighbouring one makes up for, whatever the passes do around them: between the steps of a primitive.
bool stands_alone(const Site& site) {
  const std::string_view primitive = site.primitive;
  if (primitive == "nearest_smaller") return site.step < 2;
  return (primitive == "up" || primitive == "down") && site.step < 2;
}

TEST(Race, ABarrierLeftOutIsNoticed) {
  Phases phases;
  std::vector<std::string> sources;
  for (const std::string& source : golden_sources())
    if (phases.run(source).empty() && source.size() < 4000 && sources.size() < 12)
      sources.push_back(source);
  ASSERT_EQ(sources.size(), 12u);
  const std::vector<Site> sites = phases.runner().barrier_sites();
  u32 noticed = 0;
  for (const Site& site : sites) {
    phases.runner().leave_out(site);
    std::string fault;
    for (const std::string& source : sources)
      if (fault = phases.run(source); !fault.empty()) break;
    noticed += !fault.empty();
    RecordProperty(site_text(site), fault.empty() ? "not noticed" : fault);
    if (stands_alone(site)) {
      EXPECT_NE(fault, "") << site_text(site);
    }
  }
  // Others have a neighbour that makes up for one of them, or join cells that one lane has on both sides.
  EXPECT_GE(noticed, 12u);
}

}  // namespace
}  // namespace komuz::test

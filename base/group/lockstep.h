// SPDX-License-Identifier: Apache-2.0
// The lockstep emulator: warps of 32 lanes on one thread. Each lane is a fiber that runs freely from one rendezvous
// to the next, in an order drawn from a seed. The emulator counts arrivals, and checks that all lanes wait at the
// same call site. A shuffle or ballot is a rendezvous of a warp, but no barrier. It begins no epoch, so the
// findings of a race detector do not depend on it. A barrier is a rendezvous of all warps.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/group/site.h"
#include "base/random.h"

namespace komuz {

enum class Rendezvous : u8 { Barrier, Shuffle, End };

class Lockstep {
 public:
  static constexpr u32 kWarpLanes = 32, kMaxWarps = 4;
  static constexpr u32 kBoxBytes = 64;
  using Body = void (*)(void* context, u32 lane);

  explicit Lockstep(u64 seed, u32 warps = 1);
  Lockstep(const Lockstep&) = delete;
  Lockstep& operator=(const Lockstep&) = delete;

  // Runs the body on every lane. Returns what went wrong; empty: nothing did. After a fault the lanes are dropped
  // where they stand. What lies on their stacks is not destroyed, so the body must own nothing there.
  [[nodiscard]] std::string run(Body body, void* context);
  template <class F>
  [[nodiscard]] std::string run(F body) {
    return run([](void* context, u32 lane) { (*static_cast<F*>(context))(lane); }, &body);
  }

  // Called by the running lane.
  void arrive(Rendezvous kind, const Site& site);
  [[noreturn]] void fail(std::string fault);
  [[nodiscard]] u32 lane() const { return current_; }
  [[nodiscard]] u32 lanes() const { return warps_ * kWarpLanes; }
  // The number of barriers that all lanes have passed.
  [[nodiscard]] u32 epoch() const { return epoch_; }
  // Where lane `l` leaves what others read in a shuffle. There are two that alternate, so one rendezvous is enough.
  [[nodiscard]] u8* box(u32 parity, u32 l) { return boxes_[parity][l]; }
  // Where a warp leaves what all warps read behind a barrier.
  [[nodiscard]] u8* warp_box(u32 parity, u32 warp) { return warp_boxes_[parity][warp]; }

  // Tests leave barriers out: at this site no lane waits.
  void leave_out(std::optional<Site> site) { left_out_ = site; }
  // The sites of all barriers so far, in the order of their first arrival.
  [[nodiscard]] const std::vector<Site>& barrier_sites() const { return sites_; }
  // The last barrier that all lanes have passed.
  [[nodiscard]] const Site& last_barrier() const { return last_; }

 private:
  // The fibers' stacks, each above a page that cannot be written. They are large for builds without optimisation,
  // where inlined functors take space of their own. Unused pages take no memory.
  class Stacks {
   public:
    static constexpr size_t kBytes = 4 << 20, kGuard = 4096;
    explicit Stacks(u32 lanes);
    ~Stacks();
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;
    [[nodiscard]] u8* top(u32 lane) const { return memory_ + (lane + 1) * kBytes; }

   private:
    u8* memory_;
    size_t bytes_;
  };
  struct Lane {
    void* stack_pointer = nullptr;
    Rendezvous waits = Rendezvous::Barrier;
    Site site;
  };
  static void enter();
  void start_lanes();
  void switch_home();
  void run_warp(u32 warp);
  [[nodiscard]] std::string mismatch(u32 first, u32 step, u32 end) const;
  void note_barrier();

  u32 warps_;
  Stacks stacks_;
  Lane lanes_[kMaxWarps * kWarpLanes];
  void* home_ = nullptr;
  u32 current_ = 0, epoch_ = 0;
  Random random_;
  Body body_ = nullptr;
  void* context_ = nullptr;
  std::string fault_;
  std::optional<Site> left_out_;
  std::vector<Site> sites_;
  Site last_;
  alignas(8) u8 boxes_[2][kMaxWarps * kWarpLanes][kBoxBytes];
  alignas(8) u8 warp_boxes_[2][kMaxWarps][kBoxBytes];
};

[[nodiscard]] std::string site_text(const Site& site);

}  // namespace komuz

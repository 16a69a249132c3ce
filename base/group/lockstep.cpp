// SPDX-License-Identifier: Apache-2.0
#include "base/group/lockstep.h"

#include <sys/mman.h>

#include <cstdlib>
#include <utility>

// Switches from one fiber to another. The registers that a function must preserve by the calling convention of
// x86-64 (System V) are kept on the fiber's stack.
extern "C" void komuz_switch_fiber(void** save, void* load);
asm(R"(
.text
.globl komuz_switch_fiber
.type komuz_switch_fiber, @function
komuz_switch_fiber:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size komuz_switch_fiber, . - komuz_switch_fiber
)");

namespace komuz {

namespace {
// A fiber starts as a function without arguments, and finds its emulator here.
thread_local Lockstep* starting = nullptr;
}  // namespace

Lockstep::Stacks::Stacks(u32 lanes) : bytes_(lanes * kBytes) {
  void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  memory_ = static_cast<u8*>(memory);
  for (u32 l = 0; l < lanes; ++l)
    if (mprotect(memory_ + l * kBytes, kGuard, PROT_NONE) != 0) std::abort();
}
Lockstep::Stacks::~Stacks() { munmap(memory_, bytes_); }

Lockstep::Lockstep(u64 seed, u32 warps)
    : warps_(warps), stacks_(warps * kWarpLanes), random_(seed) {
  if (warps == 0 || warps > kMaxWarps) std::abort();
}

std::string site_text(const Site& site) {
  std::string_view file = site.file;
  file.remove_prefix(file.rfind('/') + 1);
  return std::string(site.primitive) + " " + std::to_string(site.step) + " at " +
         std::string(file) + ":" + std::to_string(site.line);
}

void Lockstep::enter() {
  Lockstep& self = *starting;
  self.body_(self.context_, self.current_);
  self.lanes_[self.current_].waits = Rendezvous::End;
  self.switch_home();
  std::abort();  // a lane that has ended is not resumed
}

void Lockstep::start_lanes() {
  for (u32 l = 0; l < lanes(); ++l) {
    // As behind a call: the stack pointer is 8 below a multiple of 16 when `enter` begins.
    void** top = reinterpret_cast<void**>(stacks_.top(l)) - 1;
    *--top = reinterpret_cast<void*>(&Lockstep::enter);
    for (u32 k = 0; k < 6; ++k) *--top = nullptr;
    lanes_[l] = {top, Rendezvous::Barrier, {}};
  }
}

void Lockstep::switch_home() { komuz_switch_fiber(&lanes_[current_].stack_pointer, home_); }

void Lockstep::arrive(Rendezvous kind, const Site& site) {
  if (kind == Rendezvous::Barrier && left_out_ && *left_out_ == site) return;
  lanes_[current_].waits = kind;
  lanes_[current_].site = site;
  switch_home();
}

void Lockstep::fail(std::string fault) {
  fault_ = std::move(fault);
  switch_home();
  std::abort();  // the run has ended
}

// Checks whether every `step`-th lane, from the first one on, waits in the same place.
std::string Lockstep::mismatch(u32 first, u32 step, u32 end) const {
  for (u32 l = first + step; l < end; l += step) {
    const Lane &a = lanes_[first], &b = lanes_[l];
    if (a.waits == b.waits && (a.waits == Rendezvous::End || a.site == b.site)) continue;
    const auto place = [](const Lane& lane) {
      return lane.waits == Rendezvous::End ? std::string("has ended")
                                           : "waits in " + site_text(lane.site);
    };
    return "lane " + std::to_string(first) + " " + place(a) + ", lane " + std::to_string(l) + " " +
           place(b);
  }
  return {};
}

void Lockstep::note_barrier() {
  ++epoch_;
  last_ = lanes_[0].site;
  for (const Site& site : sites_)
    if (site == last_) return;
  sites_.push_back(last_);
}

// Runs all lanes of a warp, each to its next rendezvous.
void Lockstep::run_warp(u32 warp) {
  u32 order[kWarpLanes];
  for (u32 l = 0; l < kWarpLanes; ++l) order[l] = warp * kWarpLanes + l;
  for (u32 l = kWarpLanes - 1; l > 0; --l) std::swap(order[l], order[random_.below(l + 1)]);
  for (const u32 l : order) {
    current_ = l;
    starting = this;
    komuz_switch_fiber(&home_, lanes_[l].stack_pointer);
    if (!fault_.empty()) return;
  }
  fault_ = mismatch(warp * kWarpLanes, 1, (warp + 1) * kWarpLanes);
}

std::string Lockstep::run(Body body, void* context) {
  body_ = body;
  context_ = context;
  fault_.clear();
  start_lanes();
  for (;;) {
    // Runs each warp to the next barrier, from shuffle to shuffle.
    u32 running[kMaxWarps], n = 0;
    while (n < warps_) running[n] = n, ++n;
    while (n != 0) {
      const u32 k = random_.below(n), warp = running[k];
      run_warp(warp);
      if (!fault_.empty()) return fault_;
      if (lanes_[warp * kWarpLanes].waits != Rendezvous::Shuffle) running[k] = running[--n];
    }
    fault_ = mismatch(0, kWarpLanes, lanes());
    if (!fault_.empty()) return fault_;
    if (lanes_[0].waits == Rendezvous::End) {
      ++epoch_;
      return {};
    }
    note_barrier();
  }
}

}  // namespace komuz

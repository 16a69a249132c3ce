// SPDX-License-Identifier: Apache-2.0
#include "base/group/lockstep.h"

#include <sys/mman.h>

#include <cstdlib>
#include <utility>

// Leaves one fiber for another: what the calling convention of x86-64 (System V) lets a function keep lies on its stack.
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
// A fiber starts as a function without arguments; this is how it finds its emulator.
thread_local Lockstep* starting = nullptr;
}  // namespace

Lockstep::Stacks::Stacks() {
  void* const memory = mmap(nullptr, kLanes * kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  memory_ = static_cast<u8*>(memory);
  for (u32 l = 0; l < kLanes; ++l)
    if (mprotect(memory_ + l * kBytes, kGuard, PROT_NONE) != 0) std::abort();
}
Lockstep::Stacks::~Stacks() { munmap(memory_, kLanes * kBytes); }

Lockstep::Lockstep(u64 seed) : random_(seed) {}

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
  for (u32 l = 0; l < kLanes; ++l) {
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

std::string Lockstep::mismatch() const {
  for (u32 l = 1; l < kLanes; ++l) {
    const Lane &a = lanes_[0], &b = lanes_[l];
    if (a.waits == b.waits && (a.waits == Rendezvous::End || a.site == b.site)) continue;
    const auto place = [](const Lane& lane) {
      return lane.waits == Rendezvous::End ? std::string("has ended")
                                           : "waits in " + site_text(lane.site);
    };
    return "lane 0 " + place(a) + ", lane " + std::to_string(l) + " " + place(b);
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

std::string Lockstep::run(Body body, void* context) {
  body_ = body;
  context_ = context;
  fault_.clear();
  start_lanes();
  u32 order[kLanes];
  for (u32 l = 0; l < kLanes; ++l) order[l] = l;
  for (;;) {
    for (u32 l = kLanes - 1; l > 0; --l) std::swap(order[l], order[random_.below(l + 1)]);
    for (const u32 l : order) {
      current_ = l;
      starting = this;
      komuz_switch_fiber(&home_, lanes_[l].stack_pointer);
      if (!fault_.empty()) return fault_;
    }
    fault_ = mismatch();
    if (!fault_.empty()) return fault_;
    if (lanes_[0].waits == Rendezvous::End) {
      ++epoch_;
      return {};
    }
    if (lanes_[0].waits == Rendezvous::Barrier) note_barrier();
  }
}

}  // namespace komuz

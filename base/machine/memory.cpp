// SPDX-License-Identifier: Apache-2.0
// Counting is cheap: a thread adds up what it takes and gives back, and informs the other threads when that has
// become kTold. Finding out what is left reads a few files of the system, which takes about ten microseconds.
#include "base/machine/memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mutex>
#include <new>

#include "base/machine/memory_bounds.h"

namespace komuz::machine {

void stop_all();

namespace {

constexpr i64 kTold = i64{1} << 16;  // bytes

// The process has one of these, because `new` has nowhere else to look.
struct Memory {
  std::atomic<i64> used = 0;
  std::atomic<bool> is_bound = false, is_near = false, is_short = false;
  // How much may be in use before the memory that is left is looked at again.
  std::atomic<i64> next_look = 0;
  std::atomic<u64> most = 0;  // of `--memory`; 0: any number
  std::atomic<u64> reserve = 0, for_end = 0;
  std::atomic<MemoryBound> bound = MemoryBound::None;
  std::atomic<void*> held = nullptr, last = nullptr;  // address space
  MemoryBounds bounds;
  std::mutex stops_mutex;
  ShortageStop* stops = nullptr;
  // For tests: how many allocations come before those that are refused, and before the refusals end.
  std::atomic<bool> refuses = false;
  std::atomic<i64> begun = 0, until_refused = 0, until_allowed = 0;
};
constinit Memory memory;
// Of this thread.
constinit thread_local i64 untold = 0;

constexpr u64 kMostReserve = u64{64} << 20, kLeastReserve = u64{4} << 20;

MemoryLeft left() {
  MemoryLeft left = memory.bounds.left(memory.held.load() == nullptr ? 0 : memory.reserve.load());
  const u64 most = memory.most, used = used_memory();
  if (most != 0) left.lower(most > used ? most - used : 0, MemoryBound::Option);
  return left;
}

// A little more memory, for what is destroyed when the system refuses something though the reserve was given back.
constexpr u64 kLast = u64{1} << 20;
void give_last_back() {
  if (void* const last = memory.last.exchange(nullptr)) munmap(last, kLast);
}
void give_reserve_back() {
  if (void* const held = memory.held.exchange(nullptr)) munmap(held, memory.reserve);
}
// The pages are writable, so that they count where the system promises no more than it has.
void take_reserve() {
  void* const held =
      mmap(nullptr, memory.reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (held != MAP_FAILED) memory.held = held;
  if (memory.last.load() != nullptr) return;
  void* const last =
      mmap(nullptr, kLast, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (last != MAP_FAILED) memory.last = last;
}

void begin_shortage(MemoryBound bound) {
  if (memory.is_short.exchange(true)) return;
  memory.bound = bound;
  give_reserve_back();
  stop_all();
}

// Checks, before `bytes` are taken, that there is so much.
void look(u64 bytes) {
  const MemoryLeft now = left();
  const u64 reserve = memory.reserve + memory.for_end, near = reserve + memory.reserve;
  if (now.bytes < bytes + near) memory.is_near = true;
  if (now.bytes < bytes + reserve) begin_shortage(now.bound);
  if (now.bytes < bytes) throw std::bad_alloc();
  const u64 behind = now.bytes - bytes;
  constexpr u64 kMostStep = u64{64} << 20;
  // If only what is counted here uses up the memory, the way to the next line is known. Otherwise other processes
  // take a part of it.
  const u64 line = behind > near ? near : behind > reserve ? reserve : 0;
  const u64 to_line = now.bound == MemoryBound::Option ? behind - line : (behind - line) / 4;
  const u64 step = std::min(to_line, kMostStep);
  memory.next_look = static_cast<i64>(used_memory() + bytes + std::max<u64>(step, kTold));
}

void count(u64 bytes) {
  untold += static_cast<i64>(bytes);
  if (untold >= kTold) settle_memory();
}
void uncount(u64 bytes) {
  untold -= static_cast<i64>(bytes);
  if (untold <= -kTold) settle_memory();
}

// Called before `bytes` are taken.
void admit(u64 bytes) {
  // Code that is being destroyed for want of memory may allocate a little for that (nlohmann's JSON does), and must
  // get it.
  const auto is_for_the_way_out = [bytes] {
    return bytes < static_cast<u64>(kTold) && std::uncaught_exceptions() != 0;
  };
  if (memory.refuses.load(std::memory_order_relaxed) && memory.until_refused.fetch_sub(1) <= 0 &&
      !is_for_the_way_out() && memory.until_allowed.fetch_sub(1) > 0) {
    begin_shortage(MemoryBound::None);
    throw std::bad_alloc();
  }
  if (!memory.is_bound.load(std::memory_order_relaxed)) return;
  const i64 behind = untold + static_cast<i64>(bytes);
  if (behind >= kTold && memory.used + behind > memory.next_look && !is_for_the_way_out())
    look(bytes);
}

void* take(size_t bytes, size_t alignment) {
  constexpr size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() / 2;
  if (bytes > kMost) throw std::bad_alloc();  // so that the sums below fit
  admit(bytes);
  const bool is_aligned = alignment > alignof(std::max_align_t);
  const size_t whole = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  const auto try_once = [&] {
    return is_aligned ? std::aligned_alloc(alignment, whole)
                      : std::malloc(std::max<size_t>(bytes, 1));
  };
  void* taken = try_once();
  if (taken == nullptr) {
    begin_shortage(left().bound);
    taken = try_once();
    if (taken == nullptr) {
      give_last_back();
      taken = try_once();
    }
    if (taken == nullptr) throw std::bad_alloc();
  }
  count(malloc_usable_size(taken));
  return taken;
}
void* try_take(size_t bytes, size_t alignment) noexcept {
  try {
    return take(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void give_back(void* taken) noexcept {
  if (taken == nullptr) return;
  uncount(malloc_usable_size(taken));
  std::free(taken);
}

}  // namespace

void stop_all() {
  const std::scoped_lock lock(memory.stops_mutex);
  for (ShortageStop* at = memory.stops; at != nullptr; at = at->next_) at->stop_.request_stop();
}

void bound_memory(u64 most) {
  memory.bounds.open();
  memory.most = most;
  // If address space is scarce, no thread keeps a part of it for itself, as malloc would allow.
  if (MemoryBounds::has_scarce_addresses()) mallopt(M_ARENA_MAX, 1);
  constexpr u64 kPart = 8;
  memory.reserve = std::clamp(left().bytes / kPart, kLeastReserve, kMostReserve);
  take_reserve();
  memory.next_look = 0;
  memory.is_bound = true;
}

void unbound_memory() {
  memory.is_bound = false;
  give_reserve_back();
  give_last_back();
  memory.bounds.close();
  memory.most = memory.reserve = memory.for_end = 0;
  memory.is_short = memory.is_near = false;
}

bool has_memory_neared_its_end() { return memory.is_near.exchange(false); }
u64 used_memory() { return static_cast<u64>(std::max<i64>(memory.used + untold, 0)); }
bool is_memory_short() { return memory.is_short; }
u64 spare_memory() {
  if (!memory.is_bound) return ~u64{0};
  const u64 bytes = left().bytes, reserve = memory.reserve + memory.for_end;
  return bytes > reserve ? bytes - reserve : 0;
}
MemoryBound memory_bound() { return memory.bound; }
void keep_memory_for_end(u64 bytes) {
  memory.for_end = bytes;
  memory.next_look = 0;
}

bool end_shortage() {
  if (!memory.is_short) return true;
  malloc_trim(0);
  memory.for_end = 0;
  if (memory.is_bound) take_reserve();
  if (memory.is_bound && left().bytes < memory.reserve) {
    give_reserve_back();
    return false;
  }
  memory.is_short = false;
  memory.next_look = 0;
  return true;
}

ShortageStop::ShortageStop(std::stop_source& stop) : stop_(stop) {
  {
    const std::scoped_lock lock(memory.stops_mutex);
    next_ = memory.stops;
    memory.stops = this;
  }
  if (is_memory_short()) stop_.request_stop();
}

ShortageStop::~ShortageStop() {
  const std::scoped_lock lock(memory.stops_mutex);
  ShortageStop** at = &memory.stops;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

void count_pages(u64 bytes) {
  admit(bytes);
  count(bytes);
}
void refuse_pages(u64 bytes) {
  uncount(bytes);
  begin_shortage(left().bound);
}
void uncount_pages(u64 bytes) { uncount(bytes); }

void settle_memory() {
  memory.used += untold;
  untold = 0;
}

void refuse_allocations(u64 behind, u64 count) {
  memory.refuses = false;
  if (count == 0) return;
  memory.begun = static_cast<i64>(behind);
  memory.until_refused = static_cast<i64>(behind);
  memory.until_allowed = static_cast<i64>(count);
  memory.refuses = true;
}
u64 allocations() { return static_cast<u64>(memory.begun - memory.until_refused); }

}  // namespace komuz::machine

// All forms of `new` and `delete`. In the library some forms call others, but not in every library that may be
// loaded before it.
using komuz::machine::give_back;
using komuz::machine::take;
using komuz::machine::try_take;
constexpr size_t kPlain = alignof(std::max_align_t);
constexpr size_t aligned(std::align_val_t alignment) { return static_cast<size_t>(alignment); }
using NoThrow = std::nothrow_t;

void* operator new(size_t bytes) { return take(bytes, kPlain); }
void* operator new[](size_t bytes) { return take(bytes, kPlain); }
void* operator new(size_t bytes, const NoThrow&) noexcept { return try_take(bytes, kPlain); }
void* operator new[](size_t bytes, const NoThrow&) noexcept { return try_take(bytes, kPlain); }
void* operator new(size_t bytes, std::align_val_t to) { return take(bytes, aligned(to)); }
void* operator new[](size_t bytes, std::align_val_t to) { return take(bytes, aligned(to)); }
void* operator new(size_t bytes, std::align_val_t to, const NoThrow&) noexcept {
  return try_take(bytes, aligned(to));
}
void* operator new[](size_t bytes, std::align_val_t to, const NoThrow&) noexcept {
  return try_take(bytes, aligned(to));
}
void operator delete(void* at) noexcept { give_back(at); }
void operator delete[](void* at) noexcept { give_back(at); }
void operator delete(void* at, size_t) noexcept { give_back(at); }
void operator delete[](void* at, size_t) noexcept { give_back(at); }
void operator delete(void* at, const NoThrow&) noexcept { give_back(at); }
void operator delete[](void* at, const NoThrow&) noexcept { give_back(at); }
void operator delete(void* at, std::align_val_t) noexcept { give_back(at); }
void operator delete[](void* at, std::align_val_t) noexcept { give_back(at); }
void operator delete(void* at, size_t, std::align_val_t) noexcept { give_back(at); }
void operator delete[](void* at, size_t, std::align_val_t) noexcept { give_back(at); }
void operator delete(void* at, std::align_val_t, const NoThrow&) noexcept { give_back(at); }
void operator delete[](void* at, std::align_val_t, const NoThrow&) noexcept { give_back(at); }

// SPDX-License-Identifier: Apache-2.0
#include "engine/support/large_memory.h"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <new>

#include "base/machine/memory.h"

namespace komuz::engine {
namespace {

constexpr size_t kSmallPage = 4096;

#ifdef MADV_POPULATE_WRITE
constexpr int kPopulate = MADV_POPULATE_WRITE;
#else
constexpr int kPopulate = 23;  // the same on all processors, since Linux 5.14
#endif

size_t rounded_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

void* map(size_t size, size_t spare, Counted counted) {
  const size_t counts = counted == Counted::Whole ? size : 0;
  machine::count_pages(counts);
  void* const all =
      mmap(nullptr, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) machine::refuse_pages(counts);
  return all;
}

}  // namespace

void* take_memory(size_t bytes, Pages pages, Counted counted) {
  const size_t size = rounded_up(bytes, kSmallPage);
  // A large page begins at a multiple of its size.
  const size_t spare = pages == Pages::Large && size >= kLargePage ? kLargePage - kSmallPage : 0;
  void* all = map(size, spare, counted);
  if (all == MAP_FAILED) all = map(size, spare, counted);  // the reserve has been freed
  if (all == MAP_FAILED) throw std::bad_alloc();
  if (spare == 0) return all;
  char* const begin = static_cast<char*>(all);
  const auto address = std::bit_cast<std::uintptr_t>(begin);
  const size_t before = rounded_up(address, kLargePage) - address;
  if (before != 0) munmap(begin, before);
  if (before != spare) munmap(begin + before + size, spare - before);
  madvise(begin + before, size, MADV_HUGEPAGE);
  return begin + before;
}

void give_memory_back(void* memory, size_t bytes, Counted counted) {
  const size_t size = rounded_up(bytes, kSmallPage);
  munmap(memory, size);
  if (counted == Counted::Whole) machine::uncount_pages(size);
}

void make_pages(void* memory, size_t bytes) {
  const auto begin = std::bit_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = rounded_up(begin, kSmallPage),
                       end = rounded_up(begin + bytes, kSmallPage);
  if (first < end) madvise(std::bit_cast<void*>(first), end - first, kPopulate);
}

}  // namespace komuz::engine

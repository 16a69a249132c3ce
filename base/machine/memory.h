// SPDX-License-Identifier: Apache-2.0
// Memory is finite, and no allocation anywhere ends the process without a message.
//
// Every `new` of the process is counted here, and so is every table that takes pages from the system
// (engine/support/large_memory.h). The memory that is left is the smallest of what `--memory`, `ulimit -v`,
// `ulimit -d`, the control groups and the machine leave. It is looked at again whenever a part of what was left has
// been used. So the less is left, the more often it is looked at.
//
//   0            in use                                                             all there is
//   ├────────────────────────────────┬─────────────────┬─────────────────────────────────┤
//                                    │                 │ the reserve
//                                    │                 └ from here on memory is short
//                                    └ from here on it nears its end: as much again is left
//
// 0. Where memory nears its end, what is not needed is dropped: an evaluation with a log goes on without rows
//    (collect_rows.h).
// 1. Memory is *short* where no more than the reserve is left. Then everything that runs is asked to stop, as by an
//    interrupt (ShortageStop), and ends in good order: it has the reserve for its ranking, its table and its files.
//    Nothing is thrown. A part of the reserve is address space that was taken beforehand, and is given back at that
//    moment.
// 2. A larger request, such as one vector that doubles, is refused: std::bad_alloc, the one exception of the house.
//    It is caught at these doors alone:
//      a worker (engine/support/worker_pool.h)  no worker takes more work, and the caller of run() gets the exception
//      evaluate() (engine/run/evaluate.h)       the candidates that were finished are ranked
//      an output of a command (cli/)            it is not written, and the file stays as it was; others are written
//      an input of a session (repl/)            its answer says so, and the session goes on
//      a command (cli/main.cpp)                 a sentence, and an exit code of its own
//    Code between them need only be fit to be destroyed. What is read behind a door (rows, tables of identities) is
//    changed in such a way that it is whole whatever throws.
#pragma once
#include <stop_token>

#include "base/ints.h"

namespace komuz::machine {

// The bound that leaves no more memory.
enum class MemoryBound : u8 { None, Option, AddressSpace, DataSize, ControlGroup, Machine };

// From now on memory is bounded by what there is. Without this call, as in tests, the only end is that of malloc.
// `most`: the bytes that the process may have; 0: any number.
void bound_memory(u64 most);
// Removes the bounds again, for tests.
void unbound_memory();

// The bytes in use.
[[nodiscard]] u64 used_memory();
[[nodiscard]] bool is_memory_short();
// The bytes that may be taken before memory is short; ~0: it has no bounds.
[[nodiscard]] u64 spare_memory();
// True if memory has neared its end since the last call.
[[nodiscard]] bool has_memory_neared_its_end();
// The bound that has caused the present shortage.
[[nodiscard]] MemoryBound memory_bound();
// Keeps so much memory, in addition to the reserve, for what comes at the end.
void keep_memory_for_end(u64 bytes);
// Called when what ran is over and has given its memory back. Returns false if memory is as short as before.
bool end_shortage();

// As long as it lives, a shortage requests this stop; if there is a shortage already, at once.
class ShortageStop {
 public:
  explicit ShortageStop(std::stop_source& stop);
  ~ShortageStop();
  ShortageStop(const ShortageStop&) = delete;
  ShortageStop& operator=(const ShortageStop&) = delete;

 private:
  friend void stop_all();
  std::stop_source& stop_;
  ShortageStop* next_ = nullptr;
};

// Counts memory that `new` does not make, before it is taken. Throws std::bad_alloc if there is not so much.
void count_pages(u64 bytes);
void uncount_pages(u64 bytes);
// Called when the system refuses what was counted. A second try finds the reserve given back.
void refuse_pages(u64 bytes);
// Called by a thread that ends, so that what it took is counted.
void settle_memory();

// For tests: after `behind` allocations, `count` allocations are refused; 0: none.
void refuse_allocations(u64 behind, u64 count);
// The number of allocations since then, until the next call with 0.
[[nodiscard]] u64 allocations();

}  // namespace komuz::machine

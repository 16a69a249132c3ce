// SPDX-License-Identifier: Apache-2.0
// Memory has an end, and no allocation anywhere ends the process without a word.
//
// Every `new` of the process, and every table that is taken from the system by pages (engine/support/large_memory.h), is
// counted here. What is left is the least of what `--memory`, `ulimit -v`, `ulimit -d`, the control groups and the
// machine leave. It is looked at as the use grows: each time by a part of what was left, so the more often the less
// there is.
//
//   0            in use                                                             all there is
//   ├────────────────────────────────┬─────────────────┬─────────────────────────────────┤
//                                    │                 │ the reserve
//                                    │                 └ from here on memory is short
//                                    └ from here on it nears its end: as much again is left
//
// 0. Where it nears its end, what can be done without goes: an evaluation with a log goes on without rows
//    (collect_rows.h).
// 1. Memory is *short* where no more than the reserve is left. Then everything that runs is asked to stop, as by an
//    interrupt (ShortageStop), and ends in good order: it has the reserve for its ranking, its table and its files.
//    Nothing is thrown. A part of the reserve is address space that was taken beforehand, and is given back at that
//    moment.
// 2. What is asked for beyond that, such as one vector that doubles, is refused: std::bad_alloc, the one exception
//    of the house. It is caught at doors, and at these alone:
//      a worker (engine/support/worker_pool.h)     no worker takes more work, and who called run() gets the exception
//      evaluate() (engine/run/evaluate.h)             the candidates that were finished are ranked
//      an output of a command (cli/)       it is not written, and the file stays as it was; the others are
//      an input of a session (repl/)       its answer says so, and the session goes on
//      a command (cli/main.cpp)            a sentence, and an exit code of its own
//    What is between them need only be fit to be destroyed. What is read behind a door (rows, tables of identities) is
//    changed so that it is whole whatever throws.
#pragma once
#include <stop_token>

#include "base/ints.h"

namespace komuz::machine {

// Who gives no more.
enum class MemoryBound : u8 { None, Option, AddressSpace, DataSize, ControlGroup, Machine };

// From now on what there is counts. Without it, as in tests, there is no end but that of malloc. `most`: bytes that
// the process may have, 0: any number.
void bound_memory(u64 most);
// Back to no bounds, for tests.
void unbound_memory();

// Bytes in use.
[[nodiscard]] u64 used_memory();
[[nodiscard]] bool is_memory_short();
// Has it neared its end since this was asked last?
[[nodiscard]] bool has_memory_neared_its_end();
// Of the shortage that there is.
[[nodiscard]] MemoryBound memory_bound();
// So much of what is left, beside the reserve, is for what comes at the end.
void keep_memory_for_end(u64 bytes);
// What ran is over, and what it took has been given back. False: memory is short as before.
bool end_shortage();

// While it lives a shortage requests this stop, at once where there is one.
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

// Memory that is not made by `new`, before it is taken: throws std::bad_alloc where there is not so much.
void count_pages(u64 bytes);
void uncount_pages(u64 bytes);
// The system does not give what was counted. A second try finds the reserve given back.
void refuse_pages(u64 bytes);
// A thread that ends has counted what it took.
void settle_memory();

// For tests: behind so many allocations `count` are refused; 0: none.
void refuse_allocations(u64 behind, u64 count);
// How many have come since then, up to the next call of it with 0.
[[nodiscard]] u64 allocations();

}  // namespace komuz::machine

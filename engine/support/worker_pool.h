// SPDX-License-Identifier: Apache-2.0
// A fixed set of threads that share out numbered work. The calling thread is worker 0. If the system gives no more
// threads (`ulimit -u`, or no memory for their stacks), there are fewer workers. If a worker runs out of memory, the
// others take no more work, and run() throws std::bad_alloc once all have ended (base/machine/memory.h). Threads that
// call run() at the same time take turns.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ints.h"

namespace komuz::engine {

class WorkerPool {
 public:
  // 0: one worker for each processor that may be used.
  explicit WorkerPool(u32 workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] u32 size() const { return static_cast<u32>(threads_.size()) + 1; }

  // Calls body(worker, index) once for every index below `count`, and returns when all are done. Workers take small
  // runs of neighbouring indices, in rising order.
  using Body = std::function<void(u32 worker, u32 index)>;
  void run(u32 count, const Body& body);
  // The same. Between its own indices, the calling thread is told how many of the first indices are done; the number
  // grows, and in the end it is `count`. Their results are visible to it, so work that needs an order is done while
  // others still work. Workers take runs of at most `taken` indices. A worker may leave work over for
  // on_run_end(worker), which is called at the end of each run; that work is done when it returns.
  using OnDone = std::function<void(u32 done)>;
  using OnRunEnd = std::function<void(u32 worker)>;
  void run(u32 count, const Body& body, const OnDone& on_done, u32 taken = kTaken,
           const OnRunEnd& on_run_end = {});

 private:
  // Indices taken at a time: enough to keep the counter's cache line quiet, few enough to balance long programs.
  static constexpr u32 kTaken = 4;

  void share_out(u32 count, const Body& body);
  void serve(u32 worker);
  void work(u32 worker);
  void take_work(u32 worker);
  void tell_done();

  std::vector<std::thread> threads_;
  std::mutex turn_;  // of whoever runs
  std::mutex mutex_;
  std::condition_variable wake_, finished_;
  u64 round_ = 0;  // of work; a thread that has seen a smaller one has work to do
  u32 busy_ = 0;   // threads that have not finished the round
  bool closing_ = false;
  const Body* body_ = nullptr;
  u32 count_ = 0;
  std::atomic<u32> next_{0};
  std::atomic<bool> lacks_memory_ = false;
  // If there is a listener: the runs of indices that are done, and how many of the first.
  const OnDone* on_done_ = nullptr;
  const OnRunEnd* on_run_end_ = nullptr;
  u32 taken_ = kTaken;
  std::vector<std::atomic<u8>> done_runs_;
  u32 first_done_ = 0;
};

}  // namespace komuz::engine

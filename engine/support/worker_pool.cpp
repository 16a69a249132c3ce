// SPDX-License-Identifier: Apache-2.0
#include "engine/support/worker_pool.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/machine/memory.h"
#include "base/machine/processors.h"

namespace komuz::engine {

WorkerPool::WorkerPool(u32 workers) {
  if (workers == 0) workers = machine::usable_processors();
  threads_.reserve(workers - 1);
  try {
    for (u32 worker = 1; worker < workers; ++worker)
      threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error&) {  // the existing threads do the work
  } catch (const std::bad_alloc&) {
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(u32 count, const Body& body) {
  const std::lock_guard turn(turn_);
  share_out(count, body);
}

void WorkerPool::share_out(u32 count, const Body& body) {
  // Little work is not worth waking a thread.
  const bool alone = threads_.empty() || count <= std::min(taken_, kTaken);
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    lacks_memory_ = false;
    if (!alone) {
      busy_ = static_cast<u32>(threads_.size());
      ++round_;
    }
  }
  if (!alone) wake_.notify_all();
  work(0);
  if (!alone) {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return busy_ == 0; });
  }
  if (lacks_memory_) throw std::bad_alloc();
}

void WorkerPool::run(u32 count, const Body& body, const OnDone& on_done, u32 taken,
                     const OnRunEnd& on_run_end) {
  const std::lock_guard turn(turn_);
  taken_ = taken;
  const u32 runs = (count + taken - 1) / taken;
  if (done_runs_.size() < runs) done_runs_ = std::vector<std::atomic<u8>>(runs);
  for (u32 k = 0; k < runs; ++k) done_runs_[k].store(0, std::memory_order_relaxed);
  first_done_ = 0;
  // However the run ends, the next one must not call this listener.
  const struct Told {
    WorkerPool& pool;
    ~Told() {
      pool.on_done_ = nullptr;
      pool.on_run_end_ = nullptr;
      pool.taken_ = kTaken;
    }
  } told{*this};
  on_done_ = &on_done;
  on_run_end_ = on_run_end ? &on_run_end : nullptr;
  share_out(count, body);
  tell_done();
}

void WorkerPool::tell_done() {
  const u32 before = first_done_;
  while (first_done_ < count_ && done_runs_[first_done_ / taken_].load(std::memory_order_acquire))
    first_done_ = std::min(first_done_ + taken_, count_);
  if (first_done_ != before) (*on_done_)(first_done_);
}

void WorkerPool::work(u32 worker) {
  try {
    take_work(worker);
  } catch (const std::bad_alloc&) {
    lacks_memory_ = true;
    next_.store(count_, std::memory_order_relaxed);
  }
}

void WorkerPool::take_work(u32 worker) {
  for (;;) {
    const u32 begin = next_.fetch_add(taken_, std::memory_order_relaxed);
    if (begin >= count_) return;
    for (u32 i = begin; i < std::min(begin + taken_, count_); ++i) (*body_)(worker, i);
    if (on_run_end_ != nullptr) (*on_run_end_)(worker);
    if (on_done_ == nullptr) continue;
    done_runs_[begin / taken_].store(1, std::memory_order_release);
    if (worker == 0) tell_done();
  }
}

void WorkerPool::serve(u32 worker) {
  u64 seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) {
        machine::settle_memory();
        return;
      }
      seen = round_;
    }
    work(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) finished_.notify_one();
  }
}

}  // namespace komuz::engine

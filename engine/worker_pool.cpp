// SPDX-License-Identifier: Apache-2.0
#include "engine/worker_pool.h"

#include <algorithm>

namespace komuz::engine {

WorkerPool::WorkerPool(u32 workers) {
  if (workers == 0) workers = std::max(1u, std::thread::hardware_concurrency());
  for (u32 worker = 1; worker < workers; ++worker)
    threads_.emplace_back([this, worker] { serve(worker); });
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
  // A little work is not worth waking anybody.
  const bool alone = threads_.empty() || count <= kTaken;
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    if (!alone) {
      busy_ = static_cast<u32>(threads_.size());
      ++round_;
    }
  }
  if (!alone) wake_.notify_all();
  work(0);
  if (alone) return;
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerPool::run(u32 count, const Body& body, const OnDone& on_done, u32 taken,
                     const OnRunEnd& on_run_end) {
  taken_ = taken;
  const u32 runs = (count + taken - 1) / taken;
  if (done_runs_.size() < runs) done_runs_ = std::vector<std::atomic<u8>>(runs);
  for (u32 k = 0; k < runs; ++k) done_runs_[k].store(0, std::memory_order_relaxed);
  first_done_ = 0;
  on_done_ = &on_done;
  on_run_end_ = on_run_end ? &on_run_end : nullptr;
  run(count, body);
  tell_done();
  on_done_ = nullptr;
  on_run_end_ = nullptr;
  taken_ = kTaken;
}

void WorkerPool::tell_done() {
  const u32 before = first_done_;
  while (first_done_ < count_ && done_runs_[first_done_ / taken_].load(std::memory_order_acquire))
    first_done_ = std::min(first_done_ + taken_, count_);
  if (first_done_ != before) (*on_done_)(first_done_);
}

void WorkerPool::work(u32 worker) {
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
      if (closing_) return;
      seen = round_;
    }
    work(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) finished_.notify_one();
  }
}

}  // namespace komuz::engine

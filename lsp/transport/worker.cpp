// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace komuz::lsp {
namespace {

// Lowers that of the calling thread: what else runs on the machine goes first.
void lower_priority() {
  constexpr int kLowest = 19;
  // If the system refuses it only takes turns with the others.
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLowest));
}

}  // namespace

Worker::Worker(Priority priority, std::function<void(JobRef job)> on_done)
    : on_done_(std::move(on_done)), thread_([this, priority](const std::stop_token& stop) {
        if (priority == Priority::Low) lower_priority();
        run(stop);
      }) {}
Worker::~Worker() {
  thread_.request_stop();
  const std::scoped_lock lock(mutex_);
  if (job_ != nullptr) job_->stop.request_stop();
}

void Worker::give(JobRef job) {
  is_idle_ = false;
  {
    const std::scoped_lock lock(mutex_);
    job_ = std::move(job);
  }
  changed_.notify_one();
}

void Worker::run(const std::stop_token& stop) {
  for (;;) {
    JobRef job;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return job_ != nullptr; })) return;
      job = job_;
    }
    if (!job->stop.stop_requested()) job->run();
    {
      const std::scoped_lock lock(mutex_);
      job_.reset();
    }
    on_done_(std::move(job));
  }
}

}  // namespace komuz::lsp

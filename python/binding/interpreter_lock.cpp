// SPDX-License-Identifier: Apache-2.0
#include "python/binding/interpreter_lock.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ints.h"
#include "python/binding/problems.h"

namespace komuz::python {
namespace {

// What Python runs for the engine, such as a generator that waits, may take longer: then its thread stays where it is.
constexpr std::chrono::seconds kPatience{1};

struct Threads {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<StoppedAtEnd*> work;
  std::thread::id ender;
  u64 away = 0;      // have given back the lock, and will want it
  u64 entering = 0;  // are about to get it
  bool is_ending = false, has_ended = false;
};

// It outlives the threads that wait for the end of the process.
Threads& threads() {
  static Threads* const all = new Threads;
  return *all;
}

// Whoever comes behind the end stays here, but for who ends.
void enter() {
  Threads& all = threads();
  std::unique_lock lock(all.mutex);
  while (all.has_ended && std::this_thread::get_id() != all.ender) all.changed.wait(lock);
  ++all.entering;
}

void change(u64 Threads::*count, i64 by) {
  Threads& all = threads();
  const std::scoped_lock lock(all.mutex);
  all.*count += static_cast<u64>(by);
  all.changed.notify_all();
}

}  // namespace

GivenLock::GivenLock() {
  change(&Threads::away, 1);
  state_ = PyEval_SaveThread();
}

GivenLock::~GivenLock() {
  enter();
  PyEval_RestoreThread(state_);
  change(&Threads::entering, -1);
  change(&Threads::away, -1);
}

void GivenLock::stay() {
  change(&Threads::away, -1);
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

TakenLock::TakenLock() {
  // Whoever has it already takes nothing that others wait for.
  const bool has_it = PyGILState_Check() != 0;
  if (!has_it) enter();
  state_ = PyGILState_Ensure();
  if (!has_it) change(&Threads::entering, -1);
}

TakenLock::~TakenLock() { PyGILState_Release(state_); }

StoppedAtEnd::StoppedAtEnd(std::stop_source& stop) : stop_(stop) {
  Threads& all = threads();
  {
    const std::scoped_lock lock(all.mutex);
    if (!all.is_ending || std::this_thread::get_id() != all.ender) {
      all.work.push_back(this);
      if (all.is_ending) this->stop();
      return;
    }
  }
  raise(input_problem({}, "the process is ending", "call it before"));
}

StoppedAtEnd::~StoppedAtEnd() {
  Threads& all = threads();
  const std::scoped_lock lock(all.mutex);
  std::erase(all.work, this);
}

bool StoppedAtEnd::was_stopped() const {
  const std::scoped_lock lock(threads().mutex);
  return was_stopped_;
}

void StoppedAtEnd::stop() {
  was_stopped_ = true;
  stop_.request_stop();
}

void end_threads() {
  Threads& all = threads();
  PyThreadState* const state = PyEval_SaveThread();
  {
    std::unique_lock lock(all.mutex);
    all.is_ending = true;
    all.ender = std::this_thread::get_id();
    for (StoppedAtEnd* const one : all.work) one->stop();
    all.changed.wait_for(lock, kPatience, [&] { return all.away == 0; });
    all.has_ended = true;
    all.changed.wait(lock, [&] { return all.entering == 0; });
  }
  PyEval_RestoreThread(state);
}

}  // namespace komuz::python

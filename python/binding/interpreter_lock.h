// SPDX-License-Identifier: Apache-2.0
// The interpreter's lock, given back and taken by threads that the process's end may find in the engine. Python ends a thread that wants
// the lock when it is over, wherever the thread stands, and the engine's code cannot be left so. Therefore such a thread waits for the end
// of the process instead.
#pragma once
#include <pybind11/pybind11.h>

#include <stop_token>

namespace komuz::python {

// The calling thread has the lock, gives it back, and takes it again at the end of the block.
class GivenLock {
 public:
  GivenLock();
  ~GivenLock();
  GivenLock(const GivenLock&) = delete;
  GivenLock& operator=(const GivenLock&) = delete;

  // The thread waits for the end of the process, which does not wait for it.
  [[noreturn]] void stay();

 private:
  PyThreadState* state_;
};

// A thread takes the lock for the block.
class TakenLock {
 public:
  TakenLock();
  ~TakenLock();
  TakenLock(const TakenLock&) = delete;
  TakenLock& operator=(const TakenLock&) = delete;

 private:
  PyGILState_STATE state_;
};

// Work that is to stop when the process ends. The thread that ends it can begin none.
class StoppedAtEnd {
 public:
  explicit StoppedAtEnd(std::stop_source& stop);
  ~StoppedAtEnd();
  StoppedAtEnd(const StoppedAtEnd&) = delete;
  StoppedAtEnd& operator=(const StoppedAtEnd&) = delete;

  // Nobody waits for what it gives.
  [[nodiscard]] bool was_stopped() const;
  void stop();

 private:
  std::stop_source& stop_;
  bool was_stopped_ = false;
};

// Called once, by the thread that ends the interpreter: stops all work and waits for it, but not long. Whoever is in the engine then stays there.
void end_threads();

}  // namespace komuz::python

// SPDX-License-Identifier: Apache-2.0
#include "python/binding/stoppable.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "python/binding/interpreter_lock.h"

namespace komuz::python {

namespace py = pybind11;

void Stoppable::fail(py::error_already_set error) {
  if (!failure_) failure_ = std::make_exception_ptr(std::move(error));
  stop_.request_stop();
}

bool take_interrupt(Failable& work) {
  if (PyErr_CheckSignals() == 0) return false;
  py::error_already_set raised;
  if (raised.matches(PyExc_KeyboardInterrupt)) return true;
  work.fail(std::move(raised));
  return false;
}

void Stoppable::look_for_signals() {
  if (!take_interrupt(*this)) return;
  was_interrupted_ = true;
  stop_.request_stop();
}

void Stoppable::run(const std::function<void(const std::stop_token&)>& work) {
  const StoppedAtEnd registered(stop_);
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;
  std::exception_ptr thrown;
  std::thread thread([&] {
    try {
      work(stop_.get_token());
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    has_ended = true;
    ended.notify_one();
  });
  {
    GivenLock given;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kBetweenLooks, [&] { return has_ended; })) {
      lock.unlock();
      {
        const TakenLock taken;
        look_for_signals();
      }
      lock.lock();
    }
    lock.unlock();
    thread.join();
    if (registered.was_stopped()) given.stay();
  }
  if (thrown) std::rethrow_exception(thrown);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace komuz::python

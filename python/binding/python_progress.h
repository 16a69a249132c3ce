// SPDX-License-Identifier: Apache-2.0
// Tells a function of Python's how far a run has come, a few times a second.
#pragma once
#include <pybind11/pybind11.h>

#include <chrono>

#include "engine/candidates/evaluate_options.h"
#include "python/binding/interpreter_lock.h"
#include "python/binding/stoppable.h"

namespace komuz::python {

class PythonProgress final : public engine::ProgressSink {
 public:
  // The caller keeps the function, since this object may end without the interpreter's lock; None: nobody is told.
  PythonProgress(const pybind11::object& progress, Failable& run)
      : progress_(progress), run_(run) {}
  void on_progress(u64 done, std::optional<u64> total) override {
    constexpr std::chrono::milliseconds kPause{100};
    const auto now = std::chrono::steady_clock::now();
    const bool is_end = total && done == *total;
    if (progress_.ptr() == Py_None || run_.is_stopping() || (now < next_ && !is_end)) return;
    next_ = now + kPause;
    const TakenLock taken;
    try {
      progress_(done, total);
    } catch (pybind11::error_already_set& error) {
      run_.fail(std::move(error));
    }
  }

 private:
  const pybind11::object& progress_;
  Failable& run_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace komuz::python

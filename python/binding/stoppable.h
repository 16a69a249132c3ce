// SPDX-License-Identifier: Apache-2.0
// Work that Ctrl-C ends: it runs on a thread of its own, while the calling one, which Python gives signals to, looks for them. The
// interpreter's lock is free meanwhile, so other threads of Python go on.
#pragma once
#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>
#include <stop_token>

namespace komuz::python {

// Whom work tells of an exception of Python's.
class Failable {
 public:
  virtual ~Failable() = default;
  // Of work that called Python, which holds the lock: ends it by this exception.
  virtual void fail(pybind11::error_already_set error) = 0;
  [[nodiscard]] virtual bool is_stopping() const = 0;
};

// How often whoever waits looks for signals.
inline constexpr std::chrono::milliseconds kBetweenLooks{2};
// True for Ctrl-C. What another handler raises is told to the work. The caller holds the interpreter's lock.
[[nodiscard]] bool take_interrupt(Failable& work);

class Stoppable final : public Failable {
 public:
  // Returns when the work has ended. A signal requests a stop, and so does fail(). An exception that is no interrupt is thrown again.
  // The caller holds the interpreter's lock.
  void run(const std::function<void(const std::stop_token&)>& work);
  // True if Ctrl-C ended the work.
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }

  void fail(pybind11::error_already_set error) override;
  [[nodiscard]] bool is_stopping() const override { return stop_.stop_requested(); }

 private:
  void look_for_signals();

  std::stop_source stop_;
  bool was_interrupted_ = false;
  std::exception_ptr failure_;
};

}  // namespace komuz::python

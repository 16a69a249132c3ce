// SPDX-License-Identifier: Apache-2.0
// One of several searches that exchange variants, for komuz.search: it runs on a thread of its own, and waits there at each exchange
// until Python has who comes.
#include <pybind11/stl.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "python/binding/interpreter_lock.h"
#include "python/binding/rank.h"

namespace komuz::python {
namespace {

using services::EvaluationKind;

class Island {
 public:
  Island(Session& session, const std::vector<std::string>& words, const NameAndText& sketch,
         const NameAndText& cases, const IslandNumbers& numbers) {
    RunInputs inputs;
    inputs.sketch = named(sketch);
    inputs.cases.cases = given_text(cases);
    inputs.island = island_of(numbers);
    inputs.exchange = [this](std::vector<std::string> leaving) {
      return exchange(std::move(leaving));
    };
    run_.emplace(session, EvaluationKind::Search, words, std::move(inputs), unused_);
  }
  ~Island() {
    const GivenLock given;
    stop();
    if (thread_.joinable()) thread_.join();
  }
  Island(const Island&) = delete;
  Island& operator=(const Island&) = delete;

  // Runs to the next exchange, or to the end. `coming`: variants for the exchange at which it waits; none: it ends there.
  py::dict run(std::optional<std::vector<std::string>> coming) {
    Stoppable waiting;
    waiting.run([&](const std::stop_token& interrupt) { go_on(std::move(coming), interrupt); });
    const std::scoped_lock lock(mutex_);
    if (state_ == State::Ended && thrown_) std::rethrow_exception(thrown_);
    py::dict out;
    out["leaving"] = leaving_;
    out["has_ended"] = state_ == State::Ended;
    out["has_reached_target"] = has_reached_target();
    out["candidates"] = candidates();
    out["was_interrupted"] = waiting.was_interrupted();
    return out;
  }

  // Ends it where it is. Other threads may call it.
  void stop() {
    stop_.request_stop();
    const std::scoped_lock lock(
        mutex_);  // nobody is between a look at the request and the wait for it
    changed_.notify_all();
  }

 private:
  enum class State : u8 { New, Running, Waiting, Ended };

  void go_on(std::optional<std::vector<std::string>> coming, const std::stop_token& interrupt) {
    const std::stop_callback stopped(interrupt, [this] { stop(); });
    std::unique_lock lock(mutex_);
    if (state_ == State::Ended) return;
    coming_ = std::move(coming);
    leaving_.clear();
    if (std::exchange(state_, State::Running) == State::New)
      thread_ = std::thread([this] { work(); });
    changed_.notify_all();
    changed_.wait(lock, [this] { return state_ != State::Running; });
  }

  void work() {
    std::exception_ptr thrown;
    try {
      run_->run(stop_.get_token());
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    thrown_ = thrown;
    state_ = State::Ended;
    changed_.notify_all();
  }

  std::optional<std::vector<std::string>> exchange(std::vector<std::string> leaving) {
    std::unique_lock lock(mutex_);
    leaving_ = std::move(leaving);
    state_ = State::Waiting;
    changed_.notify_all();
    changed_.wait(lock, [this] { return state_ == State::Running || stop_.stop_requested(); });
    if (stop_.stop_requested()) return std::vector<std::string>();
    return std::move(coming_);
  }

  [[nodiscard]] const engine::SearchCandidates* search() const {
    const auto& sketch = run_->ranking()->sketch;
    return sketch ? sketch->search() : nullptr;
  }
  [[nodiscard]] bool has_reached_target() const {
    return search() != nullptr && search()->has_reached_target();
  }
  [[nodiscard]] u64 candidates() const {
    if (state_ == State::Ended) return run_->ranking()->results.candidates();
    return search() == nullptr ? 0 : search()->generations() * search()->options().population;
  }

  Stoppable unused_;  // no candidate and no progress of it is Python's
  std::optional<RankRun> run_;
  std::stop_source stop_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::New;
  std::vector<std::string> leaving_;
  std::optional<std::vector<std::string>> coming_;
  std::exception_ptr thrown_;
};

}  // namespace

void register_island(py::module_& module) {
  py::class_<Island>(module, "Island", py::module_local())
      .def(py::init<Session&, const std::vector<std::string>&, const NameAndText&,
                    const NameAndText&, const IslandNumbers&>(),
           py::arg("session"), py::arg("words"), py::arg("sketch"), py::arg("cases"),
           py::arg("numbers"), py::keep_alive<1, 2>())
      .def("run", &Island::run, py::arg("coming"))
      .def("stop", &Island::stop);
}

}  // namespace komuz::python

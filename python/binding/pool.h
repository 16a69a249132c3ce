// SPDX-License-Identifier: Apache-2.0
// A run whose candidates come in rounds, as from a model (engine/run/rounds.h). A thread of the pool does all of its work, one thing
// after the other: it reads harness and cases, evaluates rounds, ranks and writes the end of the log. Python begins a round, and takes its
// candidates as they become rows. Candidates are named by their numbers in the input of all rounds, from 0.
#pragma once
#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/run/rounds.h"
#include "engine/support/text_list.h"
#include "python/binding/python_candidates.h"
#include "python/binding/python_progress.h"
#include "python/binding/ranking.h"
#include "python/binding/run_setting.h"
#include "python/binding/stoppable.h"
#include "services/evaluation/best_programs.h"

namespace komuz::python {

namespace py = pybind11;

// The source of the round at hand, for those that stand between it and the run.
class RoundSource final : public engine::CandidateSource {
 public:
  void set(engine::CandidateSource& source) { source_ = &source; }
  void read(engine::CandidateBatch& batch, size_t most) override { source_->read(batch, most); }
  void set_stop(const std::stop_token& stop) override { source_->set_stop(stop); }
  [[nodiscard]] std::optional<u64> total() const override { return source_->total(); }
  Problem problem() const override { return source_->problem(); }

 private:
  engine::CandidateSource* source_ = nullptr;
};

// All calls are made with the interpreter's lock, which is free while they wait. An exception of the thread is thrown by the next call.
class Pool final : public Failable, public engine::ResultSink {
 public:
  // Returns when the candidates of a log that goes on are rows.
  Pool(Session& session, const std::vector<std::string>& words, GivenTables cases,
       py::object progress);
  // As close(), without an end of the log.
  ~Pool() override;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Begins a round, once the one before it is over, and returns its number, from 0, and that of its first candidate. Candidates are
  // iterable, of (id, text), or None: then they are of these paths.
  std::pair<u64, u64> begin_round(const py::object& candidates, std::optional<u64> total,
                                  std::vector<std::string> paths);
  // Waits until candidates behind the first `known` are rows, or until the round has ended. Returns how many of the pool's are rows, up to
  // the last of the round, and whether all of them were known.
  std::pair<u64, bool> wait(u64 round, u64 known, u64 wakes);
  // The ranking of all rounds.
  std::shared_ptr<Ranking> ranking();
  // Ends the log. A round that is under way is waited for, but no generator is read further.
  void close();
  // The same, of a pool that somebody leaves by an exception: the round is stopped, and the log is one that goes on.
  void abandon();
  // As Ctrl-C does, where Python has raised it.
  void interrupt();

  // Ends the waits of other threads that began when it had been called so often.
  void wake() { ++wakes_; }
  [[nodiscard]] u64 wakes() const { return wakes_; }

  [[nodiscard]] u64 size() const { return rows_; }
  // So many were rows before the first round.
  [[nodiscard]] u64 resumed() const { return resumed_; }
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }
  [[nodiscard]] py::dict facts() const;
  [[nodiscard]] bool is_own_thread() const {
    return std::this_thread::get_id() == thread_.get_id();
  }

  // Of a candidate.
  [[nodiscard]] std::string id(u64 number) const;
  [[nodiscard]] std::string status(u64 number) const;
  [[nodiscard]] std::optional<f64> score(u64 number) const;
  [[nodiscard]] std::string row_json(u64 number) const;
  [[nodiscard]] std::string source(u64 number) const;
  [[nodiscard]] py::object case_scores(u64 number) const;

  void fail(py::error_already_set error) override;
  [[nodiscard]] bool is_stopping() const override { return stop_.stop_requested(); }
  void on_result(const engine::Results& results, u32 row) override;

 private:
  void serve();
  // Waits until the thread has nothing to do, and keeps it for the caller, who has it do something or gives it up.
  void claim();
  void start(std::function<void()> job);
  void give_up();
  // Waits for what was started; throws what it has thrown.
  void finish();
  // Claims the thread, has it do this and waits for it; throws what it has thrown.
  void do_now(std::function<void()> job);
  void check_goes_on() const;
  void check_thread() const;
  template <class Done, class Enough>
  void wait_until(const Done& is_done, const Enough& is_enough);
  void look_for_signals();
  void raise_failure();
  void end_with(std::function<void()> job);

  // On the thread.
  void open(GivenTables cases);
  void run_round(std::optional<u64> total, const std::vector<std::string>& paths);
  void evaluate(engine::CandidateSource& source);
  // Of rows that have been ranked, with the lock of the rows.
  [[nodiscard]] std::shared_ptr<Ranking> copy_ranking();

  template <class Look>
  auto look(u64 number, const Look& look) const;

  const std::shared_ptr<RunSetting> setting_;
  const py::object progress_;
  engine::Results results_;
  engine::TextList texts_;
  // Held while rows and texts are added.
  mutable std::mutex rows_mutex_;
  std::atomic<u64> rows_ = 0, wakes_ = 0;
  u64 resumed_ = 0;
  u64 cases_ = 0;

  RowNotes row_notes_;
  RoundSource source_;
  KeptTexts kept_{source_, texts_, &rows_mutex_};
  services::BestPrograms best_;
  PythonProgress told_{progress_, *this};
  std::optional<engine::Rounds> rounds_;
  std::optional<py::iterator> given_;  // candidates of the round
  std::shared_ptr<Ranking> last_;      // made when the pool was closed

  std::stop_source stop_;
  std::atomic<bool> was_interrupted_ = false;
  std::atomic<bool> reads_no_more_ = false;  // generators
  bool is_closed_ = false;
  u64 begun_ = 0;  // rounds

  // Of what follows.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> job_;
  bool is_busy_ = false, is_leaving_ = false;
  std::vector<u64> ends_;  // of rounds: how many rows there were then
  std::exception_ptr failure_;
  std::thread thread_;
};

void register_pool(py::module_& module);

}  // namespace komuz::python

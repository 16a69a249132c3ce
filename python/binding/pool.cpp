// SPDX-License-Identifier: Apache-2.0
#include "python/binding/pool.h"

#include <pybind11/stl.h>
#include <unistd.h>

#include <utility>

#include "engine/log/logged_candidates.h"
#include "engine/results/report.h"
#include "python/binding/interpreter_lock.h"
#include "python/binding/problems.h"
#include "services/files/candidate_input.h"

namespace komuz::python {
namespace {

// Candidates of a log that goes on.
class LoggedSource final : public engine::CandidateSource {
 public:
  explicit LoggedSource(std::vector<engine::LoggedCandidate> candidates)
      : candidates_(std::move(candidates)) {}
  void read(engine::CandidateBatch& batch, size_t most) override {
    for (; most > 0 && next_ < candidates_.size(); --most, ++next_) {
      const engine::LoggedCandidate& one = candidates_[next_];
      batch.rows.push_back({.id = batch.keep(one.id),
                            .source = batch.keep(one.source),
                            .error = batch.keep(one.error)});
    }
  }

 private:
  std::vector<engine::LoggedCandidate> candidates_;
  size_t next_ = 0;
};

// An exception of a user's generator: the round ends there, and the pool goes on. A generator is read no further once the pool is to be
// closed, as it may have no end.
class RoundFailure final : public Failable {
 public:
  RoundFailure(const std::stop_source& stop, const std::atomic<bool>& reads_no_more, bool has_end)
      : stop_(stop), reads_no_more_(reads_no_more), has_end_(has_end) {}
  void fail(py::error_already_set error) override {
    if (!thrown) thrown = std::make_exception_ptr(std::move(error));
  }
  [[nodiscard]] bool is_stopping() const override {
    return stop_.stop_requested() || (reads_no_more_ && !has_end_);
  }

  std::exception_ptr thrown;

 private:
  const std::stop_source& stop_;
  const std::atomic<bool>& reads_no_more_;
  bool has_end_;
};

}  // namespace

Pool::Pool(Session& session, const std::vector<std::string>& words, GivenTables cases,
           py::object progress)
    : setting_(std::make_shared<RunSetting>(session, services::EvaluationKind::Eval, words, false)),
      progress_(std::move(progress)),
      best_(kept_, *this, setting_->told_programs()) {
  engine::EvaluateOptions& options = setting_->request.options;
  if (options.programs.shard.of > 1)
    raise(option_problem("a pool is no part of a run: its candidates come in rounds", ""));
  if (options.ranking.cut_off != 0)
    raise(
        option_problem("`--cut-off` depends on all candidates, and those of a pool come in rounds",
                       "do without it"));
  options.details.rows_mutex = &rows_mutex_;
  thread_ = std::thread([this] { serve(); });
  try {
    do_now([this, &cases] { open(std::move(cases)); });
    if (was_interrupted_) raise(stopped());
  } catch (...) {
    end_with({});
    throw;
  }
}

Pool::~Pool() {
  if (!thread_.joinable()) return;
  stop_.request_stop();
  end_with({});
}

void Pool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return job_ || is_leaving_; });
    if (!job_) return;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      job_();
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    job_ = nullptr;
    if (!failure_) failure_ = std::exchange(thrown, nullptr);
    is_busy_ = false;
    changed_.notify_all();
    // What nobody gets wants the interpreter's lock, whose holders want this one.
    lock.unlock();
    thrown = nullptr;
    lock.lock();
  }
}

void Pool::look_for_signals() {
  if (take_interrupt(*this)) interrupt();
}

void Pool::fail(py::error_already_set error) {
  {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::make_exception_ptr(std::move(error));
  }
  stop_.request_stop();
}

template <class Done, class Enough>
void Pool::wait_until(const Done& is_done, const Enough& is_enough) {
  const GivenLock given;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kBetweenLooks, is_done)) {
    if (is_enough()) return;
    lock.unlock();
    {
      const TakenLock taken;
      look_for_signals();
    }
    lock.lock();
  }
}

void Pool::check_thread() const {
  if (is_own_thread())
    raise(input_problem({},
                        "the pool's own thread calls it: a generator of candidates, or `progress`",
                        "use the pool again once the round is over"));
}

void Pool::claim() {
  check_thread();
  const auto is_free = [this] { return !is_busy_; };
  for (;;) {
    wait_until(is_free, [] { return false; });
    // Another thread of Python may have come first.
    const std::scoped_lock lock(mutex_);
    if (!is_free()) continue;
    is_busy_ = true;
    return;
  }
}

void Pool::give_up() {
  const std::scoped_lock lock(mutex_);
  is_busy_ = false;
  changed_.notify_all();
}

void Pool::start(std::function<void()> job) {
  {
    const std::scoped_lock lock(mutex_);
    changed_.notify_all();
    if (!is_leaving_) {
      job_ = std::move(job);
      return;
    }
    is_busy_ = false;
  }
  check_goes_on();
}

void Pool::finish() {
  wait_until([this] { return !is_busy_; }, [] { return false; });
  raise_failure();
}

void Pool::do_now(std::function<void()> job) {
  claim();
  start(std::move(job));
  finish();
}

void Pool::raise_failure() {
  std::exception_ptr failure;
  {
    const std::scoped_lock lock(mutex_);
    failure = std::exchange(failure_, nullptr);
  }
  if (failure) std::rethrow_exception(failure);
}

void Pool::open(GivenTables cases) {
  setting_->read(std::move(cases), stop_.get_token());
  if (stop_.stop_requested()) return;
  cases_ = setting_->cases.rows.size();
  setting_->open_machines();
  setting_->open_log(stop_.get_token());
  rounds_.emplace(setting_->cases, setting_->request.options, results_, &best_, &told_,
                  stop_.get_token());
  raise(rounds_->begin());
  const services::EvaluationRequest& request = setting_->request;
  if (!request.resumes || stop_.stop_requested()) return;
  std::vector<engine::LoggedCandidate> known;
  raise(engine::read_logged_candidates(request.log_path, known));
  LoggedSource source(std::move(known));
  evaluate(source);
  resumed_ = rows_;
}

void Pool::evaluate(engine::CandidateSource& source) {
  source_.set(source);
  raise(rounds_->run(best_));
}

void Pool::check_goes_on() const {
  const std::string& log = setting_->request.log_path;
  const std::string remedy =
      log.empty() ? "make another one"
                  : "make another one that goes on with its log: `resume='" + log + "'`";
  if (is_closed_)
    raise(input_problem({}, "the pool is closed, and takes no more candidates", remedy));
  if (rounds_->goes_on()) return;
  raise(input_problem({},
                      was_interrupted_
                          ? "the pool was interrupted, and takes no more candidates"
                          : "the pool has ended with an error, and takes no more candidates",
                      remedy));
}

std::pair<u64, u64> Pool::begin_round(const py::object& candidates, std::optional<u64> total,
                                      std::vector<std::string> paths) {
  std::optional<py::iterator> given;
  if (!candidates.is_none()) given.emplace(py::iter(candidates));
  claim();
  try {
    raise_failure();
    check_goes_on();
  } catch (...) {
    give_up();
    throw;
  }
  given_ = std::move(given);
  const std::pair<u64, u64> begun{begun_++, rows_};
  start([this, total, paths = std::move(paths)] { run_round(total, paths); });
  return begun;
}

void Pool::run_round(std::optional<u64> total, const std::vector<std::string>& paths) {
  RoundFailure failure(stop_, reads_no_more_, total.has_value());
  Problem problem;
  std::exception_ptr thrown;
  try {
    if (given_) {
      PythonCandidates source(*given_, total, failure, rows_);
      evaluate(source);
    } else {
      services::CandidateInput input;
      const std::vector<std::string_view> views(paths.begin(), paths.end());
      raise(input.open(views, stop_.get_token()));
      evaluate(input.source());
      raise(input.problem());
    }
  } catch (...) {
    thrown = std::current_exception();
  }
  if (failure.thrown) thrown = failure.thrown;
  // Whoever sees the end sees the failure, too.
  const std::scoped_lock lock(mutex_);
  ends_.push_back(rows_);
  if (!failure_) failure_ = std::exchange(thrown, nullptr);
}

void Pool::on_result(const engine::Results& results, u32 row) {
  row_notes_.on_result(results, row);
  rows_ = u64{row} + 1;
}

std::pair<u64, bool> Pool::wait(u64 round, u64 known, u64 wakes) {
  check_thread();
  const auto has_ended = [&] { return ends_.size() > round; };
  wait_until(has_ended, [&] { return rows_ > known || wakes_ != wakes; });
  std::optional<u64> end;
  {
    const std::scoped_lock lock(mutex_);
    if (has_ended()) end = ends_[round];
  }
  // What the round has thrown comes behind its candidates.
  const bool is_end = end && known >= *end;
  if (is_end) raise_failure();
  return {end.value_or(rows_), is_end};
}

std::shared_ptr<Ranking> Pool::copy_ranking() {
  const auto ranking = std::make_shared<Ranking>(setting_);
  ranking->results = results_;
  ranking->texts = texts_;
  ranking->texts.cut(results_.rows.size());  // a stop may have left some without rows
  ranking->programs = best_.programs();
  ranking->was_interrupted = was_interrupted_;
  if (was_interrupted_) ranking->results.complete = false;
  ranking->notes = setting_->notes_on(results_);
  ranking->notes.push_back(row_notes_.equal_ids());
  if (!setting_->request.options.programs.signature)
    ranking->notes.push_back(services::signature_note(results_));
  // What a candidate tells of itself does not depend on when the pool was ranked.
  for (engine::ResultRow& row : results_.rows) {
    row.rank = 0;
    row.pareto = false;
  }
  results_.held_out_rows.clear();
  return ranking;
}

std::shared_ptr<Ranking> Pool::ranking() {
  if (last_) return last_;
  claim();
  // Another thread may have closed the pool meanwhile.
  if (last_) {
    give_up();
    return last_;
  }
  std::shared_ptr<Ranking> made;
  start([&] { raise(rounds_->rank([&] { made = copy_ranking(); })); });
  finish();
  return made;
}

void Pool::end_with(std::function<void()> job) {
  std::exception_ptr failure;
  if (job) {
    try {
      do_now(std::move(job));
    } catch (...) {
      failure = std::current_exception();
    }
  }
  {
    const GivenLock given;
    {
      const std::scoped_lock lock(mutex_);
      is_leaving_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  rounds_.reset();
  given_.reset();
  setting_->close();
  if (failure) std::rethrow_exception(failure);
}

void Pool::close() {
  if (is_closed_) return;
  check_thread();
  is_closed_ = true;
  reads_no_more_ = true;
  end_with([this] { raise(rounds_->end([this] { last_ = copy_ranking(); })); });
}

void Pool::interrupt() {
  was_interrupted_ = true;
  stop_.request_stop();
}

void Pool::abandon() {
  if (is_closed_) return;
  check_thread();
  is_closed_ = true;
  stop_.request_stop();
  end_with([this] { raise(rounds_->rank([this] { last_ = copy_ranking(); })); });
}

py::dict Pool::facts() const {
  py::dict facts;
  facts["entry"] = setting_->request.options.programs.entry;
  facts["has_harness"] = !setting_->request.harness_path.empty();
  facts["cases"] = cases_;
  return facts;
}

template <class Look>
auto Pool::look(u64 number, const Look& look) const {
  if (number >= rows_) throw py::index_error("there is no such candidate");
  // Others may hold it for long.
  const GivenLock given;
  const std::scoped_lock lock(rows_mutex_);
  return look(static_cast<u32>(number));
}

std::string Pool::id(u64 number) const {
  return look(number, [this](u32 row) { return std::string(results_.id(row)); });
}
std::string Pool::status(u64 number) const {
  return look(number, [this](u32 row) {
    return std::string(engine::status_name(results_.rows[row].status));
  });
}
std::optional<f64> Pool::score(u64 number) const {
  return look(number, [this](u32 row) { return score_of(results_.rows[row]); });
}
std::string Pool::row_json(u64 number) const {
  return look(number, [this](u32 row) {
    std::string json;
    engine::write_row_json(json, results_, row);
    return json;
  });
}
std::string Pool::source(u64 number) const {
  return look(number, [this](u32 row) {
    const engine::FixedSource* const fixed = results_.fixed_source(row);
    return fixed != nullptr ? fixed->text : std::string(texts_[row]);
  });
}
py::object Pool::case_scores(u64 number) const {
  const auto scores = look(number, [this](u32 row) {
    const std::span<const f64> found = results_.case_scores_of(row);
    return std::vector<f64>(found.begin(), found.end());
  });
  return array_of(scores);
}

namespace {

// A process that was forked from the pool's has none of its threads: there the pool is left as it is. So it is where a generator of its
// last round, which the pool's thread runs, gives it up.
struct DeletePool {
  pid_t process = getpid();
  void operator()(Pool* pool) const {
    if (getpid() == process && !pool->is_own_thread()) delete pool;
  }
};

std::shared_ptr<Pool> make_pool(Session& session, const std::vector<std::string>& words,
                                const py::object& cases, const py::object& held_out,
                                const py::object& progress) {
  GivenTables given{given_cases(cases), given_cases(held_out)};
  // Rounds come as long as the pool lives, and what becomes of the arrays until then is their owner's matter.
  for (std::optional<GivenCases>* table : {&given.cases, &given.held_out})
    if (*table && (*table)->columns) (*table)->columns = engine::copy_of(*(*table)->columns);
  return {new Pool(session, words, std::move(given), progress), DeletePool()};
}

}  // namespace

void register_pool(py::module_& module) {
  py::class_<Pool, std::shared_ptr<Pool>>(module, "Pool", py::module_local())
      .def(py::init(&make_pool), py::arg("session"), py::arg("words"), py::arg("cases"),
           py::arg("held_out"), py::arg("progress"))
      .def("begin_round", &Pool::begin_round)
      .def("wait", &Pool::wait)
      .def("ranking", &Pool::ranking)
      .def("close", &Pool::close)
      .def("abandon", &Pool::abandon)
      .def("interrupt", &Pool::interrupt)
      .def("wake", &Pool::wake)
      .def("wakes", &Pool::wakes)
      .def("__len__", &Pool::size)
      .def("resumed", &Pool::resumed)
      .def("is_closed", &Pool::is_closed)
      .def("was_interrupted", &Pool::was_interrupted)
      .def("facts", &Pool::facts)
      .def("id", [](const Pool& pool, u64 number) { return text_of(pool.id(number)); })
      .def("rank", [](const Pool&, u64) { return py::none(); })
      .def("status", &Pool::status)
      .def("score", &Pool::score)
      .def("row_json",
           [](const Pool& pool, u64 number) { return py::bytes(pool.row_json(number)); })
      .def("source", [](const Pool& pool, u64 number) { return text_of(pool.source(number)); })
      .def("case_scores", &Pool::case_scores);
}

}  // namespace komuz::python

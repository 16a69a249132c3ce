// SPDX-License-Identifier: Apache-2.0
// komuz.rank and komuz.search: the request of `komuz eval` or `komuz search`, with candidates and cases from Python.
#pragma once
#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "python/binding/ranking.h"
#include "python/binding/run_setting.h"
#include "python/binding/session.h"
#include "python/binding/stoppable.h"
#include "services/options/evaluation_options.h"

namespace komuz::python {

using NameAndText = std::optional<std::pair<std::string, std::string>>;
[[nodiscard]] inline std::optional<GivenText> named(const NameAndText& text) {
  return text ? std::optional(GivenText{text->first, text->second}) : std::nullopt;
}

[[nodiscard]] inline std::optional<GivenCases> given_text(const NameAndText& text) {
  return text ? std::optional(GivenCases{text->first, text->second, nullptr}) : std::nullopt;
}

// The logs of a run's parts.
struct PartLogs {
  std::vector<std::string> paths;
  bool is_partial = false;  // some may be missing, or have no end
};

// Of a search that is one of several: which of how many, the generations between exchanges, and how many variants go.
using IslandNumbers = std::tuple<u32, u32, u64, u32>;
[[nodiscard]] inline std::optional<services::Island> island_of(
    const std::optional<IslandNumbers>& numbers) {
  if (!numbers) return std::nullopt;
  const auto [index, of, every, migrants] = *numbers;
  return services::Island{{index, of}, 0, every, migrants};
}

// Names of variants that leave an island → those that come to it; none: its search is to end.
using Exchange =
    std::function<std::optional<std::vector<std::string>>(std::vector<std::string> leaving)>;

// What Python gives beside the options. Exactly one of the first two is there, or the options name paths.
struct RunInputs {
  std::optional<py::iterator> candidates = {};
  std::optional<GivenText> sketch = {};
  std::optional<u64> total = {};  // of the candidates, if it is known
  GivenTables cases = {};
  py::object progress = py::none();
  bool only_checks = false;            // no candidate is read
  std::optional<PartLogs> parts = {};  // in place of an evaluation
  std::optional<services::Island> island = {};
  Exchange exchange = {};  // of an island

  [[nodiscard]] bool has_paths() const { return !candidates && !sketch; }
};

// A call whose options have been read.
class RankRun {
 public:
  // The caller holds the interpreter's lock. `stoppable`: gets what candidates and progress raise.
  RankRun(Session& session, services::EvaluationKind kind, const std::vector<std::string>& words,
          RunInputs inputs, Stoppable& stoppable);
  ~RankRun();
  RankRun(const RankRun&) = delete;
  RankRun& operator=(const RankRun&) = delete;

  // Without the lock. Throws what is wrong.
  void run(const std::stop_token& stop);
  [[nodiscard]] const std::shared_ptr<Ranking>& ranking() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

void register_rank(py::module_& module);
void register_island(py::module_& module);

}  // namespace komuz::python

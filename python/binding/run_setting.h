// SPDX-License-Identifier: Apache-2.0
// What a run of candidates is made with: options, modules, the harness, cases, machines and the log. Rankings refer to it.
#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/log/result_log.h"
#include "engine/results/equal_ids.h"
#include "neural/tier/tier.h"
#include "python/binding/given_cases.h"
#include "python/binding/session.h"
#include "services/files/project.h"
#include "services/options/evaluation_request.h"
#include "services/results/ranking_text.h"

namespace komuz::python {

// A text with the name under which messages speak of it.
struct GivenText {
  std::string name, text;
};

// Tables that Python gives; else the options name their paths.
struct GivenTables {
  std::optional<GivenCases> cases, held_out;
};

class RunSetting {
 public:
  // Reads the options, which are words of a command line. `has_paths`: its first word is a path of candidates.
  RunSetting(Session& session, services::EvaluationKind kind, const std::vector<std::string>& words,
             bool has_paths);

  // Compiles the harness and reads the cases, up to a stop.
  void read(GivenTables given, const std::stop_token& stop);
  // Finds out what programs are run on. From then on until close() the options refer to it.
  void open_machines();
  // The log, if one is asked for.
  void open_log(const std::stop_token& stop);
  // The run is over, and what is left is its results.
  void close();

  // So many of the best programs are told of, or optimised.
  [[nodiscard]] u64 told_programs() const {
    return request.options.programs.shard.of > 1
               ? 0
               : std::max(request.optimised, request.options.details.programs);
  }
  // What `stats` asks for, once the run is over.
  [[nodiscard]] const std::string& stats() const { return stats_; }
  // What is to be said of the results as a whole, and of the cases.
  [[nodiscard]] std::vector<services::Note> notes_on(const engine::Results& results) const;

 private:
  // The request refers to them.
  std::deque<std::string> words_;

 public:
  services::EvaluationRequest request;
  services::Project project;
  engine::CasesTable cases, held_out;
  std::vector<services::Note> notes;
  std::optional<engine::ResultLog> log;

 private:
  void take_harness(engine::ModuleLoader& modules);
  void read_table(std::optional<GivenCases> given, const std::string& path,
                  const std::stop_token& stop, engine::CasesTable& table);
  void read_cases(GivenTables given, const std::stop_token& stop);

  std::shared_ptr<engine::NativeTier> native_;
  std::optional<neural::Tier> tier_;
  std::optional<engine::Devices> devices_;
  bool says_stats_ = false;
  std::string stats_;
};

// Notes ids that several candidates have.
class RowNotes final : public engine::ResultSink {
 public:
  bool has_variants = false;  // these have names of their own

  void on_result(const engine::Results& results, u32 row) override {
    if (!has_variants) equal_ids_.add(results.id(row));
  }
  [[nodiscard]] services::Note equal_ids() const { return services::equal_ids_note(equal_ids_); }

 private:
  engine::EqualIds equal_ids_;
};

}  // namespace komuz::python

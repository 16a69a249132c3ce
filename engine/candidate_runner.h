// SPDX-License-Identifier: Apache-2.0
// One candidate, from source to result row. A workspace for one thread; knows of no other candidate.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/evaluate.h"
#include "engine/score.h"
#include "frontend_gpu/frontend.h"
#include "vm/vm.h"

namespace komuz::engine {

// A result that is not yet a row among others: its details are still with it.
struct CandidateResult {
  ResultRow row;
  bool has_failure = false;
  Failure failure;
  std::vector<DiagnosticText> diagnostics;
  bool done = false;

  void clear();
};

class CandidateRunner {
 public:
  explicit CandidateRunner(const EvaluateOptions& options);

  [[nodiscard]] frontend::TextHash identify(std::string_view source) {
    return compiler_.identify(source);
  }

  // Compiles and finds the entry; what it finds wrong goes to `out`, which is then done.
  // True: there is an entry, and signature() and run() are about it.
  bool compile(const Candidate& candidate, CandidateResult& out);
  [[nodiscard]] Signature signature() const;

  // Runs the entry on every case of the suite and scores it. Not done when stopped.
  void run(std::string_view source, const Suite& suite, std::stop_token stop, CandidateResult& out);

 private:
  void keep_diagnostics(std::string_view source, CandidateResult& out) const;
  OutcomesView outcomes(u32 rows, size_t result_cells);
  void keep_failure(std::string_view source, u32 row, u32 case_index, const OutcomesView& outcomes,
                    CandidateResult& out) const;

  const EvaluateOptions& options_;
  frontend::Compiler compiler_;
  frontend::Compilation compilation_;
  u32 entry_ = 0;
  vm::BatchMachine machine_;
  std::optional<Scorer> scorer_;
  std::vector<ArgumentColumn> columns_;
  // What outcomes() shows.
  std::vector<u64> values_, fuel_;
  std::vector<Trap> traps_;
  std::vector<u32> places_, depths_;
};

// A result of a candidate that cannot be run.
void refuse(std::string reason, CandidateResult& out);

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// A run of which only the best variants are asked for, all of it on a device: it makes, runs and ranks the variants of a sketch, or
// breeds those of a search (device_sweep.h, device_search.h). Nothing of them comes to the host but the best, which are run once more
// here, for all that is said of them.
#pragma once
#include <functional>
#include <string>

#include "engine/run/best_candidate.h"
#include "engine/run/collect_rows.h"
#include "engine/run/device_runner.h"
#include "engine/run/program_supply.h"
#include "engine/run/shown_programs.h"
#include "engine/run/workers.h"

namespace komuz::engine {

class DeviceRanking {
 public:
  // What it works on; all of it outlives it.
  struct Context {
    const EvaluateOptions& options;
    Results& results;
    RowCollector& collector;
    BestCandidate& winner;
    ShownPrograms& shown;
    ResultSink* sink;
    Workers& workers;
    DeviceRunner& device;
    ProgramSupply& supply;
    // A candidate may give the signature, where none is known.
    std::function<Problem(const Candidate&)> learn_signature;
    std::function<void(u64 done)> on_variants;
  };
  explicit DeviceRanking(Context context) : context_(std::move(context)) {}

  // Evaluates all candidates of the source where that is wanted and the device can. False: it is not, or the device cannot; then
  // nothing was done but that the first of the candidates may have given the signature.
  [[nodiscard]] Result<bool> run(CandidateSource& source);

 private:
  // A variant of the sketch, which has a number or decisions.
  struct Variant {
    std::string id;
    Decisions decisions;
    u64 number;
  };
  [[nodiscard]] Candidate candidate_of(const Variant& variant) const;
  // Are the best alone asked for, by whoever asks?
  [[nodiscard]] bool is_wanted(bool is_search) const;
  // Does the device make variants? This is one of them, which gives the signature where none is stated.
  [[nodiscard]] Result<bool> open(const Variant& first);
  // As run().
  [[nodiscard]] Result<bool> sweep(const VariantNumbers& numbers);
  [[nodiscard]] Result<bool> search(SearchCandidates& source);
  [[nodiscard]] Problem add_ranked(const SweptVariants& swept,
                                   const std::function<Variant(size_t ranked)>& variant_of);

  const Context context_;
};

}  // namespace komuz::engine

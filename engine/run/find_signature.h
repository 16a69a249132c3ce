// SPDX-License-Identifier: Apache-2.0
// The signature that candidates are run with: the one that the options state, or else that of the first candidate
// that the cases fit. Until it is known, candidates come one after the other. Later candidates may have other
// parameters (own_signatures.h).
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/evaluate_options.h"
#include "engine/candidates/own_signatures.h"
#include "engine/results/candidate_result.h"

namespace komuz::engine {

// Refuses a candidate whose result type is not the stated one.
void refuse_result(const Signature& signature, const EvaluateOptions& options,
                   CandidateResult& out);

class SignatureFinder {
 public:
  // The arguments outlive this object. Of the results it sets `typed`, `signature`, `scale`, `suite` and the held-out
  // suite.
  SignatureFinder(OwnSignatures& own, const EvaluateOptions& options, Results& results)
      : own_(own), options_(options), results_(results) {}

  // A stop ends the typing of cases; the error is then stopped().
  void stop_when(std::stop_token stop) { stop_ = std::move(stop); }
  // Takes the stated signature. An error means that the cases do not fit it.
  Problem use_stated();
  // Tries the signature of a candidate. If the cases do not fit it, `out` says so: the next candidate's may be right.
  // An error means that the cases fitted none of many candidates, so the fault must be theirs.
  Problem take(const Signature& signature, std::string_view id, CandidateResult& out);
  // The fault of the first signature that did not fit; none if there is none.
  Problem first_unfit() const;

 private:
  // Types the cases for the signature, which the kind of score must suit. `scale`: the scale of scores; null if it
  // follows from the cases and the options.
  Problem make_scored_suite(TypedColumns& cases, const Signature& signature,
                            const ScoreScale* scale, Suite& out) const;
  Problem make_held_out(const Signature& signature);
  // An error means that the held-out cases fit no candidate.
  Problem set(const Signature& signature);

  OwnSignatures& own_;
  const EvaluateOptions& options_;
  Results& results_;
  std::stop_token stop_;
  static constexpr size_t kMostUnfit = 64;
  struct Unfit {
    std::string signature, reason;
    Problem error;  // reported if no signature of the run fits
  };
  std::vector<Unfit> unfit_;
};

}  // namespace komuz::engine

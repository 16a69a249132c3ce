// SPDX-License-Identifier: Apache-2.0
// The signature that candidates are run with: the one that the options state, or else that of the first candidate that the
// cases fit. Until it is known, candidates come one after the other. Others may have other parameters (own_signatures.h).
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/evaluate_options.h"
#include "engine/candidates/own_signatures.h"
#include "engine/results/candidate_result.h"

namespace komuz::engine {

// Refuses who gives another type than the one that was stated.
void refuse_result(const Signature& signature, const EvaluateOptions& options,
                   CandidateResult& out);

class SignatureFinder {
 public:
  // All of them outlive it. Of the results it sets `typed`, `signature`, `scale`, `suite` and the suite that is held out.
  SignatureFinder(OwnSignatures& own, const EvaluateOptions& options, Results& results)
      : own_(own), options_(options), results_(results) {}

  // Typing the cases ends there; then the error is stopped().
  void stop_when(std::stop_token stop) { stop_ = std::move(stop); }
  // Takes the stated one. An error: the cases do not fit it.
  Problem use_stated();
  // Tries that of a candidate. Where the cases do not fit it, `out` says so: the next one may be right. An error: so many did
  // not fit that it must be the cases.
  Problem take(const Signature& signature, std::string_view id, CandidateResult& out);
  // What was wrong with the first that did not fit; none: there is none such.
  Problem first_unfit() const;

 private:
  // Cases, typed for the signature, which the kind of score must suit. `scale`: what scores measure by; null: it follows from the
  // cases and the options.
  Problem make_scored_suite(TypedColumns& cases, const Signature& signature,
                            const ScoreScale* scale, Suite& out) const;
  Problem make_held_out(const Signature& signature);
  // An error: those that are held out fit nobody.
  Problem set(const Signature& signature);

  OwnSignatures& own_;
  const EvaluateOptions& options_;
  Results& results_;
  std::stop_token stop_;
  static constexpr size_t kMostUnfit = 64;
  struct Unfit {
    std::string signature, reason;
    Problem error;  // for a run in which no signature fits
  };
  std::vector<Unfit> unfit_;
};

}  // namespace komuz::engine

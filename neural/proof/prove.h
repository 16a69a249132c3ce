// SPDX-License-Identifier: Apache-2.0
// How a question is answered, with any solver.
#pragma once
#include <functional>

#include "neural/proof/abi.h"
#include "neural/proof/prover.h"

namespace komuz::neural {

struct SolverAnswer {
  Decision decision = Decision::Unknown;
  std::vector<u64> variables;  // of Possible: by number
  std::string why;             // of Unknown
  u64 resources = 0;
};
// Can all these bools be true at once? `resources` as in ProofQuestion.
using Solver =
    std::function<SolverAnswer(const Terms& terms, std::span<const Term> claims, u64 resources)>;

// Without a solver only what is the same by its terms is proved.
[[nodiscard]] ProofAnswer prove_with(const ProofQuestion& question, const std::stop_token* stop,
                                     const Solver& solver);

}  // namespace komuz::neural

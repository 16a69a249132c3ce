// SPDX-License-Identifier: Apache-2.0
// Which recursive functions of two programs are partners: their calls become one function of terms, for an induction over how
// deep calls may go.
#pragma once
#include "neural/proof/prover.h"
#include "neural/proof/terms/execute.h"

namespace komuz::neural {

struct Partners {
  u32 a, b;  // functions of both programs, with the same types and the same `rec`
};

struct CallNames {
  std::vector<Partners> partners;
  std::vector<CallName> a, b;  // by function
};

// Partners among the recursive functions that the two functions of a question reach: the two themselves, and those with equal names.
[[nodiscard]] CallNames find_partners(const ProofQuestion& question);

}  // namespace komuz::neural

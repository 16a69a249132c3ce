// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/prover.h"

#include <mutex>

#include "base/machine/opened_library.h"
#include "neural/proof/abi.h"
#include "neural/proof/prove.h"

namespace komuz::neural {
namespace {

u32 is_stopped(void* context) {
  return static_cast<const std::stop_token*>(context)->stop_requested() ? 1 : 0;
}

}  // namespace

Result<const Prover*> open_prover() {
  static const Result<const void*> opened = machine::open_own_library({.file = "komuz_prover.so",
                                                                       .variable = "KOMUZ_PROVER",
                                                                       .table = kProverName,
                                                                       .version = kProverVersion,
                                                                       .what = "prover",
                                                                       .lacks = "Z3",
                                                                       .package = "libz3-dev"});
  if (opened.problem()) return Problem(opened.problem());
  static const Prover prover(*static_cast<const AbiProver*>(opened.value()));
  return &prover;
}

std::string Prover::about() const { return table_.about(); }

ProofAnswer Prover::prove(const ProofQuestion& question, const std::stop_token* stop) const {
  const Solver solver = [&](const Terms& terms, std::span<const Term> claims, u64 resources) {
    SolverAnswer answer;
    answer.variables.resize(terms.variables());
    AbiDecision decision = {};
    decision.variables = answer.variables.data();
    const AbiClaims asked = {.rows = terms.rows().data(),
                             .row_count = terms.rows().size(),
                             .arguments = terms.arguments().data(),
                             .functions = terms.functions().data(),
                             .function_count = terms.functions().size(),
                             .claims = claims.data(),
                             .claim_count = claims.size(),
                             .resources = resources,
                             .time_limit_ms = question.time_limit_ms,
                             .reserved = 0,
                             .is_stopped = stop != nullptr ? is_stopped : nullptr,
                             .context = const_cast<std::stop_token*>(stop)};
    {
      // Z3 bounds the memory of the process: one question at a time, so that no answer depends on others.
      static std::mutex one_at_a_time;
      const std::lock_guard lock(one_at_a_time);
      table_.decide(&asked, &decision);
    }
    answer.decision = decision.decision;
    answer.why = decision.why;
    answer.resources = decision.resources;
    return answer;
  };
  return prove_with(question, stop, solver);
}

}  // namespace komuz::neural

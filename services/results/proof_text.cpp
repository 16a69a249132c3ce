// SPDX-License-Identifier: Apache-2.0
#include "services/results/proof_text.h"

#include "base/counts.h"

namespace komuz::services {

std::string evidence_text(const neural::Equality& e) {
  switch (e.evidence) {
    case neural::Evidence::SameCode: return "their code is the same";
    case neural::Evidence::AllInputs: return "all " + grouped(e.inputs) + " were run";
    case neural::Evidence::Solver: return e.method;
    case neural::Evidence::Inputs: break;
  }
  if (e.inputs == 0) return "no guided input could be compared";
  return "0 of " + counted(e.inputs, "guided input") + " showed a difference";
}

}  // namespace komuz::services

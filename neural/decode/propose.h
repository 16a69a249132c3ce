// SPDX-License-Identifier: Apache-2.0
// What the model proposes for a lone function (neural/windows): checked code with the same parameters and result. Nothing
// is judged: a proposal may be wrong, or what stands there already.
#pragma once
#include "neural/decode/decode.h"

namespace komuz::neural {

struct ModelProposal {
  Code code;  // checked: one function
  Candidate candidate;
};

struct ModelProposals {
  std::vector<ModelProposal> proposals;   // in the order of decode()
  Unwritten unwritten = Unwritten::None;  // the function has no words, so there is no proposal
  Problem problem;                        // the device failed, so there is no proposal
};

// `lone` is checked. `device`: where the model is calculated, which was opened for it; null: here.
[[nodiscard]] ModelProposals propose(const Model& model, const CodeView& lone,
                                     const DecodeOptions& options, ModelDevice* device = nullptr);

}  // namespace komuz::neural

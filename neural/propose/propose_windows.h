// SPDX-License-Identifier: Apache-2.0
// What the model proposes for the windows of a program, and what became of each proposal. Nothing is replaced:
// neural/optimise does that.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/support/watch.h"
#include "neural/decode/propose.h"
#include "neural/equal/equality.h"
#include "neural/windows/windows.h"

namespace komuz::neural {

struct ProposeOptions {
  DecodeOptions decode;
  u64 seed = 0;  // of the inputs that proposals are compared on
  u64 resources = kProofResources;
  ModelDevice* device =
      nullptr;  // where the model is calculated, which was opened for it; null: here
  const engine::Watch* watch = nullptr;  // is told of windows
};

struct JudgedProposal {
  ModelProposal proposal;
  u64 cost = 0;       // neural/teacher/costs.h
  Equality equality;  // with the window, ticks included
};

struct ProposedWindow {
  CodeWindow window;
  LoneWindow lone;
  u64 cost = 0;
  Unwritten unwritten = Unwritten::None;  // why nothing is proposed
  std::vector<JudgedProposal> proposals;  // in the order of decode()
};

struct ProposedWindows {
  std::vector<ProposedWindow> windows;  // in the order of the code
  bool is_interrupted = false;          // the last windows are missing
  Problem problem;                      // the device failed: the last windows are missing
};

// `code` is checked. Looks at the windows of these functions.
[[nodiscard]] ProposedWindows propose_windows(const CodeView& code, std::span<const u32> functions,
                                              const Model& model, const ProposeOptions& options);

}  // namespace komuz::neural

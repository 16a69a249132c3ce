// SPDX-License-Identifier: Apache-2.0
#include "neural/propose/propose_windows.h"

#include "neural/teacher/costs.h"

namespace komuz::neural {

ProposedWindows propose_windows(const CodeView& code, std::span<const u32> functions,
                                const Model& model, const ProposeOptions& options) {
  ProposedWindows made;
  std::vector<CodeWindow> windows;
  for (const u32 function : functions)
    for (const CodeWindow& window : find_code_windows(code, function)) windows.push_back(window);
  const std::stop_token none;
  const std::stop_token& stop = options.watch != nullptr ? options.watch->stop() : none;
  EqualityOptions question;
  question.fuel = FuelRule::Same;
  question.inputs = kFirstInputs;
  question.seed = options.seed;
  question.resources = options.resources;
  question.proves_by_terms_alone = options.resources == 0;
  question.stop = &stop;
  for (const CodeWindow& window : windows) {
    if (options.watch != nullptr)
      options.watch->tell(made.windows.size(), windows.size(), "windows");
    ProposedWindow& shown = made.windows.emplace_back();
    shown.window = window;
    shown.lone = lone_window(code, window);
    const CodeView lone = shown.lone.code.view();
    shown.cost = cost_of_code(lone, 0);
    DecodeOptions decoding = options.decode;
    decoding.stop = &stop;
    ModelProposals proposals = propose(model, lone, decoding, options.device);
    if (proposals.problem) {
      made.problem = std::move(proposals.problem);
      made.windows.pop_back();
      return made;
    }
    if (stop.stop_requested()) {
      made.windows.pop_back();
      made.is_interrupted = true;
      return made;
    }
    shown.unwritten = proposals.unwritten;
    for (ModelProposal& proposal : proposals.proposals) {
      const CodeView candidate = proposal.code.view();
      // The types are the same, and there are no slices: that is no problem.
      Result<Equality> equality = compare({lone, 0}, {candidate, 0}, question);
      if (stop.stop_requested()) {
        made.windows.pop_back();
        made.is_interrupted = true;
        return made;
      }
      if (equality.problem()) continue;
      const u64 cost = cost_of_code(candidate, 0);
      shown.proposals.push_back({std::move(proposal), cost, std::move(equality).value()});
    }
  }
  return made;
}

}  // namespace komuz::neural

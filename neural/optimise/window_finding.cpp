// SPDX-License-Identifier: Apache-2.0
#include "neural/optimise/window_finding.h"

#include <utility>
#include <vector>

#include "neural/teacher/costs.h"
#include "neural/teacher/rewrite.h"

namespace komuz::neural {

WindowFinding look_at_window(const CodeView& lone, const OptimiseOptions& options,
                             const std::stop_token* stop) {
  WindowFinding finding;
  std::vector<Proposal> proposals;
  const auto propose = [&](Code made, Author author) {
    const u64 made_cost = cost_of_code(made.view(), 0);
    proposals.push_back({std::move(made), author, made_cost});
  };
  propose(rewrite(lone), Author::Rules);
  if (options.by_teacher) {
    TeachOptions teach = options.teach;
    teach.stop = stop;
    propose(teach_window(lone, teach).code, Author::Teacher);
  }
  if (options.model != nullptr) {
    DecodeOptions decoding = options.decode;
    decoding.stop = stop;
    for (ModelProposal& made : neural::propose(*options.model, lone, decoding).proposals) {
      Code shorter = rewrite(made.code.view());
      propose(std::move(made.code), Author::Model);
      propose(std::move(shorter), Author::Model);
    }
  }
  JudgeOptions judge_options = options.judge;
  judge_options.stop = stop;
  Judgement judged = judge(lone, cost_of_code(lone, 0), proposals, judge_options);
  finding.refuted = judged.refuted;
  finding.unproved = judged.unproved;
  finding.why = std::move(judged.why);
  if (!judged.choice) return finding;
  finding.better = std::move(proposals[*judged.choice]);
  finding.equality = std::move(judged.equality);
  return finding;
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/propose.h"

#include "neural/tokens/read_words.h"

namespace komuz::neural {

ModelProposals propose(const Model& model, const CodeView& lone, const DecodeOptions& options,
                       ModelDevice* device) {
  ModelProposals made;
  Source source;
  WordLine line;
  made.unwritten = write_source(lone, source, line);
  if (made.unwritten != Unwritten::None) return made;
  Result<std::vector<Candidate>> candidates = device != nullptr
                                                  ? decode_on(*device, model, source, line, options)
                                                  : decode(model, source, line, options);
  if (candidates.problem()) {
    made.problem = candidates.problem();
    return made;
  }
  for (Candidate& candidate : candidates.value()) {
    Result<Code> code = read_words(source, candidate.words);
    // The mask allows nothing that is no code.
    if (code.problem()) continue;
    made.proposals.push_back({std::move(code).value(), std::move(candidate)});
  }
  return made;
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/propose.h"

#include "neural/tokens/read_words.h"

namespace komuz::neural {

ModelProposals propose(const Model& model, const CodeView& lone, const DecodeOptions& options) {
  ModelProposals made;
  Source source;
  WordLine line;
  made.unwritten = write_source(lone, source, line);
  if (made.unwritten != Unwritten::None) return made;
  for (Candidate& candidate : decode(model, source, line, options)) {
    Result<Code> code = read_words(source, candidate.words);
    // The mask allows nothing that is no code.
    if (code.problem()) continue;
    made.proposals.push_back({std::move(code).value(), std::move(candidate)});
  }
  return made;
}

}  // namespace komuz::neural

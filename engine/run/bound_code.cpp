// SPDX-License-Identifier: Apache-2.0
#include "engine/run/bound_code.h"

#include "engine/sketch/sketch_candidates.h"

namespace komuz::engine {

frontend::TextHash BoundCode::identify(const Candidate& candidate) {
  is_variant_ = decisions_of(sketch_.plan, candidate, decisions_) &&
                binder_.bind(decisions_, compilation_.code);
  return is_variant_ ? identity_of(compilation_.code) : frontend::TextHash{};
}

bool BoundCode::compile(const Candidate& candidate, SuppliedCode& out) {
  if (!is_variant_) return false;
  compilation_.diagnostics.clear();
  compilation_.ok = true;
  out = {&compilation_, candidate.source, static_cast<u32>(bound_bytes(compilation_.code)), true};
  return true;
}

}  // namespace komuz::engine

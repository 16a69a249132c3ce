// SPDX-License-Identifier: Apache-2.0
// The call around a place: what it calls, and which parameter the place is for. A source text and a place in, words out.
#pragma once
#include "services/symbols.h"

namespace komuz::services {

struct CallSignature {
  std::string signature;  // `fn clip(x: f64, lo: f64) -> f64`
  // Of each parameter, where it stands in the signature; of `xs.get(i)` what is in the parentheses.
  struct Parameter {
    u32 begin = 0, end = 0;
  };
  std::vector<Parameter> parameters;
  u32 active = 0;  // which one; as many as there are: it is none of them
  std::string module, text;
};
// Nothing where the place is between no call's parentheses.
[[nodiscard]] std::optional<CallSignature> call_signature(const Analysis& analysis, u32 place);

}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// The call around a place: the called function, and the parameter for the place. A source text and a place in, words
// out.
#pragma once
#include "services/symbols.h"

namespace komuz::services {

struct CallSignature {
  std::string signature;  // `fn clip(x: f64, lo: f64) -> f64`
  // The place of each parameter in the signature; for `xs.get(i)`, the content of the parentheses.
  struct Parameter {
    u32 begin = 0, end = 0;
  };
  std::vector<Parameter> parameters;
  u32 active = 0;  // its number; the number of parameters: none of them
  std::string module, text;
};
// Nothing if the place is not between a call's parentheses.
[[nodiscard]] std::optional<CallSignature> call_signature(const Analysis& analysis, u32 place);

// The parts between the first parentheses of a signature.
[[nodiscard]] std::vector<CallSignature::Parameter> parameters_of_signature(
    std::string_view signature);

}  // namespace komuz::services

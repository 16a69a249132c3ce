// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/encode/find_starts.h"

#include <utility>

namespace komuz::engine {

Starts find_starts(const SketchProgram& sketch, std::span<const GivenProgram> given, size_t most,
                   const EncodeOptions& options, const std::stop_token& stop) {
  Starts out;
  VariantEncoder encoder(sketch);
  for (size_t k = 0; k < given.size() && !stop.stop_requested(); ++k) {
    if (out.variants.size() >= most) {
      out.without_room = static_cast<u32>(given.size() - k);
      break;
    }
    Encoded made = encoder.encode(given[k].program, options);
    if (made.why_not.empty()) {
      out.variants.push_back(std::move(made.decisions));
      continue;
    }
    if (out.not_held++ != 0) continue;
    out.not_held_id = given[k].id;
    out.not_held_why = std::move(made.why_not);
  }
  return out;
}

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// How it is known that code is equal, in words.
#pragma once
#include <string>

#include "neural/equal/equality.h"

namespace komuz::services {

// Of a proof: "all 512 were run", "the same terms". Of a test: "0 of 10,000 guided inputs showed a difference".
// Of neither: "no guided input could be compared".
[[nodiscard]] std::string evidence_text(const neural::Equality& equality);

}  // namespace komuz::services

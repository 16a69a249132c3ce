// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/ints.h"

namespace komuz::frontend {

// How many errors are told, and how many warnings of each pass that finds some: as many as a reader takes in. A
// caller that applies fixes asks for more. If there are very many errors (32,768, or 16,384 in an item), the last
// ones are not looked at.
struct ErrorLimits {
  u32 in_all = 64, in_item = 8;
};

}  // namespace komuz::frontend

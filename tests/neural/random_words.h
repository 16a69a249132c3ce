// SPDX-License-Identifier: Apache-2.0
// Words by chance.
#pragma once
#include "base/random.h"
#include "neural/tokens/word_set.h"

namespace komuz::neural {

// One of the words, each as likely.
inline u8 random_word(Random& random, const WordSet& allowed) {
  u32 at = random.below(allowed.count());
  u8 chosen = 0;
  allowed.for_each([&](u8 word) {
    if (at-- == 0) chosen = word;
  });
  return chosen;
}

}  // namespace komuz::neural

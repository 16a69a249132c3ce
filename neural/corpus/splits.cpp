// SPDX-License-Identifier: Apache-2.0
#include "neural/corpus/splits.h"

#include "neural/corpus/skeleton.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

constexpr u32 kLonger = 64;
constexpr u64 kHeldOut = 20;  // one in so many

bool is_of_held_out_family(const WordLine& source) {
  // The arms and lazy operands that are open, the innermost last: true for arms.
  bool is_arm[kMostSourceWords];
  u32 open = 0, arms = 0;
  for (u32 at = 0; at < source.count; ++at) {
    switch (word_row(source.words[at]).kind) {
      case WordKind::If:
        if (open > 0 && !is_arm[open - 1]) return true;
        is_arm[open++] = true;
        ++arms;
        break;
      case WordKind::And:
      case WordKind::Or: is_arm[open++] = false; break;
      case WordKind::EndIf:
        --open;
        --arms;
        break;
      case WordKind::EndLazy: --open; break;
      case WordKind::Store:
        if (arms >= 2) return true;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace

Split split_of(const WordLine& source) {
  if (source.count > kLonger) return Split::Longer;
  if (is_of_held_out_family(source)) return Split::Families;
  return skeleton_hash(source) % kHeldOut == 0 ? Split::Skeletons : Split::Train;
}

}  // namespace komuz::neural

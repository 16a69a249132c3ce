// SPDX-License-Identifier: Apache-2.0
// Prefixes of targets for one source, all of one length, whoever calculates for them: the host (PrefixBatch, in model.h)
// or a device (cuda/model_device.h). Each is a row. The numbers are the same, to the bit.
#pragma once
#include <span>

#include "base/ints.h"

namespace komuz::neural {

class Prefixes {
 public:
  virtual ~Prefixes() = default;
  Prefixes() = default;
  Prefixes(const Prefixes&) = delete;
  Prefixes& operator=(const Prefixes&) = delete;

  [[nodiscard]] virtual u32 rows() const = 0;
  // Row i becomes what row from[i] was: rows are left out, reordered, and continued in several ways.
  virtual void keep(std::span<const u32> from) = 0;
  // Gives row i the word words[i], of the type types[i] (0: none). The first one is BEGIN. There are at most as many
  // steps as the model has places.
  virtual void step(std::span<const u8> words, std::span<const u8> types) = 0;
  // For each word of the model, as the next one of row i. Until the next step or keep.
  [[nodiscard]] virtual std::span<const f32> logits(u32 row) const = 0;
};

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// All values of a type that has few of them.
#pragma once
#include "engine/testing/value_sampler.h"

namespace komuz::neural {

// How many values the type has: `limit` stands for as many or more.
[[nodiscard]] u64 count_values(const engine::ValueShape& shape, u64 limit);

// Goes through them, the simplest first (engine/testing/value_sampler.h).
class AllValues {
 public:
  // The sampler outlives it, and has no domains but those of the types.
  explicit AllValues(engine::ValueSampler& sampler) : sampler_(sampler) {}
  // The next value; false: there is no further one.
  [[nodiscard]] bool next(std::span<u64> cells);

 private:
  engine::ValueSampler& sampler_;
  std::vector<u64> numbers_;  // the choices that made the last value
  bool has_begun_ = false;
};

}  // namespace komuz::neural

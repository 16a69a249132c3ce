// SPDX-License-Identifier: Apache-2.0
// Variants of a sketch that is bound, made by the device that runs each, from their numbers or decisions. What the
// device does not make, of one variant or of all, workers bind.
#pragma once
#include <optional>
#include <vector>

#include "engine/device/variant_maker.h"
#include "engine/run/program_supply.h"

namespace komuz::engine {

class MadeSupply final : public WorkerSupply {
 public:
  // Programs run on devices, and the sketch has no obstacle.
  explicit MadeSupply(const SupplyContext& context);
  [[nodiscard]] Problem make(u32 first, const Suite& suite) override;
  [[nodiscard]] bool supply(u32 worker, u32 i) override;
  [[nodiscard]] bool makes_all(const Candidate& variant, const Suite& suite) override;

 private:
  std::optional<bool> makes_all_;             // once it was asked
  std::vector<VariantMaker::List> variants_;  // that each device makes now
};

}  // namespace komuz::engine

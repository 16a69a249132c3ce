// SPDX-License-Identifier: Apache-2.0
// Programs that a device compiles, all texts that an epoch has for it in one batch; of equal programs one. Workers read
// the code of each when they come to it.
#pragma once
#include <string_view>
#include <vector>

#include "engine/run/program_supply.h"

namespace komuz::engine {

class BatchSupply final : public ProgramSupply {
 public:
  // The options have a batch compiler.
  explicit BatchSupply(const SupplyContext& context);
  [[nodiscard]] Problem prepare(u32 first) override;
  [[nodiscard]] bool supply(u32 worker, u32 i) override;
  // The device that compiles texts may write them, too.
  [[nodiscard]] bool makes_all(const Candidate& variant, const Suite& suite) override;

 private:
  void identify(u32 worker, u32 i);

  const SupplyContext context_;
  std::vector<std::vector<std::string_view>> sources_;  // of each device's batch
};

}  // namespace komuz::engine

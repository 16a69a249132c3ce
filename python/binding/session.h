// SPDX-License-Identifier: Apache-2.0
// What the calls of a process share: machine code that was made for one of them serves the others, too.
#pragma once
#include <array>
#include <memory>

#include "engine/native/native_tier.h"

namespace komuz::python {

class Session {
 public:
  // Null: nothing becomes native.
  [[nodiscard]] const std::shared_ptr<engine::NativeTier>& native(engine::NativeChoice choice) {
    std::shared_ptr<engine::NativeTier>& tier = tiers_[static_cast<size_t>(choice)];
    if (choice != engine::NativeChoice::Never && !tier)
      tier = std::make_shared<engine::NativeTier>(choice);
    return tier;
  }

 private:
  std::array<std::shared_ptr<engine::NativeTier>, std::size(engine::kNativeNames)> tiers_;
};

}  // namespace komuz::python

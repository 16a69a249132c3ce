// SPDX-License-Identifier: Apache-2.0
// Groups on which only tests run the passes. They belong to the library frontend_gpu_stand_ins, not to the
// compiler.
#pragma once
#include <functional>
#include <memory>

#include "frontend_gpu/groups/phases.h"

namespace komuz::frontend {

enum class GroupKind : u8 {
  Serial,
  Permuted,  // serial, but for_each visits its elements in an order drawn from a seed
  Emulated,  // the cooperative group of 32 lanes under the lockstep emulator
};

[[nodiscard]] std::unique_ptr<PhaseRunner> permuted_runner(u64 seed);
[[nodiscard]] std::unique_ptr<PhaseRunner> emulated_runner(u64 seed);

// A value for Options::make_runner. `seed` draws the orders, or the lanes' turns.
[[nodiscard]] inline std::function<std::unique_ptr<PhaseRunner>()> on_group(GroupKind kind,
                                                                            u64 seed) {
  switch (kind) {
    case GroupKind::Serial: return {};
    case GroupKind::Permuted: return [seed] { return permuted_runner(seed); };
    case GroupKind::Emulated: return [seed] { return emulated_runner(seed); };
  }
  return {};
}

}  // namespace komuz::frontend

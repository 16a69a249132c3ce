// SPDX-License-Identifier: Apache-2.0
// Who runs the kernels of a model, and has memory for them: a GPU, or the emulator in its place. It knows nothing of
// models but their launches.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/problem.h"
#include "neural/model/cuda/model_launch.h"

namespace komuz::neural {

// The blocks of memory. Each grows when more is asked for, and then loses what was in it.
enum class DeviceRoom : u8 { Weights, Source, Words, Cache, Cells, Inputs, Logits };
inline constexpr u32 kDeviceRooms = 7;
// Memory of the host for transfers.
enum class HostRoom : u8 { Words, Inputs, Logits };
inline constexpr u32 kHostRooms = 3;

class ModelMachine {
 public:
  virtual ~ModelMachine() = default;

  [[nodiscard]] virtual Result<u8*> reserve(DeviceRoom room, size_t bytes) = 0;
  [[nodiscard]] virtual Result<u8*> reserve_host(HostRoom room, size_t bytes) = 0;

  // What follows happens in the order of the calls, and may happen later, until wait(). Memory of the host that is sent
  // does not change before.
  [[nodiscard]] virtual Problem send(u8* to, const void* from, size_t bytes) = 0;
  // `rows`: of a block, one of kRowsOfABlock.
  [[nodiscard]] virtual Problem encode(const EncodeLaunch& launch, u32 rows) = 0;
  [[nodiscard]] virtual Problem step(const StepLaunch& launch, u32 rows) = 0;
  [[nodiscard]] virtual Problem fetch(void* to, const u8* from, size_t bytes) = 0;
  [[nodiscard]] virtual Problem wait() = 0;

  // How many blocks run at a time, and the bytes of memory that the threads of one may share.
  [[nodiscard]] virtual u32 blocks() const = 0;
  [[nodiscard]] virtual size_t shared_bytes() const = 0;
};

struct OpenedModelMachine {
  std::unique_ptr<ModelMachine> machine;
  std::string name;  // of the GPU
};
// The GPU of this number, or the first that can be used; or why there is none.
[[nodiscard]] Result<OpenedModelMachine> open_model_machine(std::optional<u32> number = {});

// For tests: the lockstep emulator, with lanes in an order that the seed draws; `warps` (1, 2 or 4) of a block, and so many
// blocks that seem to run at a time.
[[nodiscard]] std::unique_ptr<ModelMachine> emulated_model_machine(u64 seed, u32 warps, u32 blocks,
                                                                   size_t shared_bytes);

}  // namespace komuz::neural

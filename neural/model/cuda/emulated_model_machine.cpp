// SPDX-License-Identifier: Apache-2.0
// Runs the blocks of a launch under the lockstep emulator, one after the other. Memory that is reserved, and what the
// threads of a block share, is poison before it is written.
#include <array>
#include <cstring>
#include <vector>

#include "base/group/emulated_machine.h"
#include "base/group/lockstep.h"
#include "neural/model/cuda/model_machine.h"
#include "neural/model/cuda/model_passes.h"

namespace komuz::neural {
namespace {

template <u32 warps>
class EmulatedModelMachine final : public ModelMachine {
 public:
  EmulatedModelMachine(u64 seed, u32 blocks, size_t shared_bytes)
      : lockstep_(seed, warps), blocks_(blocks), shared_bytes_(shared_bytes) {}

  Result<u8*> reserve(DeviceRoom room, size_t bytes) override {
    return poisoned(rooms_[static_cast<u8>(room)], bytes);
  }
  Result<u8*> reserve_host(HostRoom room, size_t bytes) override {
    return poisoned(host_rooms_[static_cast<u8>(room)], bytes);
  }
  Problem send(u8* to, const void* from, size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Problem fetch(void* to, const u8* from, size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Problem wait() override { return {}; }

  Problem encode(const EncodeLaunch& launch, u32 rows) override {
    return with_rows(rows, [&](auto of_block) {
      return run(launch.model, launch.count, of_block, [&](u32 first, f32* memory, auto machine) {
        encode_rows<decltype(of_block)::value>(launch, first, memory, machine);
      });
    });
  }
  Problem step(const StepLaunch& launch, u32 rows) override {
    return with_rows(rows, [&](auto of_block) {
      return run(launch.model, launch.rows, of_block, [&](u32 first, f32* memory, auto machine) {
        step_rows<decltype(of_block)::value>(launch, first, memory, machine);
      });
    });
  }

  [[nodiscard]] u32 blocks() const override { return blocks_; }
  [[nodiscard]] size_t shared_bytes() const override { return shared_bytes_; }

 private:
  // As wide as what a thread reads at once.
  struct alignas(16) Line {
    u32 of[4];
  };
  using Memory = std::vector<Line>;
  // No number.
  static constexpr Line kPoison = {{0x7FC0'DEADu, 0x7FC0'DEADu, 0x7FC0'DEADu, 0x7FC0'DEADu}};

  static u8* poisoned(Memory& memory, size_t bytes) {
    memory.assign(bytes / sizeof(Line) + 1, kPoison);
    return reinterpret_cast<u8*>(memory.data());
  }
  template <class Body>
  Problem run(const ModelThere& model, u32 count, u32 rows, const Body& body) {
    for (u32 first = 0; first < count; first += rows) {
      f32* const memory =
          reinterpret_cast<f32*>(poisoned(shared_, block_numbers(model, rows) * sizeof(f32)));
      const std::string fault = lockstep_.run(
          [&](u32 lane) { body(first, memory, EmulatedWarps<warps>(lockstep_, lane)); });
      if (!fault.empty())
        return device_problem("the block of row " + std::to_string(first) + ": " + fault);
    }
    return {};
  }

  Lockstep lockstep_;
  u32 blocks_;
  size_t shared_bytes_;
  std::array<Memory, kDeviceRooms> rooms_;
  std::array<Memory, kHostRooms> host_rooms_;
  Memory shared_;
};

}  // namespace

std::unique_ptr<ModelMachine> emulated_model_machine(u64 seed, u32 warps, u32 blocks,
                                                     size_t shared_bytes) {
  switch (warps) {
    case 1: return std::make_unique<EmulatedModelMachine<1>>(seed, blocks, shared_bytes);
    case 2: return std::make_unique<EmulatedModelMachine<2>>(seed, blocks, shared_bytes);
    default: return std::make_unique<EmulatedModelMachine<4>>(seed, blocks, shared_bytes);
  }
}

}  // namespace komuz::neural

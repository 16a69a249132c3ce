// SPDX-License-Identifier: Apache-2.0
// Ranking one element after the other, in memory of the host.
#include <cstring>

#include "base/group/plain_machine.h"
#include "engine/cuda/variant_sweep.h"

namespace komuz::engine {
namespace {

class HostVariantSweep final : public VariantSweep {
 protected:
  std::string reserve(Part part, size_t bytes, u8*& out) override {
    std::vector<u64>& memory = parts_[static_cast<u32>(part)];
    const size_t words = (bytes + sizeof(u64) - 1) / sizeof(u64);
    if (memory.size() < words) memory.assign(words, kPoison);
    out = reinterpret_cast<u8*>(memory.data());
    return {};
  }
  std::string run(SweepStep step, const SweepTask& task, u64 elements) override {
    for (u64 k = 0; k < elements; ++k) SweepElement(task, k, PlainMachine{}).run(step);
    return {};
  }
  std::string fetch(void* to, const void* from, size_t bytes) override {
    return copy(to, from, bytes);
  }
  std::string send(void* to, const void* from, size_t bytes) override {
    return copy(to, from, bytes);
  }

 private:
  static constexpr u64 kPoison = 0xDEAD'BEEF'DEAD'BEEF;

  static std::string copy(void* to, const void* from, size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
    return {};
  }

  std::vector<u64> parts_[kParts];
};

}  // namespace

std::unique_ptr<VariantSweep> host_variant_sweep() { return std::make_unique<HostVariantSweep>(); }

}  // namespace komuz::engine

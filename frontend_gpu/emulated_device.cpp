// SPDX-License-Identifier: Apache-2.0
// The device's programs under the lockstep emulator: narrow columns, near and far memory of the sizes that a device
// gives, first by a warp, then, where that has too little, by a block. Then the checker, in the memory of a thread.
#define KOMUZ_CHECKED_PASSES
#define KOMUZ_NARROW_PASSES
#include <cstring>

#include "base/group/emulated_machine.h"
#include "base/group/race.h"
#include "frontend_gpu/batch.h"
#include "frontend_gpu/device_check.h"
#include "frontend_gpu/device_program.h"
#include "frontend_gpu/packed.h"

namespace komuz::frontend {

namespace {

// Memory aligned to 8 bytes.
class Words {
 public:
  u8* sized(u64 bytes) {
    words_.assign(bytes / 8 + 1, 0xCDCD'CDCD'CDCD'CDCDu);
    return reinterpret_cast<u8*>(words_.data());
  }

 private:
  std::vector<u64> words_;
};

// One group of lanes.
template <u32 warps>
class Lanes {
 public:
  explicit Lanes(u64 seed) : lockstep_(seed, warps), races_(lockstep_) {}

  // What went wrong between the lanes.
  std::string compile(const DeviceSource& source, u64 near_bytes, u64 far_bytes,
                      const DeviceOutput& output, DeviceResult& result) {
    const GroupMemory memory{near_.sized(near_bytes), near_bytes, far_.sized(far_bytes), far_bytes};
    races_.clear();
    RaceDetector::current = &races_;
    std::string fault = lockstep_.run([&](u32 lane) {
      using Group = CoopGroup<EmulatedWarps<warps>, DeviceScratch>;
      Group group(EmulatedWarps<warps>(lockstep_, lane), DeviceScratch{});
      DeviceProgram<Group>(group, tables(), source, memory, output).compile(result);
    });
    RaceDetector::current = nullptr;
    return fault;
  }

 private:
  Lockstep lockstep_;
  RaceDetector races_;
  Words near_, far_;
};

template <u32 block_warps>
class EmulatedDevice final : public BatchDevice {
 public:
  explicit EmulatedDevice(u64 seed) : warp_(seed), block_(seed) {}

  std::string run(const PackedPrograms& packed, DeviceAnswer& answer) override {
    used_ = 0;
    const u64 capacity = output_bytes_for(packed.text.size(), packed.programs.size());
    const DeviceOutput output{output_.sized(capacity), &used_, capacity};
    results_.assign(packed.programs.size(), {});
    u32 bucket = 0;
    for (u32 k = 0; k < packed.programs.size(); ++k) {
      while (k >= packed.bucket_end[bucket]) ++bucket;
      const PackedProgram& program = packed.programs[k];
      const DeviceSource source{packed.text.data() + program.begin, program.bytes};
      DeviceResult& result = results_[k];
      std::string fault;
      if (bucket < kWarpBucketCount)
        fault = warp_.compile(source, kWarpBuckets[bucket].near_bytes,
                              kWarpBuckets[bucket].far_bytes, output, result);
      if (fault.empty() && result.end == DeviceEnd::Waiting) {
        fault = block_.compile(source, kBlockNearBytes, kBlockFarBytes, output, result);
        result.by_block = 1;
      }
      if (!fault.empty()) return fault;
    }
    RowsMemory memory(check_.sized(DeviceChecker::bytes(check_room())));
    DeviceChecker checker(memory, check_room());
    for (DeviceResult& result : results_) check_result(checker, output.bytes, result);
    answer = {results_, {output.bytes, used_ < capacity ? used_ : capacity}};
    return {};
  }

 private:
  Lanes<1> warp_;
  Lanes<block_warps> block_;
  Words output_, check_;
  u64 used_ = 0;
  std::vector<DeviceResult> results_;
};

}  // namespace

std::unique_ptr<BatchDevice> emulated_device(u64 seed, u32 block_warps) {
  if (block_warps == 4) return std::make_unique<EmulatedDevice<4>>(seed);
  return std::make_unique<EmulatedDevice<2>>(seed);
}

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
// The device's programs under the lockstep emulator, with narrow columns, and near and far memory of the sizes that
// a device has. First a warp compiles a program; if it has too little memory, a block does. Then the checker runs
// in the memory of a thread.
#include "frontend_gpu/groups/checked_passes.h"
#define KOMUZ_NARROW_PASSES
#include <algorithm>

#include "base/group/emulated_machine.h"
#include "base/group/race.h"
#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/device/device_check.h"
#include "frontend_gpu/device/device_program.h"
#include "frontend_gpu/device/packed.h"

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

  // Returns what went wrong between the lanes.
  Problem compile(const DeviceSource& source, u64 near_bytes, u64 far_bytes,
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
    return fault.empty() ? Problem() : device_problem(std::move(fault));
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

  Problem run(const PackedPrograms& packed, DeviceAnswer& answer) override {
    if (Problem problem = compile(packed.resident(), packed.bucket_end)) return problem;
    answer = {results_, {output_.bytes, std::min(used_, output_.capacity)}};
    return {};
  }
  Problem run_there(const ResidentSources& sources, ResidentResults& out) override {
    u32 bucket_end[kBucketCount];
    put_in_one_bucket(sources, bucket_end);
    if (Problem problem = compile(sources, bucket_end)) return problem;
    out = {results_.data(), output_.bytes};
    return {};
  }

 private:
  Problem compile(const ResidentSources& sources, const u32 (&bucket_end)[kBucketCount]) {
    used_ = 0;
    const u64 capacity = output_bytes_for(sources.text_bytes, sources.count);
    output_ = {output_words_.sized(capacity), &used_, capacity};
    results_.assign(sources.count, {});
    u32 bucket = 0;
    for (u32 k = 0; k < sources.count; ++k) {
      while (k >= bucket_end[bucket]) ++bucket;
      const PackedProgram& program = sources.programs[k];
      const DeviceSource source{sources.text + program.begin, program.bytes};
      DeviceResult& result = results_[k];
      Problem problem;
      if (bucket < kWarpBucketCount)
        problem = warp_.compile(source, kWarpBuckets[bucket].near_bytes,
                                kWarpBuckets[bucket].far_bytes, output_, result);
      if (!problem && result.end == DeviceEnd::Waiting) {
        problem = block_.compile(source, kBlockNearBytes, kBlockFarBytes, output_, result);
        result.by_block = 1;
      }
      if (problem) return problem;
    }
    RowsMemory memory(check_.sized(DeviceChecker::bytes(check_room())));
    DeviceChecker checker(memory, check_room());
    for (DeviceResult& result : results_) check_result(checker, output_.bytes, result);
    return {};
  }

  Lanes<1> warp_;
  Lanes<block_warps> block_;
  Words output_words_, check_;
  DeviceOutput output_{};
  u64 used_ = 0;
  std::vector<DeviceResult> results_;
};

}  // namespace

std::unique_ptr<BatchDevice> emulated_device(u64 seed, u32 block_warps) {
  if (block_warps == 4) return std::make_unique<EmulatedDevice<4>>(seed);
  return std::make_unique<EmulatedDevice<2>>(seed);
}

}  // namespace komuz::frontend

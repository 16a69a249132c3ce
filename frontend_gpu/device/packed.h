// SPDX-License-Identifier: Apache-2.0
// A batch in the form that a device takes, and what the device gives back. Programs lie in buckets by length, so
// that programs that run together take about the same time and memory.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "frontend_gpu/device/device_result.h"

namespace komuz::frontend {

// A warp compiles programs of up to `source_bytes` in `near_bytes` of the multiprocessor's memory and `far_bytes`
// of the device's. A program whose columns do not fit there waits for a block.
struct Bucket {
  u32 source_bytes, near_bytes, far_bytes;
};
inline constexpr Bucket kWarpBuckets[] = {
    {512, 14 << 10, 6 << 10}, {1'536, 36 << 10, 16 << 10}, {4'096, 100 << 10, 48 << 10}};
inline constexpr u32 kWarpBucketCount = sizeof(kWarpBuckets) / sizeof(kWarpBuckets[0]);
// Lexing alone takes 1 / kLexingShare of the bucket's near memory.
inline constexpr u32 kLexingShare = 3;
// Longer programs go to blocks.
inline constexpr u32 kBucketCount = kWarpBucketCount + 1;
inline constexpr u32 kBlockNearBytes = 200 << 10, kBlockFarBytes = 6 << 20;
inline constexpr u32 kMaxDeviceBytes = 256 << 10;

[[nodiscard]] u32 bucket_of(u64 bytes);

struct PackedProgram {
  u64 begin = 0;  // where its source begins in `text`, a multiple of 8
  u32 bytes = 0;
  u32 number = 0;  // its number in the batch
};
static_assert(sizeof(PackedProgram) == 16);

// Sources in a device's memory, aligned to 8 bytes, none longer than kMaxDeviceBytes. A program of 0 bytes is no
// program and gives no code, but it also begins inside of `text`.
struct ResidentSources {
  const u8* text = nullptr;
  const PackedProgram* programs = nullptr;
  u32 count = 0;
  u64 text_bytes = 0;
  u32 longest = 0;  // bytes of the longest source
};
// Result k belongs to program k and points into the output. Both lie in the device's memory until its next run.
struct ResidentResults {
  const DeviceResult* results = nullptr;
  u8* output = nullptr;
  bool is_full = false;  // memory for them is missing, which a problem says, too
};
// Puts programs in any order into one bucket, that of the longest.
void put_in_one_bucket(const ResidentSources& sources, u32 (&bucket_end)[kBucketCount]);

// Behind each source stand a line end and blanks up to a multiple of 8 bytes.
struct PackedPrograms {
  std::vector<u8> text;
  std::vector<PackedProgram> programs;  // by bucket
  u32 bucket_end[kBucketCount] = {};

  // Packs the sources with these numbers.
  void pack(std::span<const std::string_view> sources, std::span<const u32> numbers);
  // The same memory in the form that a device sees.
  [[nodiscard]] ResidentSources resident() const;
};

// A result for each packed program, and the output into which results point. Both live until the device's next run.
struct DeviceAnswer {
  std::span<const DeviceResult> results;
  std::span<const u8> output;
};

// The output that a batch of so many source bytes may take: about twice what programs need.
[[nodiscard]] inline u64 output_bytes_for(u64 source_bytes, u64 programs) {
  return 16 * source_bytes + 1024 * programs;
}

}  // namespace komuz::frontend

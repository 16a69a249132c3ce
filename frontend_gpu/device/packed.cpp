// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/device/packed.h"

#include <algorithm>
#include <cstring>

namespace komuz::frontend {

u32 bucket_of(u64 bytes) {
  u32 bucket = 0;
  while (bucket < kWarpBucketCount && bytes > kWarpBuckets[bucket].source_bytes) ++bucket;
  return bucket;
}

void put_in_one_bucket(const ResidentSources& sources, u32 (&bucket_end)[kBucketCount]) {
  const u32 bucket = bucket_of(sources.longest);
  for (u32 b = 0; b < kBucketCount; ++b) bucket_end[b] = b < bucket ? 0 : sources.count;
}

void PackedPrograms::pack(std::span<const std::string_view> sources, std::span<const u32> numbers) {
  u32 at[kBucketCount] = {};
  u64 bytes = 0;
  for (const u32 number : numbers) {
    ++at[bucket_of(sources[number].size())];
    bytes += sources[number].size() / 8 * 8 + 8;
  }
  u32 sum = 0;
  for (u32 b = 0; b < kBucketCount; ++b) {
    const u32 begin = sum;
    sum += at[b];
    bucket_end[b] = sum;
    at[b] = begin;
  }
  programs.resize(numbers.size());
  text.resize(bytes);
  u64 begin = 0;
  for (const u32 number : numbers) {
    const std::string_view source = sources[number];
    programs[at[bucket_of(source.size())]++] = {begin, static_cast<u32>(source.size()), number};
    u8* const to = text.data() + begin;
    std::memcpy(to, source.data(), source.size());
    const u64 end = source.size() / 8 * 8 + 8;
    std::memset(to + source.size(), ' ', end - source.size());
    to[source.size()] = '\n';
    begin += end;
  }
}

ResidentSources PackedPrograms::resident() const {
  u32 longest = 0;
  for (const PackedProgram& program : programs) longest = std::max(longest, program.bytes);
  return {text.data(), programs.data(), static_cast<u32>(programs.size()), text.size(), longest};
}

}  // namespace komuz::frontend

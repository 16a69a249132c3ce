// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/packed.h"

#include <cstring>

namespace komuz::frontend {

namespace {

u32 bucket_of(size_t bytes) {
  u32 bucket = 0;
  while (bucket < kWarpBucketCount && bytes > kWarpBuckets[bucket].source_bytes) ++bucket;
  return bucket;
}

}  // namespace

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

}  // namespace komuz::frontend

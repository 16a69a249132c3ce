// SPDX-License-Identifier: Apache-2.0
// The vector code of byte classes against the definition, which looks at one byte after the other.
#include "frontend_gpu/text/byte_masks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/simd_level.h"

namespace komuz::test {
namespace {

using frontend::ByteMasks;
using frontend::ByteMasksFunction;

// Every byte at every place of a block, and random ones.
std::vector<u8> bytes_at_all_places() {
  std::vector<u8> bytes;
  for (u32 shift = 0; shift < 64; ++shift)
    for (u32 k = 0; k < 256; ++k) bytes.push_back(static_cast<u8>(k + shift));
  Random random(1);
  for (u32 k = 0; k < 64 * 100; ++k) bytes.push_back(static_cast<u8>(random.next()));
  return bytes;
}

TEST(ByteMasks, AllLevelsAgreeWithTheDefinition) {
  const std::vector<u8> bytes = bytes_at_all_places();
  const auto blocks = static_cast<u32>(bytes.size() / 64);
  std::vector<ByteMasks> wanted(blocks), found(blocks);
  frontend::byte_masks_portable(bytes.data(), blocks, wanted.data());
  const std::pair<SimdLevel, ByteMasksFunction> levels[] = {
      {SimdLevel::Avx2, frontend::byte_masks_avx2},
      {SimdLevel::Avx512, frontend::byte_masks_avx512}};
  for (const auto& [level, fill] : levels) {
    if (!simd_level_supported(level)) continue;
    fill(bytes.data(), blocks, found.data());
    for (u32 b = 0; b < blocks; ++b)
      ASSERT_EQ(std::memcmp(&found[b], &wanted[b], sizeof(ByteMasks)), 0)
          << simd_level_name(level) << ", block " << b;
  }
}

}  // namespace
}  // namespace komuz::test

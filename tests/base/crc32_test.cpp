// SPDX-License-Identifier: Apache-2.0
#include "base/crc32.h"

#include <gtest/gtest.h>

#include <string>

namespace komuz {
namespace {

// Bit by bit, as the standards of Ethernet and gzip describe it.
u32 crc32_bit_by_bit(std::string_view text) {
  u32 crc = 0xFFFF'FFFF;
  for (const char c : text)
    for (u32 bit = 0; bit < 8; ++bit) {
      const bool is_odd = ((crc ^ (u32{static_cast<u8>(c)} >> bit)) & 1) != 0;
      crc = (crc >> 1) ^ (is_odd ? 0xEDB8'8320 : 0);
    }
  return ~crc;
}

TEST(Crc32, IsThatOfOtherPrograms) {
  EXPECT_EQ(crc32("123456789"), 0xCBF4'3926u);  // the check value of the catalogues
  EXPECT_EQ(crc32(""), 0u);
  std::string text;
  for (u32 k = 0; k < 70; ++k) {
    EXPECT_EQ(crc32(text), crc32_bit_by_bit(text)) << k;
    for (size_t at = 0; at <= text.size(); ++at)
      EXPECT_EQ(crc32(text.substr(at), crc32(text.substr(0, at))), crc32(text)) << k << " " << at;
    text += static_cast<char>(k * 37 + 200);
  }
}

}  // namespace
}  // namespace komuz

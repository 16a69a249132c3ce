// SPDX-License-Identifier: Apache-2.0
// CRC-32 as gzip, PNG and zip compute it (reflected, polynomial 0x04C11DB7). So other programs can check what is
// written with it: Python's zlib.crc32, Perl's Digest::CRC. It detects each error of up to 32 bits in a row.
#pragma once
#include <array>
#include <string_view>

#include "base/ints.h"

namespace komuz {
namespace crc32_tables {

// Row 0 is what a byte does to the remainder. Row k is what a byte does with k bytes of zeros behind it.
using Rows = std::array<std::array<u32, 256>, 8>;
constexpr Rows make_rows() {
  constexpr u32 kReflectedPolynomial = 0xEDB8'8320;
  Rows rows{};
  for (u32 byte = 0; byte < 256; ++byte) {
    u32 remainder = byte;
    for (u32 bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? kReflectedPolynomial : 0);
    rows[0][byte] = remainder;
  }
  for (u32 k = 1; k < rows.size(); ++k)
    for (u32 byte = 0; byte < 256; ++byte)
      rows[k][byte] = (rows[k - 1][byte] >> 8) ^ rows[0][rows[k - 1][byte] & 0xFF];
  return rows;
}
inline constexpr Rows kRows = make_rows();

}  // namespace crc32_tables

// Takes eight bytes at a time ("slicing", Kounavis and Berry, 2005), because the eight look-ups do not wait for
// each other. `begin`: the CRC of what stands before the text.
inline u32 crc32(std::string_view text, u32 begin = 0) {
  constexpr const auto& rows = crc32_tables::kRows;
  const auto byte = [&](size_t at) { return static_cast<u32>(static_cast<u8>(text[at])); };
  u32 crc = ~begin;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    crc ^= byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24;
    crc = rows[7][crc & 0xFF] ^ rows[6][crc >> 8 & 0xFF] ^ rows[5][crc >> 16 & 0xFF] ^
          rows[4][crc >> 24] ^ rows[3][byte(at + 4)] ^ rows[2][byte(at + 5)] ^
          rows[1][byte(at + 6)] ^ rows[0][byte(at + 7)];
  }
  for (; at < text.size(); ++at) crc = (crc >> 8) ^ rows[0][(crc ^ byte(at)) & 0xFF];
  return ~crc;
}

}  // namespace komuz

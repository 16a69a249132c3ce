// SPDX-License-Identifier: Apache-2.0
// The checksum of a log's line: its last field, over all bytes of the line before the comma that the field begins with.
#pragma once
#include <string>
#include <string_view>

#include "base/crc32.h"
#include "engine/hex_text.h"

namespace komuz::engine {

// , "crc32": "8 digits"}
inline constexpr std::string_view kSealBegin = ", \"crc32\": \"", kSealEnd = "\"}";
inline constexpr size_t kSealBytes = kSealBegin.size() + 8 + kSealEnd.size();

// What a line says that is sealed, up to the seal. Empty: it is too short to be sealed.
[[nodiscard]] inline std::string_view without_seal(std::string_view line) {
  return line.substr(0, line.size() < kSealBytes ? 0 : line.size() - kSealBytes);
}

[[nodiscard]] inline std::string seal_of(std::string_view body) {
  return std::string(kSealBegin) + hex_text(u64{crc32(body)}).substr(8) + std::string(kSealEnd);
}

// Puts the field into the object that ends the text and begins at `begin`.
inline void seal_line(std::string& text, size_t begin = 0) {
  text.pop_back();
  text += seal_of(std::string_view(text).substr(begin));
}

// False: the line is not what was written.
[[nodiscard]] inline bool is_sealed(std::string_view line) {
  const std::string_view body = without_seal(line);
  return !body.empty() && line.substr(body.size()) == seal_of(body);
}

}  // namespace komuz::engine

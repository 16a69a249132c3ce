// SPDX-License-Identifier: Apache-2.0
// The checksum of a log's line: its last field, over all bytes of the line before the comma that the field begins with. On line n
// it goes on from what the first line's checksum and n add up to, so a line of another log, or of another place, is none of this.
#pragma once
#include <string>
#include <string_view>

#include "base/crc32.h"
#include "engine/support/hex_text.h"

namespace komuz::engine {

// , "crc32": "8 digits"}
inline constexpr std::string_view kSealBegin = ", \"crc32\": \"", kSealEnd = "\"}";
inline constexpr size_t kSealBytes = kSealBegin.size() + 8 + kSealEnd.size();

// What a line says that is sealed, up to the seal. Empty: it is too short to be sealed.
[[nodiscard]] inline std::string_view without_seal(std::string_view line) {
  return line.substr(0, line.size() < kSealBytes ? 0 : line.size() - kSealBytes);
}
// … of an object that is to be sealed.
[[nodiscard]] inline std::string_view body_of(std::string_view object) {
  return object.substr(0, object.size() - 1);
}

class LineSeals {
 public:
  // Of a log with this first line.
  void begin(std::string_view first_line) { first_ = crc32(without_seal(first_line)); }

  // Appends the line, with its seal and its end. `number`: from 1.
  void append(std::string& out, std::string_view object, u64 number) const {
    (((out += body_of(object)) += seal(body_of(object), number)) += '\n');
  }
  // False: the line is not what was written there.
  [[nodiscard]] bool is_whole(std::string_view line, u64 number) const {
    const std::string_view body = without_seal(line);
    return !body.empty() && line.substr(body.size()) == seal(body, number);
  }
  // The number that it has where line ends before it were damaged, or others added: near `number`, and above `least`. 0: none.
  [[nodiscard]] u64 find_number(std::string_view line, u64 number, u64 least) const {
    constexpr u64 kMostShift = 16;
    for (u64 shift = 0; shift <= kMostShift; ++shift) {
      if (number + shift > least && is_whole(line, number + shift)) return number + shift;
      if (number > least + shift && is_whole(line, number - shift)) return number - shift;
    }
    return 0;
  }
  [[nodiscard]] std::string seal(std::string_view body, u64 number) const {
    const u32 begin = number == 1 ? 0 : first_ + static_cast<u32>(number);
    std::string out(kSealBegin);
    return (out += hex_text(u64{crc32(body, begin)}).substr(8)) += kSealEnd;
  }

 private:
  u32 first_ = 0;
};

// Of a first line.
[[nodiscard]] inline bool is_whole_first_line(std::string_view line) {
  return LineSeals().is_whole(line, 1);
}

}  // namespace komuz::engine

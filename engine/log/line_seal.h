// SPDX-License-Identifier: Apache-2.0
// The checksum of a log's line is its last field. It covers all bytes of the line before the comma in front of the
// field. On line n the checksum starts from the sum of the first line's checksum and n, so a line from another log or
// another place does not match.
#pragma once
#include <string>
#include <string_view>

#include "base/crc32.h"
#include "engine/support/hex_text.h"

namespace komuz::engine {

// The seal: , "crc32": "8 digits"}
inline constexpr std::string_view kSealBegin = ", \"crc32\": \"", kSealEnd = "\"}";
inline constexpr size_t kSealBytes = kSealBegin.size() + 8 + kSealEnd.size();

// A sealed line without its seal; empty if the line is too short to be sealed.
[[nodiscard]] inline std::string_view without_seal(std::string_view line) {
  return line.substr(0, line.size() < kSealBytes ? 0 : line.size() - kSealBytes);
}
// The same part of an object that is to be sealed.
[[nodiscard]] inline std::string_view body_of(std::string_view object) {
  return object.substr(0, object.size() - 1);
}

class LineSeals {
 public:
  // `first_line` is the first line of the log.
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
  // Finds the line's number where earlier line ends were damaged or lines were added: near `number`, and above
  // `least`. Returns 0 if there is none.
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

// The same for a first line.
[[nodiscard]] inline bool is_whole_first_line(std::string_view line) {
  return LineSeals().is_whole(line, 1);
}

}  // namespace komuz::engine

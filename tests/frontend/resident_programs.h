// SPDX-License-Identifier: Apache-2.0
// The device's output for a program, wherever the device put it.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "frontend_gpu/device/packed.h"

namespace komuz::test {

// The bytes of a result, its code and its messages, but not their places, nor the group that made them.
inline std::string bytes_of(frontend::DeviceResult result, const u8* output) {
  const auto part = [output](u64 at, u64 bytes) {
    return std::string(reinterpret_cast<const char*>(output) + at, bytes);
  };
  std::string parts;
  if (result.has_code != 0) parts += part(result.code_at, frontend::code_parts(result).bytes);
  if (result.has_messages != 0)
    parts += part(result.messages_at, frontend::message_bytes(frontend::message_cells(result)));
  result.code_at = result.messages_at = result.by_block = 0;
  return std::string(reinterpret_cast<const char*>(&result), sizeof result) + parts;
}
// For each packed program.
inline std::vector<std::string> bytes_of(const frontend::DeviceAnswer& answer) {
  std::vector<std::string> all;
  for (const frontend::DeviceResult& result : answer.results)
    all.push_back(bytes_of(result, answer.output.data()));
  return all;
}

inline frontend::PackedPrograms packed_programs(const std::vector<std::string>& sources) {
  const std::vector<std::string_view> views(sources.begin(), sources.end());
  std::vector<u32> numbers(sources.size());
  for (u32 k = 0; k < numbers.size(); ++k) numbers[k] = k;
  frontend::PackedPrograms packed;
  packed.pack(views, numbers);
  return packed;
}

}  // namespace komuz::test

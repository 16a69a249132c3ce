// SPDX-License-Identifier: Apache-2.0
// Places in linked code, which comes from several files: the number of the file and a byte offset in its text. File 0
// is the program's own, so the places of a program without modules are offsets. File k + 1 is number k of the
// program's list (link.h).
#pragma once
#include "base/ints.h"

namespace komuz {

// A source has at most 16 MiB.
inline constexpr u32 kOffsetBits = 24, kMaxFiles = 256;

[[nodiscard]] constexpr u32 file_of(u32 place) { return place >> kOffsetBits; }
[[nodiscard]] constexpr u32 offset_of(u32 place) { return place & ((1u << kOffsetBits) - 1); }
[[nodiscard]] constexpr u32 place_in_file(u32 file, u32 offset) {
  return file << kOffsetBits | offset;
}

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// How the elements of columns lie in memory: as they are, or in 16 bits for programs that the device compiles in
// the memory of one multiprocessor. Narrow elements read and write as 32-bit values, so passes see no difference.
#pragma once
#include "frontend_gpu/columns/type_id.h"

namespace komuz::frontend {

// The index of an element below 32,768, a built-in (columns.h) or kNone. Reading extends the sign.
class NarrowIndex {
 public:
  using Value = u32;
  HD operator u32() const { return static_cast<u32>(static_cast<i32>(static_cast<i16>(bits_))); }
  HD u32 operator=(u32 value) {
    bits_ = static_cast<u16>(value);
    return value;
  }

 private:
  u16 bits_;
};
static_assert(sizeof(NarrowIndex) == 2);

// A TypeId whose node is below 32,768 - kTypeTuple. The highest bit is kTypeSettled.
class NarrowType {
 public:
  using Value = TypeId;
  HD operator TypeId() const { return (bits_ & 0x7FFFu) | (bits_ & 0x8000u) << 16; }
  HD TypeId operator=(TypeId value) {
    bits_ = static_cast<u16>((value & 0x7FFFu) | (value >> 16 & 0x8000u));
    return value;
  }

 private:
  u16 bits_;
};
static_assert(kTypeSettled == 0x8000'0000u);

// A number below 65,536, of instructions, constants or slots.
class NarrowCount {
 public:
  using Value = u32;
  HD operator u32() const { return bits_; }
  HD u32 operator=(u32 value) {
    bits_ = static_cast<u16>(value);
    return value;
  }
  HD u32 operator+=(u32 value) { return *this = u32{bits_} + value; }
  HD u32 operator-=(u32 value) { return *this = u32{bits_} - value; }

 private:
  u16 bits_;
};

// The names of types that columns.def uses.
namespace wide_storage {
using Index = u32;
using TypeId = frontend::TypeId;
using Count = u32;
}  // namespace wide_storage
namespace narrow_storage {
using Index = NarrowIndex;
using TypeId = NarrowType;
using Count = NarrowCount;
}  // namespace narrow_storage

inline constexpr u32 kMaxNarrowNodes = 32'000, kMaxNarrowCount = 65'535;
static_assert(kTypeTuple + kMaxNarrowNodes < 0x8000);

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
// A hash of an operation's results on a stream of operands, evaluated by vectors of a given width and instruction
// set. lane_hash_body.h is the definition; lane_hash_portable.cpp, _avx2.cpp and _avx512.cpp compile it.
#pragma once
#include "lang/code.h"

namespace komuz::test {

// The n-th operand's cells, `count` of them, a multiple of 64.
struct OperandCells {
  const u64* operands[3];
  u32 count;
};

// Adds one outcome to a hash.
HD u64 add_outcome(u64 hash, u64 value, Trap trap) {
  const u64 mixed = (hash ^ value) * 0xA076'1D64'78BD'642Fu + static_cast<u64>(trap);
  return mixed ^ (mixed >> 29);
}

// `vector_bytes` is 0 (scalars), 16, 32 or 64.
using LaneHasher = u64 (*)(Instruction operation, u32 vector_bytes, const OperandCells& cells);
[[nodiscard]] u64 hash_lanes_portable(Instruction operation, u32 vector_bytes,
                                      const OperandCells& cells);
[[nodiscard]] u64 hash_lanes_avx2(Instruction operation, u32 vector_bytes,
                                  const OperandCells& cells);
[[nodiscard]] u64 hash_lanes_avx512(Instruction operation, u32 vector_bytes,
                                    const OperandCells& cells);

}  // namespace komuz::test

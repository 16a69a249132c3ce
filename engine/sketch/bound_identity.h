// SPDX-License-Identifier: Apache-2.0
// The identity and the size of a variant. Both are those of its bound code, however the variant is run.
#pragma once
#include "base/hash.h"
#include "base/rows.h"
#include "lang/code.h"

namespace komuz::engine {

// Code in the form that a device holds.
struct BoundView {
  const Instruction* instructions;
  const u64* constants;
  const Function* functions;
  u32 instruction_count, function_count;
};

// Equal for variants with the same instructions and constants.
[[nodiscard]] HD_CALL inline Hash128 hash_of(const BoundView& code) {
  Hash128 hash;
  for (u32 k = 0; k < code.instruction_count; ++k) {
    const Instruction& i = code.instructions[k];
    const bool is_constant = i.op == Op::LoadConst;
    hash.add(static_cast<u64>(i.op) | static_cast<u64>(i.type) << 8 | static_cast<u64>(i.a) << 16 |
             static_cast<u64>(is_constant ? 0 : i.b) << 32);
    if (is_constant) hash.add(code.constants[i.b]);
  }
  for (u32 f = 0; f < code.function_count; ++f) hash.add(code.functions[f].code_end);
  return hash;
}

// The bytes of instructions and constants.
[[nodiscard]] HD_CALL inline u64 bytes_of(const BoundView& code) {
  u64 constants = 0;
  for (u32 k = 0; k < code.instruction_count; ++k) {
    const Instruction& i = code.instructions[k];
    constants += i.op == Op::LoadConst ? 1 : i.op == Op::LoadConsts ? i.a : 0;
  }
  return u64{code.instruction_count} * sizeof(Instruction) + constants * sizeof(u64);
}

}  // namespace komuz::engine

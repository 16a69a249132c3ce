// SPDX-License-Identifier: Apache-2.0
// The bytecode checker where a device's code lies: a thread takes a program. It finds no words for what is wrong; code that
// it does not mark as checked is the host's to check, which is also what has functions without bodies until they are linked.
#pragma once
#include "frontend_gpu/device/device_result.h"
#include "lang/check/check_program.h"

namespace komuz::frontend {

using DeviceChecker = ProgramChecker<Bounded>;

// What a thread has memory for: 12 KiB.
[[nodiscard]] HD constexpr DeviceChecker::Room check_room() {
  return {.function = {.cells = 1'024, .slots = 1'024, .regions = 64, .arm_types = 256},
          .functions = 64,
          .calls = 256};
}
// Whether an entry may need as much stack as it does is asked by who knows the limit: when the batch is read, or where code is linked.
inline constexpr u32 kNoStackLimit = ~0u;

// The code of a program in the output.
[[nodiscard]] HD_CALL inline CodeView code_of(const DeviceResult& r, const u8* output) {
  const CodeParts parts = code_parts(r);
  const u8* const code = output + r.code_at;
  return {.instructions = {reinterpret_cast<const Instruction*>(code + parts.instructions),
                           r.instructions},
          .places = {reinterpret_cast<const u32*>(code + parts.places), r.instructions},
          .constants = {reinterpret_cast<const u64*>(code + parts.constants), r.constants},
          .functions = {reinterpret_cast<const Function*>(code + parts.functions), r.functions},
          .types = {code + parts.types, r.types},
          .slot_types = {code + parts.slot_types, r.slots},
          .parameter_names = {reinterpret_cast<const NameRange*>(code + parts.parameter_names),
                              r.parameters},
          .names = as_codes(code + parts.names, r.names)};
}

// Of a program that has code: fills in what the checker finds out of its functions, and marks it, where the code is sound.
HD_CALL inline void check_result(DeviceChecker& checker, u8* output, DeviceResult& r) {
  if (r.end != DeviceEnd::Done || r.has_code == 0) return;
  auto* const functions = reinterpret_cast<Function*>(output + r.code_at + code_parts(r).functions);
  const Checked checked =
      checker.check(code_of(r, output), {functions, r.functions}, kNoStackLimit);
  r.is_checked = checked == Checked::Sound ? 1 : 0;
}

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
// The bytecode checker on the device, where the code lies. A thread takes a program. It does not say what is wrong:
// the host checks all code that is not marked as checked. That includes code with functions without bodies, which
// has to be linked first.
#pragma once
#include "frontend_gpu/device/device_result.h"
#include "lang/check/check_program.h"

namespace komuz::frontend {

using DeviceChecker = ProgramChecker<Bounded>;

// The memory of a thread: 12 KiB.
[[nodiscard]] HD constexpr DeviceChecker::Room check_room() {
  return {.function = {.cells = 1'024, .slots = 1'024, .regions = 64, .arm_types = 256},
          .functions = 64,
          .calls = 256};
}
// The device does not know the limit of the stack. It is checked when the batch is read, or when the code is
// linked.
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

// Fills in the checker's results for the functions of a program's code, and marks the code if it is correct.
HD_CALL inline void check_result(DeviceChecker& checker, u8* output, DeviceResult& r) {
  if (r.end != DeviceEnd::Done || r.has_code == 0) return;
  auto* const functions = reinterpret_cast<Function*>(output + r.code_at + code_parts(r).functions);
  const Checked checked =
      checker.check(code_of(r, output), {functions, r.functions}, kNoStackLimit);
  r.is_checked = checked == Checked::Sound ? 1 : 0;
}

}  // namespace komuz::frontend

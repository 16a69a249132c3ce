// SPDX-License-Identifier: Apache-2.0
// Compares a variant that a device has made with the host's.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "engine/device/variant_maker.h"
#include "vm/cuda/lower_warp.h"

namespace komuz::engine::test {

// `bound`: the host's code of the variant. `run`: the code that runs, which may have another function. `all`: the
// variant and those behind it, in the order of making; the next one with code begins where this one's ends. Empty:
// they agree.
[[nodiscard]] inline std::string difference_of(const Code& bound, const Code& run, u32 entry,
                                               std::span<const MadeVariant> all,
                                               const vm::ResidentCode& code) {
  const MadeVariant& made = all[0];
  if (made.made != Made::Done) return "it was left to the host";
  const frontend::TextHash identity{made.identity_low, made.identity_high};
  if (!(identity == identity_of(bound))) return "its identity is another one";
  if (made.bytes != bound_bytes(bound)) return "it has another size";
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  if (!lowering.add(run.view(), entry, batch)) return "it does not fit warp code";
  const auto differs = [](const auto* found, const auto& column) {
    return !column.empty() &&
           std::memcmp(found, column.data(), column.size() * sizeof column[0]) != 0;
  };
  // A variant that found no room has used some as well, at an unknown place.
  const auto next = std::ranges::find_if(all.subspan(1), [](const MadeVariant& other) {
    return other.made == Made::Done || other.made == Made::NoOutput;
  });
  if (next == all.end()) return "nothing was made behind it";
  const bool is_known = next->made == Made::Done;
  if (is_known && next->program.ops_begin - made.program.ops_begin != batch.ops.size())
    return "it has another number of operations";
  if (is_known &&
      next->program.constants_begin - made.program.constants_begin != batch.constants.size())
    return "it has another number of constants";
  if (differs(code.ops + made.program.ops_begin, batch.ops)) return "its operations are others";
  if (differs(code.places + made.program.ops_begin, batch.places)) return "its places are others";
  if (differs(code.constants + made.program.constants_begin, batch.constants))
    return "its constants are others";
  vm::WarpProgram program = made.program;
  program.ops_begin = program.constants_begin = 0;
  const bool is_same = std::memcmp(&program, batch.programs.data(), sizeof program) == 0;
  return is_same ? "" : "what a warp needs for it is something else";
}

}  // namespace komuz::engine::test

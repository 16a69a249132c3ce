// SPDX-License-Identifier: Apache-2.0
// A variant that a device has made beside what the host makes of it.
#pragma once
#include <cstring>
#include <string>

#include "engine/cuda/variant_maker.h"
#include "vm/cuda/lower_warp.h"

namespace komuz::engine::test {

// `bound`: the variant's code, of the host; `run`: what is run of it, which may have a function more. Empty: they are the
// same.
[[nodiscard]] inline std::string difference_of(const Code& bound, const Code& run, u32 entry,
                                               const MadeVariant& made,
                                               const vm::ResidentCode& code) {
  if (made.made != Made::Done) return "it was left to the host";
  const frontend::TextHash identity{made.identity_low, made.identity_high};
  if (!(identity == identity_of(bound))) return "its identity is another one";
  if (made.bytes != bound_bytes(bound)) return "it has another size";
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  if (!lowering.add(run.view(), entry, batch)) return "it does not fit warp code";
  const auto differs = [](const auto* found, const auto& column) {
    return std::memcmp(found, column.data(), column.size() * sizeof column[0]) != 0;
  };
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

// SPDX-License-Identifier: Apache-2.0
// What a device gave of one program to a Compilation. The code passes the checker here, on the host, before anyone sees it.
#pragma once
#include <optional>

#include "frontend_gpu/batch.h"
#include "frontend_gpu/packed.h"
#include "frontend_gpu/workspace.h"
#include "lang/check_code.h"

namespace komuz::frontend {

class Unpacker {
 public:
  explicit Unpacker(u32 stack_limit) : stack_limit_(stack_limit) {}

  // None, or why the host has to compile the program itself.
  [[nodiscard]] std::optional<HostReason> unpack(const DeviceResult& result, const u8* output,
                                                 std::string_view source, Compilation& out);

 private:
  // The columns that messages are made of, as the host has them.
  const Columns& widened(const DeviceResult& result, const u8* messages, std::string_view source);

  u32 stack_limit_;
  CodeChecker checker_;
  ColumnMemory memory_;
  Columns columns_{};
};

}  // namespace komuz::frontend

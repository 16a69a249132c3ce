// SPDX-License-Identifier: Apache-2.0
// Turns what a device gave for one program into a Compilation. Code that has not passed the checker on the device,
// or that is linked, is checked here on the host before anyone sees it.
#pragma once
#include <optional>

#include "frontend_gpu/columns/workspace.h"
#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/device/packed.h"
#include "frontend_gpu/linkage.h"
#include "lang/check/check_code.h"

namespace komuz::frontend {

class Unpacker {
 public:
  explicit Unpacker(const Options& options) : options_(options) {}

  // None, or why the host has to compile the program itself. `source` is the text that the device compiled; `heads`
  // are the modules whose interfaces are part of it (expand.h).
  [[nodiscard]] std::optional<HostReason> unpack(const DeviceResult& result, const u8* output,
                                                 std::string_view source,
                                                 std::span<const u32> heads, Compilation& out);

 private:
  // The columns from which messages are made, in the host's form.
  const Columns& widened(const DeviceResult& result, const u8* messages, std::string_view source);

  Options options_;
  Linkage linkage_;
  CodeChecker checker_;
  ColumnMemory memory_;
  Columns columns_{};
};

}  // namespace komuz::frontend

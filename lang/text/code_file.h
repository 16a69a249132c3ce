// SPDX-License-Identifier: Apache-2.0
// Bytecode files (.kbc). docs/bytecode.md draws the layout. Works on bytes; knows no file system.
#pragma once
#include <string>
#include <vector>

#include "base/hash.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz {

inline constexpr u32 kCodeFileVersion = 9;

struct CodeFileError {
  u64 offset = 0;      // byte of the file
  std::string reason;  // empty: no error
  explicit operator bool() const { return !reason.empty(); }
};

// Appends the file of `code`, which check_code has accepted, to `out`. Equal code gives equal bytes.
void write_code_file(const CodeView& code, std::vector<u8>& out);

// Takes any bytes. Gives code that check_code accepts, or an error with an empty `out`.
[[nodiscard]] CodeFileError read_code_file(std::span<const u8> file, Code& out,
                                           u32 stack_limit = kDefaultStackLimit);

// The hash of the code's file: the identity of checked code.
[[nodiscard]] Hash128 code_hash(const CodeView& code);

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// GDB's interface for code that is made as a process runs: a list of object files in memory, whose function
// __jit_debug_register_code is called when the list has changed, and on which gdb has a breakpoint.
#pragma once
#include <string>

#include "backend/llvm/code_maps.h"

namespace komuz::backend {

// A row of the list, as gdb reads it.
struct JitCodeEntry {
  JitCodeEntry *next = nullptr, *previous = nullptr;
  const char* object = nullptr;
  u64 bytes = 0;
};

// An ELF file with the names of the functions, and what it takes to walk up from them.
[[nodiscard]] std::string gdb_object(const CodeMap& map);
void tell_gdb(JitCodeEntry& entry);
void untell_gdb(JitCodeEntry& entry);

}  // namespace komuz::backend

// SPDX-License-Identifier: Apache-2.0
// Shared objects that belong to this program, and are opened on first use.
#pragma once
#include <string>

#include "base/problem.h"

namespace komuz::machine {

struct OwnLibrary {
  const char* file;      // "komuz_backend.so"
  const char* variable;  // of the environment: it may name another file
  const char*
      table;         // the name of what it exports: a structure that begins with a u32, its version
  u32 version;       // that this program needs
  const char* what;  // "backend", for messages
  const char* lacks;    // what is missing where there is no such file: "LLVM"
  const char* package;  // where that comes from: "llvm-19-dev"
};

// The table of a library. It is looked for in the file that the variable names, else beside this program (own_folder.h), else in ../lib/komuz from
// there. It stays open until the process ends. The problem says why there is none, and what to do.
[[nodiscard]] Result<const void*> open_own_library(const OwnLibrary& library);

}  // namespace komuz::machine

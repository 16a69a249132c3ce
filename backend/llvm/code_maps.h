// SPDX-License-Identifier: Apache-2.0
// Tells perf and gdb where functions of compiled code lie (settings.h).
#pragma once
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <string>
#include <vector>

#include "backend/settings.h"

namespace komuz::backend {

// A function in memory. `address` and `size` in bytes.
struct MappedFunction {
  std::string name;
  u64 address, size;
};

// What of linked code is to be told.
struct CodeMap {
  Maps maps = Maps::None;
  std::string entry_symbol, entry;  // the function that calls the entry, and the entry's name
  u32 lanes = 1;
  std::vector<MappedFunction> functions;
  std::string unwind;  // .eh_frame, as it lies at `unwind_address`
  u64 unwind_address = 0;
};

// Notes the functions of what is linked from here on. The map stays where it is until then.
void watch_links(llvm::orc::LLJIT& jit, CodeMap& map);

// What gdb knows of one object, as long as this exists.
class ToldCode {
 public:
  explicit ToldCode(const CodeMap& map);
  ~ToldCode();
  ToldCode(const ToldCode&) = delete;
  ToldCode& operator=(const ToldCode&) = delete;

 private:
  struct ForGdb;
  std::unique_ptr<ForGdb> gdb_;
};

}  // namespace komuz::backend

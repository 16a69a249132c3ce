// SPDX-License-Identifier: Apache-2.0
// Object files that were made, by all that they were made of. In memory as many as fit into 64 MB, the last used
// ones; on disk, if the process says where, those of 256 MB. A file is used only if it is whole, and the caller's
// own. May be used by several threads at once.
#pragma once
#include <llvm/Target/TargetMachine.h>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "backend/ir/ir_writer.h"
#include "backend/llvm/compile.h"

namespace komuz::backend {

// All that an object file depends on.
struct ObjectKey {
  std::array<u8, 32> digest;
  std::string target;  // the processor and its features, which are in the digest, too
};

// Of code that CompileRequest asks for, with Purpose::Process.
[[nodiscard]] ObjectKey key_of(const CodeView& code, const CompileRequest& request,
                               const llvm::TargetMachine& machine);
[[nodiscard]] ObjectKey key_of(const ir::Kernel& kernel, u32 lanes, Maps maps,
                               const llvm::TargetMachine& machine);

struct StoredObject {
  llvm::SmallVector<char, 0> bytes;
  std::vector<ir::Kernel> kernels;  // that it calls
  u32 lanes = 1;
  u64 scratch_bytes = 0, stack_bytes = 0;
};

// Nothing, if it was not kept, or cannot be used; note_problem is told why then.
[[nodiscard]] std::optional<StoredObject> find_object(const ObjectKey& key);
void keep_object(const ObjectKey& key, const StoredObject& object);
// Forgets what is kept in memory.
void forget_objects();
[[nodiscard]] CacheUse object_cache_use();

}  // namespace komuz::backend

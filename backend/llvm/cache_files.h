// SPDX-License-Identifier: Apache-2.0
// The files of the cache of objects. A file is written under another name first, and says at its beginning what all
// behind it has as its hash.
#pragma once
#include <optional>
#include <string>

#include "backend/llvm/object_cache.h"

namespace komuz::backend {

// Why a file is not used is told to note_problem; that there is none is no problem.
[[nodiscard]] std::optional<StoredObject> read_cache_file(const std::string& folder,
                                                          const ObjectKey& key);
void write_cache_file(const std::string& folder, const ObjectKey& key, const StoredObject& object);

}  // namespace komuz::backend

// SPDX-License-Identifier: Apache-2.0
// The modules below a folder, by their paths: `lib.packing` for the file lib/packing.komuz.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace komuz::services {

// Adds the paths to `paths`, files that lie less deep first, so that a very full folder hides no files beside it. Hidden folders and links
// to folders are left out. It looks at `most_seen` entries of folders, and adds `most_added` paths, at most; false: one of these was reached, and there may be others.
bool add_module_paths(const std::string& folder, size_t most_seen, size_t most_added,
                      std::vector<std::string>& paths);

}  // namespace komuz::services

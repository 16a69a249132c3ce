// SPDX-License-Identifier: Apache-2.0
// Is a file a shared object that is all there? The dynamic linker maps files without a look at their ends: what is cut
// off ends the process, or makes it wait for ever.
#pragma once
#include <filesystem>
#include <string>

namespace komuz::machine {

// Why it cannot be opened; empty if its ELF header, its segments and its table of sections, which is its end, lie in a
// regular file.
[[nodiscard]] std::string object_fault(const std::filesystem::path& path);

}  // namespace komuz::machine

// SPDX-License-Identifier: Apache-2.0
// Where this program lies: the executable or, as a part of another program, the shared object that this code is in.
#pragma once
#include <filesystem>

namespace komuz::machine {

// The folder; what comes with the program lies there, or beside it.
[[nodiscard]] std::filesystem::path own_folder();

}  // namespace komuz::machine

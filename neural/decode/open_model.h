// SPDX-License-Identifier: Apache-2.0
// The model that comes with this program.
#pragma once
#include "neural/model/model.h"

namespace komuz::neural {

inline constexpr const char* kModelFile = "small.safetensors";

// Reads the model when it is first called: the file that the environment variable KOMUZ_MODEL names, else small.safetensors
// beside the executable, else in ../share/komuz from there. The problem says why there is none. May be called by several
// threads at once.
[[nodiscard]] Result<const Model*> open_model();

// The same without a memory, for a variable of any name.
[[nodiscard]] Result<Model> find_model(const char* variable);

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// Writes files of tensors; read_safetensors.h says how they look.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neural/safetensors/read_safetensors.h"

namespace komuz::neural {

struct WrittenTensor {
  std::string name;
  TensorType type = TensorType::U8;
  std::vector<u64> shape;
  std::span<const char> bytes;  // as many as the shape says
};

// Calls write(bytes) for parts of the file in order, until one returns false. The numbers of each tensor start at a
// multiple of eight bytes if those before it have such lengths.
void write_safetensors(std::span<const WrittenTensor> tensors,
                       const std::map<std::string, std::string>& metadata,
                       const std::function<bool(std::string_view)>& write);

}  // namespace komuz::neural

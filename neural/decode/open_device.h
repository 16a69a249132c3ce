// SPDX-License-Identifier: Apache-2.0
// The GPU that calculates a model.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "neural/model/cuda/model_device.h"

namespace komuz::neural {

struct OpenedModelDevice {
  std::unique_ptr<ModelDevice> device;
  std::string name;  // of the GPU
};
// The GPU of this number, or the first that can be used, with the weights of this model; or why there is none.
[[nodiscard]] Result<OpenedModelDevice> open_model_device(const Model& model,
                                                          std::optional<u32> number = {});

// Whether a GPU that nobody has asked for is worth it for so many candidates of a window (device_from.def).
[[nodiscard]] bool is_worth_a_device(u32 candidates);

}  // namespace komuz::neural

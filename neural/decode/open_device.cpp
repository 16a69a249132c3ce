// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/open_device.h"

namespace komuz::neural {

Result<OpenedModelDevice> open_model_device(const Model& model, std::optional<u32> number) {
  Result<OpenedModelMachine> machine = open_model_machine(number);
  if (machine.problem()) return machine.problem();
  Result<std::unique_ptr<ModelDevice>> device =
      ModelDevice::open(std::move(machine.value().machine), model);
  if (device.problem()) return device.problem();
  return OpenedModelDevice{std::move(device).value(), std::move(machine.value().name)};
}

bool is_worth_a_device(u32 candidates) {
  enum class Row : u8 { off, on };
#define DEVICE_FROM(least, state) \
  if (Row::state == Row::on && candidates >= (least)) return true;
#include "neural/decode/device_from.def"
  return false;
}

}  // namespace komuz::neural

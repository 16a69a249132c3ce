// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "backend/cuda/ptx_device.h"
#include "engine/native/native_tier.h"
#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::engine {

namespace {

constexpr std::string_view kNumbered = "cuda:", kAll = "all";
constexpr u32 kMostNumber = 1023;

std::string gpu_name(u32 number) { return std::string(kNumbered) + std::to_string(number); }

Problem wrong_choice(std::string_view what, std::string_view text, const std::string& fault,
                     const std::string& remedy) {
  return option_problem("`" + std::string(what) + "` has `" + std::string(text) + "`" + fault,
                        remedy);
}

Result<DeviceChoice> read_numbers(std::string_view what, std::string_view text) {
  constexpr std::string_view kForm = "write `cuda:0`, `cuda:0,1` or `cuda:all`";
  DeviceChoice choice{.kind = DeviceKind::Cuda, .gpus = {}};
  std::string_view rest = text.substr(kNumbered.size());
  if (rest == kAll) {
    choice.takes_all = true;
    return choice;
  }
  if (rest.empty()) return wrong_choice(what, text, ", which names no GPU", std::string(kForm));
  for (bool goes_on = true; goes_on;) {
    const size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    u32 number = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size() || number > kMostNumber)
      return wrong_choice(what, text,
                          word.empty()
                              ? ", where a number is missing"
                              : ", where `" + std::string(word) + "` is no number of a GPU",
                          std::string(kForm));
    if (std::ranges::find(choice.gpus, number) != choice.gpus.end())
      return wrong_choice(what, text, ", which names GPU " + std::to_string(number) + " twice",
                          "name each once");
    choice.gpus.push_back(number);
    goes_on = comma != std::string_view::npos;
    if (goes_on) rest.remove_prefix(comma + 1);
  }
  return choice;
}

Result<Device> open_gpu(u32 number) {
  Result<vm::OpenedWarpDevice> machine = vm::open_cuda_device(number);
  if (machine.problem()) return std::move(machine).problem();
  Result<frontend::OpenedDeviceCompiler> compiler = frontend::open_device_compiler(number);
  if (compiler.problem()) return std::move(compiler).problem();
  return Device{std::move(compiler.value().compiler), std::move(machine.value().device),
                std::move(machine.value().name), number};
}

Result<Devices> open_gpus(const DeviceChoice& choice) {
  const Result<std::vector<u32>> numbers = chosen_gpus(choice, gpu::find_devices());
  if (numbers.problem()) return numbers.problem();
  Devices opened;
  for (const u32 number : numbers.value()) {
    Result<Device> one = open_gpu(number);
    if (one.problem())
      return numbers.value().size() == 1
                 ? std::move(one).problem()
                 : device_problem(gpu_name(number) + ": " + one.problem().message());
    opened.gpus.push_back(std::move(one).value());
  }
  return opened;
}

}  // namespace

Result<DeviceChoice> read_device_choice(std::string_view what, std::string_view text) {
  if (text.starts_with(kNumbered)) return read_numbers(what, text);
  const auto name = std::ranges::find(kDeviceNames, text);
  if (name == std::end(kDeviceNames))
    return option_problem("`" + std::string(what) + "` takes auto, cpu, cuda, or GPUs such as " +
                              "`cuda:0,1`, not `" + std::string(text) + "`",
                          "`komuz devices` shows them");
  return DeviceChoice{.kind = static_cast<DeviceKind>(name - std::begin(kDeviceNames)), .gpus = {}};
}

Result<std::vector<u32>> chosen_gpus(const DeviceChoice& choice, const gpu::Devices& found) {
  Result<std::vector<u32>> numbers = gpu::usable_numbers(found, choice.gpus);
  const bool takes_first = choice.gpus.empty() && !choice.takes_all;
  if (!numbers.problem() && takes_first) numbers.value().resize(1);
  return numbers;
}

std::string Devices::name() const {
  if (gpus.size() == 1) return gpus[0].name;
  std::string text;
  for (size_t k = 0; k < gpus.size(); ++k)
    text += (k == 0                 ? ""
             : k + 1 == gpus.size() ? " and "
                                    : ", ") +
            gpus[k].name + " (" + gpu_name(gpus[k].number) + ")";
  return text;
}

Result<Devices> open_devices(const DeviceChoice& choice) {
  if (choice.kind == DeviceKind::Cpu) return Devices();
  Result<Devices> gpus = open_gpus(choice);
  if (gpus.problem() && choice.kind == DeviceKind::Auto) return Devices();
  return gpus;
}

void use_devices(const Devices& devices, MachineOptions& options) {
  options.compiler = nullptr;
  options.device = nullptr;
  options.device_name.clear();
  options.more_devices.clear();
  if (devices.gpus.empty()) return;
  const Device& first = devices.gpus[0];
  options.compiler = first.compiler.get();
  options.device = first.warps.get();
  options.device_name = gpu_name(first.number);
  for (size_t k = 1; k < devices.gpus.size(); ++k) {
    const Device& device = devices.gpus[k];
    options.more_devices.push_back(
        {device.compiler.get(), device.warps.get(), gpu_name(device.number)});
  }
  NativeTier* const tier = options.native;
  if (tier == nullptr || !tier->wants_device()) return;
  Result<backend::OpenedPtxDevice> opened = backend::open_ptx_device(first.number);
  if (opened.problem()) return tier->use_device(std::move(opened).problem());
  tier->use_device(std::shared_ptr<backend::PtxDevice>(std::move(opened).value().device));
}

}  // namespace komuz::engine

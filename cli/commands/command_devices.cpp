// SPDX-License-Identifier: Apache-2.0
// komuz devices: lists the devices that programs can run on here.
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "backend/backend.h"
#include "base/gpu/devices.h"
#include "base/machine/processors.h"
#include "cli/commands/command.h"
#include "neural/proof/prover.h"
#include "vm/vm.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {{"json", "", "one object, for a program to read"}};

struct Cpu {
  std::string model;
  u32 threads = 0;  // at once, of this process
  u32 all_threads = 0;
  std::vector<SimdLevel> levels;
  SimdLevel chosen = SimdLevel::Portable;
};

Cpu find_cpu() {
  Cpu cpu;
  cpu.model = machine::processor_name();
  cpu.threads = machine::usable_processors();
  cpu.all_threads = std::max(cpu.threads, machine::all_processors());
  for (const SimdLevel level : kSimdLevels)
    if (simd_level_supported(level)) cpu.levels.push_back(level);
  cpu.chosen = best_simd_level();
  return cpu;
}

std::string threads_text(const Cpu& cpu) {
  const std::string all = std::to_string(cpu.all_threads) + " threads";
  if (cpu.threads == cpu.all_threads) return all;
  return std::to_string(cpu.threads) + " of its " + all + " for this process";
}

std::string cpu_text(const Cpu& cpu) {
  std::string levels;
  for (const SimdLevel level : cpu.levels) {
    if (!levels.empty()) levels += ", ";
    levels += simd_level_name(level);
    if (level == cpu.chosen) levels += " (in use)";
  }
  return "cpu   " + cpu.model + ", " + threads_text(cpu) + "\n" + "      vector code: " + levels +
         "\n";
}

std::string compute_capability(const gpu::Device& device) {
  return std::to_string(device.major) + "." + std::to_string(device.minor);
}

std::string cuda_text(const gpu::Devices& found) {
  // Under the name of a GPU, or of none.
  const std::string indent(found.devices.empty() ? 6 : 8, ' ');
  std::string text;
  for (size_t number = 0; number < found.devices.size(); ++number) {
    const gpu::Device& device = found.devices[number];
    if (device.name.empty()) {
      text += "cuda:" + std::to_string(number) + "  the driver says nothing of it (not usable)\n";
      continue;
    }
    constexpr f64 kGib = 1u << 30;
    std::array<char, 32> memory{};
    std::snprintf(memory.data(), memory.size(), "%.1f GiB",
                  static_cast<f64>(device.memory_bytes) / kGib);
    text += "cuda:" + std::to_string(number) + "  " + device.name + ", " + memory.data() +
            ", compute capability " + compute_capability(device) + ", " +
            std::to_string(device.multiprocessors) + " multiprocessors" +
            (device.is_usable ? "" : " (not usable)") + "\n";
  }
  if (found.driver != 0)
    text += (text.empty() ? "cuda  " : indent) + "the driver serves CUDA " +
            gpu::version_text(found.driver) + "\n";
  if (found.problem)
    text += (text.empty() ? "cuda  none: " : indent + "none is used: ") + found.problem.message() +
            "\n";
  return text;
}

// What is behind a library that is opened, or why nothing is.
template <class Opened>
std::string opened_text(const char* what, const Opened& opened) {
  return what +
         (opened.problem() ? "none: " + opened.problem().message() : opened.value()->about()) +
         "\n";
}
template <class Opened>
nlohmann::ordered_json opened_json(const Opened& opened) {
  nlohmann::ordered_json part = {{"about", nullptr}, {"problem", nullptr}};
  if (opened.problem())
    part["problem"] = opened.problem().message();
  else
    part["about"] = opened.value()->about();
  return part;
}

std::string as_json(const Cpu& cpu, const gpu::Devices& found,
                    const Result<const backend::Backend*>& native,
                    const Result<const neural::Prover*>& proofs) {
  nlohmann::ordered_json object;
  auto& part = object["cpu"];
  part["model"] = cpu.model;
  part["threads"] = cpu.threads;
  part["all_threads"] = cpu.all_threads;
  for (const SimdLevel level : cpu.levels) part["vector_code"].push_back(simd_level_name(level));
  part["in_use"] = simd_level_name(cpu.chosen);
  auto& cuda = object["cuda"];
  cuda["built"] = found.is_built;
  cuda["driver"] = nullptr;
  if (found.driver != 0) cuda["driver"] = gpu::version_text(found.driver);
  cuda["devices"] = nlohmann::ordered_json::array();
  for (const gpu::Device& device : found.devices)
    cuda["devices"].push_back({{"number", cuda["devices"].size()},
                               {"name", device.name},
                               {"memory_bytes", device.memory_bytes},
                               {"compute_capability", compute_capability(device)},
                               {"multiprocessors", device.multiprocessors},
                               {"usable", device.is_usable}});
  cuda["problem"] = nullptr;
  if (found.problem) cuda["problem"] = found.problem.message();
  object["native"] = opened_json(native);
  object["proofs"] = opened_json(proofs);
  return object.dump(2) + "\n";
}

Exit run(Args& args, Terminal& terminal) {
  if (!args.positional.empty() || args.has_rest)
    return terminal.usage_error("devices", "`komuz devices` takes no arguments");
  const Cpu cpu = find_cpu();
  const gpu::Devices gpus = gpu::find_devices();
  const Result<const backend::Backend*> native = backend::open_backend();
  const Result<const neural::Prover*> proofs = neural::open_prover();
  terminal.out.write(args.has("json")
                         ? as_json(cpu, gpus, native, proofs)
                         : cpu_text(cpu) + cuda_text(gpus) + opened_text("native ", native) +
                               opened_text("proofs ", proofs));
  return Exit::Success;
}

}  // namespace

constinit const Command kDevicesCommand = {
    .name = "devices",
    .summary = "list the processor and the GPUs that programs can run on",
    .usage = "  komuz devices [--json]\n",
    .examples =
        "  komuz devices\n"
        "  KOMUZ_SIMD=portable komuz devices    # with a lower SIMD level\n",
    .arguments = {{}, 0},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

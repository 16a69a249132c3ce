// SPDX-License-Identifier: Apache-2.0
// komuz devices: on what programs can run here.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.h"
#include "cli/files.h"
#include "vm/vm.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {{"json", "", "one object, for a program to read"}};

struct Cpu {
  std::string model;
  u32 threads = 0;
  std::vector<vm::SimdLevel> levels;
  vm::SimdLevel chosen = vm::SimdLevel::Portable;
};

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown";
}

Cpu find_cpu() {
  Cpu cpu;
  cpu.model = cpu_model();
  cpu.threads = std::max(1u, std::thread::hardware_concurrency());
  for (const vm::SimdLevel level :
       {vm::SimdLevel::Portable, vm::SimdLevel::Avx2, vm::SimdLevel::Avx512})
    if (vm::simd_level_supported(level)) cpu.levels.push_back(level);
  cpu.chosen = vm::best_simd_level();
  return cpu;
}

// The kernel's part of the NVIDIA driver shows itself there.
bool cuda_driver_present() { return exists("/proc/driver/nvidia/version"); }

std::string as_text(const Cpu& cpu) {
  std::string levels;
  for (const vm::SimdLevel level : cpu.levels) {
    if (!levels.empty()) levels += ", ";
    levels += vm::simd_level_name(level);
    if (level == cpu.chosen) levels += " (in use)";
  }
  std::string text = "cpu   " + cpu.model + ", " + std::to_string(cpu.threads) + " threads\n";
  text += "      vector code: " + levels + "\n";
  text += "cuda  not in this build";
  return text +
         (cuda_driver_present() ? "; a driver is installed\n" : "; no driver is installed\n");
}

std::string as_json(const Cpu& cpu) {
  nlohmann::ordered_json object;
  auto& part = object["cpu"];
  part["model"] = cpu.model;
  part["threads"] = cpu.threads;
  for (const vm::SimdLevel level : cpu.levels)
    part["vector_code"].push_back(vm::simd_level_name(level));
  part["in_use"] = vm::simd_level_name(cpu.chosen);
  object["cuda"] = {{"built", false}, {"driver", cuda_driver_present()}};
  return object.dump(2) + "\n";
}

Exit run(Args& args, Terminal& terminal) {
  if (!args.positional.empty() || args.has_rest)
    return terminal.usage_error("devices", "`komuz devices` takes no arguments");
  const Cpu cpu = find_cpu();
  terminal.out.write(args.has("json") ? as_json(cpu) : as_text(cpu));
  return Exit::Success;
}

}  // namespace

constinit const Command kDevicesCommand = {
    .name = "devices",
    .summary = "show on what programs can run here",
    .usage = "  komuz devices [--json]\n",
    .examples =
        "  komuz devices\n"
        "  KOMUZ_SIMD=portable komuz devices    # plain code: what a lowered level looks like\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

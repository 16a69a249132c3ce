// SPDX-License-Identifier: Apache-2.0
// komuz version: describes this executable, and the devices that it would run programs on.
#include <nlohmann/json.hpp>

#include "base/gpu/devices.h"
#include "base/simd_level.h"
#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "cli/process/version.h"
#include "engine/device.h"
#include "services/options/environment.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {{"json", "", "one object, for a program to read"}};

// The default of `--device`: the names of the GPUs.
Result<std::string> default_device() {
  engine::DeviceChoice choice;
  if (const std::string_view text = services::environment_value(services::kDeviceVariable);
      !text.empty()) {
    Result<engine::DeviceChoice> read = engine::read_device_choice(services::kDeviceVariable, text);
    if (read.problem()) return std::move(read).problem();
    choice = std::move(read).value();
  }
  if (choice.kind == engine::DeviceKind::Cpu) return device_problem("KOMUZ_DEVICE is cpu");
  const gpu::Devices found = gpu::find_devices();
  const Result<std::vector<u32>> numbers = engine::chosen_gpus(choice, found);
  if (numbers.problem()) return numbers.problem();
  std::string names;
  for (const u32 number : numbers.value())
    names += (names.empty() ? "" : ", ") + found.devices[number].name;
  return names;
}

std::string as_text(const Result<std::string>& gpu) {
  const std::string commit = kCommit.id.empty() ? "unknown" : std::string(kCommit.id);
  return "komuz " + std::string(kVersion) + "\ncommit  " + commit + "\ndate    " +
         std::string(kCommit.date) + "\nsimd    " +
         std::string(simd_level_name(best_simd_level())) + "\ndevice  " +
         (gpu.problem() ? "none: " + gpu.problem().message() : gpu.value()) + "\n";
}

std::string as_json(const Result<std::string>& gpu) {
  nlohmann::ordered_json object;
  object["komuz"] = kVersion;
  object["commit"] = nullptr;
  if (!kCommit.id.empty()) object["commit"] = kCommit.id;
  object["date"] = kCommit.date;
  object["simd"] = simd_level_name(best_simd_level());
  object["device"] = nullptr;
  if (!gpu.problem()) object["device"] = gpu.value();
  object["problem"] = nullptr;
  if (gpu.problem()) object["problem"] = gpu.problem().message();
  return json_line(object);
}

Exit run(Args& args, Terminal& terminal) {
  if (!args.positional.empty() || args.has_rest)
    return terminal.usage_error("version", "`komuz version` takes no arguments");
  const Result<std::string> gpu = default_device();
  terminal.out.write(args.has("json") ? as_json(gpu) : as_text(gpu));
  return Exit::Success;
}

}  // namespace

constinit const Command kVersionCommand = {
    .name = "version",
    .summary = "show the version and commit of this executable, and its SIMD level and GPU",
    .usage = "  komuz version [--json]\n  komuz --version [--json]\n",
    .examples =
        "  komuz --version\n"
        "  komuz version --json | jq -r .commit\n",
    .arguments = {{}, 0},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli

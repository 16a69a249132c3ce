// SPDX-License-Identifier: Apache-2.0
#include "base/gpu/devices.h"

#include <algorithm>

#include "base/counts.h"

namespace komuz::gpu {
namespace {

// "GPU 0", "GPUs 0 and 2"
std::string numbers_text(const std::vector<u32>& numbers) {
  std::string text = numbers.size() == 1 ? "GPU " : "GPUs ";
  for (size_t k = 0; k < numbers.size(); ++k) {
    if (k != 0) text += k + 1 == numbers.size() ? " and " : ", ";
    text += std::to_string(numbers[k]);
  }
  return text;
}

std::vector<u32> all_usable(const Devices& found) {
  std::vector<u32> numbers;
  for (u32 k = 0; k < found.devices.size(); ++k)
    if (found.devices[k].is_usable) numbers.push_back(k);
  return numbers;
}

Problem why_not(const Devices& found, u32 number) {
  const std::string gpu = "GPU " + std::to_string(number);
  const std::string usable = numbers_text(all_usable(found));
  if (number >= found.devices.size())
    return device_problem("there is no " + gpu + ": this machine has " +
                          counted(found.devices.size(), "GPU") + ", of which " + usable +
                          " can be used");
  const Device& device = found.devices[number];
  return device_problem(gpu + " cannot be used: " +
                        (device.name.empty() ? "the driver says nothing of it"
                                             : device.name + " has compute capability " +
                                                   std::to_string(device.major) + "." +
                                                   std::to_string(device.minor)) +
                        "; of this machine " + usable + " can");
}

}  // namespace

Result<UsableDevice> usable_device(const Devices& found, std::optional<u32> number) {
  if (found.problem) return found.problem;
  const u32 chosen = number ? *number : all_usable(found)[0];
  if (chosen >= found.devices.size() || !found.devices[chosen].is_usable)
    return why_not(found, chosen);
  return UsableDevice{static_cast<int>(chosen), found.devices[chosen].name};
}

Result<std::vector<u32>> usable_numbers(const Devices& found, std::span<const u32> wanted) {
  if (found.problem) return found.problem;
  if (wanted.empty()) return all_usable(found);
  for (const u32 number : wanted)
    if (const Result<UsableDevice> one = usable_device(found, number); one.problem())
      return one.problem();
  return std::vector<u32>(wanted.begin(), wanted.end());
}

}  // namespace komuz::gpu

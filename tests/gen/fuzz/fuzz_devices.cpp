// SPDX-License-Identifier: Apache-2.0
// Runs the fuzzers of a device endlessly, or for a while:
// fuzz_devices [--device cuda|emulated] [--seconds N] [--seeds N] [--seed S]
//              [--only front_end|machine|candidates|kernels|sketches|searches]
// Prints the seed of the first step that fails with its source, and ends with 1, or with 4 if there is no such device.
#include <optional>
#include <string_view>
#include <vector>

#include "tests/fuzz_loop.h"
#include "tests/gen/device_fuzzers.h"

namespace komuz::test {
namespace {

constexpr FuzzStep<DeviceFuzzers> kSteps[] = {
    {"front_end", &DeviceFuzzers::front_end},   {"machine", &DeviceFuzzers::machine},
    {"candidates", &DeviceFuzzers::candidates}, {"kernels", &DeviceFuzzers::kernels},
    {"sketches", &DeviceFuzzers::sketches},     {"searches", &DeviceFuzzers::searches}};
constexpr int kUsage = 2, kNoDevice = 4;

// Takes `--device NAME` out of the words. None: there is no device of this name.
std::optional<bool> take_emulated(std::vector<char*>& words) {
  for (size_t k = 1; k + 1 < words.size(); ++k) {
    if (std::string_view(words[k]) != "--device") continue;
    const std::string_view name = words[k + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(k),
                words.begin() + static_cast<std::ptrdiff_t>(k) + 2);
    if (name != "cuda" && name != "emulated") return std::nullopt;
    return name == "emulated";
  }
  return false;
}

int run(int count, char** given) {
  std::vector<char*> words(given, given + count);
  const std::optional<bool> is_emulated = take_emulated(words);
  if (!is_emulated) {
    std::fprintf(stderr, "fuzz_devices: a device is `cuda` or `emulated`\n");
    return kUsage;
  }
  const FuzzOptions options(static_cast<int>(words.size()), words.data());
  Result<FuzzedDevice> device = *is_emulated ? fuzzed_emulator() : fuzzed_gpu();
  if (device.problem()) {
    std::fprintf(stderr, "fuzz_devices: no GPU: %s\n", device.problem().text().c_str());
    return kNoDevice;
  }
  DeviceFuzzers fuzzers(std::move(device).value(), *is_emulated ? kEmulatedBatch : kGpuBatch);
  u64 seeds = 0;
  const bool agree = fuzz<DeviceFuzzers>(fuzzers, kSteps, options, [&](u64) { ++seeds; });
  const auto print = [](const char* what, u64 number) {
    if (number != 0) std::printf("%llu %s\n", static_cast<unsigned long long>(number), what);
  };
  print("programs compiled", fuzzers.compiled);
  print("programs with errors", fuzzers.damaged);
  print("cases ran", fuzzers.ran);
  print("of these trapped", fuzzers.trapped);
  print("candidates and variants scored", fuzzers.scored);
  print("cases ran natively", fuzzers.natively);
  print("of these as kernels", fuzzers.by_kernels);
  print("variants of searches scored", fuzzers.searched);
  print("runs were an error", fuzzers.refused_runs);
  if (!agree) return 1;
  std::printf("%llu seeds without a difference\n", static_cast<unsigned long long>(seeds));
  return 0;
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** words) { return komuz::test::run(count, words); }

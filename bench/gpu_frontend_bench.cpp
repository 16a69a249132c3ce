// SPDX-License-Identifier: Apache-2.0
// The front end on a GPU: programs of about 1 KB and their lexing from the device's memory, and a small batch from the
// host's memory and back. Kernel times are by the device's clock, the others by the host's; medians of 9. Without a
// GPU it says why there is nothing to measure.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

#include "bench/programs.h"
#include "frontend_gpu/cuda/cuda_device.h"

namespace komuz::bench {
namespace {

using frontend::CudaBatchDevice;
using frontend::DeviceAnswer;
using frontend::DeviceWork;
using frontend::PackedPrograms;

constexpr u32 kRounds = 9;

// Seconds of the median round; negative: it failed, and has said so.
template <class Round>
double median(Round round) {
  std::vector<double> seconds(kRounds);
  for (double& s : seconds) {
    const std::string wrong = round(s);
    if (wrong.empty()) continue;
    std::printf("%s\n", wrong.c_str());
    return -1;
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRounds / 2, seconds.end());
  return seconds[kRounds / 2];
}

// The programs again and again, until there are so many bytes; each at least once.
struct Batch {
  PackedPrograms packed;
  u64 bytes = 0;

  Batch(const Sources& sources, u64 wanted) {
    std::vector<std::string_view> views;
    for (u64 k = 0; bytes < wanted || k < sources.texts.size(); ++k) {
      views.push_back(sources.texts[k % sources.texts.size()]);
      bytes += views.back().size();
    }
    std::vector<u32> numbers(views.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    packed.pack(views, numbers);
  }
  [[nodiscard]] double megabytes() const { return static_cast<double>(bytes) / 1e6; }
  [[nodiscard]] size_t programs() const { return packed.programs.size(); }
};

double on_device(CudaBatchDevice& device, const char* what, const Batch& batch, DeviceWork work) {
  if (const std::string wrong = device.load(batch.packed); !wrong.empty()) {
    std::printf("%s: %s\n", what, wrong.c_str());
    return -1;
  }
  const double seconds = median([&](double& s) { return device.work(work, s); });
  if (seconds > 0)
    std::printf("%-36s %8.1f MB %8zu programs %10.3f ms %8.2f GB/s\n", what, batch.megabytes(),
                batch.programs(), seconds * 1e3, batch.megabytes() / seconds / 1e3);
  return seconds;
}

// Where the programs of the last work, which is whole, went.
void print_paths(CudaBatchDevice& device, const Batch& batch) {
  DeviceAnswer answer;
  if (const std::string wrong = device.fetch(answer); !wrong.empty()) {
    std::printf("%s\n", wrong.c_str());
    return;
  }
  size_t warps = 0, blocks = 0, checked = 0;
  for (const frontend::DeviceResult& r : answer.results) {
    if (r.end == frontend::DeviceEnd::Done) ++(r.by_block != 0 ? blocks : warps);
    checked += r.is_checked;
  }
  std::printf(
      "  %zu by warps, %zu by blocks, %zu for the host; %zu checked; %.2f bytes of output a byte "
      "of "
      "source\n",
      warps, blocks, answer.results.size() - warps - blocks, checked,
      static_cast<double>(answer.output.size()) / static_cast<double>(batch.bytes));
}

void with_transfers(CudaBatchDevice& device, const Batch& batch) {
  DeviceAnswer answer;
  const double seconds = median([&](double& s) {
    const auto begin = std::chrono::steady_clock::now();
    std::string wrong = device.run(batch.packed, answer);
    s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return wrong;
  });
  if (seconds > 0)
    std::printf("%-36s %8.1f MB %8zu programs %10.3f ms wall\n", "the same with both transfers",
                batch.megabytes(), batch.programs(), seconds * 1e3);
}

int run() {
  const frontend::OpenedBatchDevice opened = frontend::open_cuda_device();
  if (opened.device == nullptr) {
    std::printf("gpu_frontend_bench: nothing to measure: %s\n", opened.problem.c_str());
    return 0;
  }
  CudaBatchDevice& device = *opened.device;
  std::printf("%s\n", opened.name.c_str());
  const Batch sound(make_programs(256, 800, 1), 64u << 20);
  (void)on_device(device, "source to code", sound, DeviceWork::Compile);
  const double good = on_device(device, "source to checked code", sound, DeviceWork::Whole);
  print_paths(device, sound);
  const Batch failing(make_failing_programs(256, 800, 1), 64u << 20);
  const double bad = on_device(device, "every program failing", failing, DeviceWork::Whole);
  if (good > 0 && bad > 0) std::printf("  time over that without errors: %.2f\n", bad / good);
  const Batch much(make_programs(256, 800, 1), 256u << 20);
  (void)on_device(device, "lexing alone", much, DeviceWork::Lex);
  const Batch small(make_programs(4096, 200, 2), 1);
  (void)on_device(device, "4,096 short programs", small, DeviceWork::Whole);
  with_transfers(device, small);
  return 0;
}

}  // namespace
}  // namespace komuz::bench

int main() { return komuz::bench::run(); }

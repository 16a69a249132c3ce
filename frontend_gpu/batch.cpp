// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/batch.h"

#include <numeric>

#include "frontend_gpu/source_text.h"
#include "frontend_gpu/unpack.h"

namespace komuz::frontend {

std::string_view host_reason_text(HostReason reason) {
  switch (reason) {
    case HostReason::TooLong: return "too long";
    case HostReason::TooManyNodes: return "too many nodes";
    case HostReason::TooMuchCode: return "too much code";
    case HostReason::NoMemory: return "more columns than a block has memory for";
    case HostReason::NoOutput: return "the output was full";
    case HostReason::StackLimit: return "needs too much stack";
  }
  return "";
}

void PathCounts::add(const PathCounts& other) {
  refused += other.refused;
  warp += other.warp;
  block += other.block;
  for (u32 k = 0; k < kHostReasons; ++k) host[k] += other.host[k];
}

u32 PathCounts::on_host() const { return std::accumulate(host.begin(), host.end(), 0u); }

std::string PathCounts::text() const {
  std::string out = std::to_string(warp) + " by warps, " + std::to_string(block) + " by blocks, " +
                    std::to_string(on_host()) + " on the host";
  std::string reasons;
  for (u32 k = 0; k < kHostReasons; ++k) {
    if (host[k] == 0) continue;
    reasons += (reasons.empty() ? "" : ", ") + std::to_string(host[k]) + " ";
    reasons += host_reason_text(static_cast<HostReason>(k));
  }
  if (!reasons.empty()) out += " (" + reasons + ")";
  if (refused != 0) out += ", " + std::to_string(refused) + " refused as text";
  return out;
}

struct BatchCompiler::Workspace {
  std::unique_ptr<BatchDevice> device;
  Compiler host;
  Unpacker unpacker;
  PackedPrograms packed;
  DeviceAnswer answer;
  std::vector<u32> numbers;  // of the programs for the device
  PathCounts paths;

  Workspace(std::unique_ptr<BatchDevice> wanted, const Options& options)
      : device(std::move(wanted)), host(options), unpacker(options.stack_limit) {}

  void on_host(HostReason reason, std::string_view source, Compilation& out) {
    ++paths.host[static_cast<u32>(reason)];
    host.compile(source, out);
  }
  // What never reaches the device, is answered at once.
  void sort_out(std::span<const std::string_view> sources, std::span<Compilation> out) {
    numbers.clear();
    for (u32 k = 0; k < sources.size(); ++k) {
      const Diagnostic wrong = check_text(sources[k]);
      if (wrong.code() != DiagnosticCode::None) {
        out[k].clear();
        out[k].diagnostics.push_back(wrong);
        ++paths.refused;
      } else if (sources[k].size() > kMaxDeviceBytes) {
        on_host(HostReason::TooLong, sources[k], out[k]);
      } else {
        numbers.push_back(k);
      }
    }
  }
};

BatchCompiler::BatchCompiler(std::unique_ptr<BatchDevice> device, Options options)
    : workspace_(std::make_unique<Workspace>(std::move(device), options)) {}
BatchCompiler::~BatchCompiler() = default;
BatchCompiler::BatchCompiler(BatchCompiler&&) noexcept = default;
BatchCompiler& BatchCompiler::operator=(BatchCompiler&&) noexcept = default;

const PathCounts& BatchCompiler::paths() const { return workspace_->paths; }

std::string BatchCompiler::compile(std::span<const std::string_view> sources,
                                   std::span<Compilation> out) {
  Workspace& w = *workspace_;
  w.paths = {};
  w.sort_out(sources, out);
  w.packed.pack(sources, w.numbers);
  if (std::string wrong = w.device->run(w.packed, w.answer); !wrong.empty()) {
    for (Compilation& compilation : out) compilation.clear();
    return wrong;
  }
  for (u32 k = 0; k < w.packed.programs.size(); ++k) {
    const u32 number = w.packed.programs[k].number;
    const DeviceResult& result = w.answer.results[k];
    const auto reason =
        w.unpacker.unpack(result, w.answer.output.data(), sources[number], out[number]);
    if (reason)
      w.on_host(*reason, sources[number], out[number]);
    else
      ++(result.by_block != 0 ? w.paths.block : w.paths.warp);
  }
  return {};
}

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/device/batch.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "frontend_gpu/columns/work_meter.h"
#include "frontend_gpu/device/unpack.h"
#include "frontend_gpu/expand.h"
#include "frontend_gpu/text/source_text.h"

namespace komuz::frontend {

std::string_view host_reason_text(HostReason reason) {
  switch (reason) {
    case HostReason::TooLong: return "too long";
    case HostReason::TooManyNodes: return "too many nodes";
    case HostReason::TooManyFunctions: return "too many functions";
    case HostReason::TooMuchCode: return "too much code";
    case HostReason::NoMemory: return "more columns than a block has memory for";
    case HostReason::NoOutput: return "the output was full";
    case HostReason::StackLimit: return "needs too much stack";
    case HostReason::Budget: return "may exceed the budget";
    case HostReason::Names: return "messages of names and types";
  }
  return "";
}

void PathCounts::add(const PathCounts& other) {
  refused += other.refused;
  warp += other.warp;
  block += other.block;
  checked += other.checked;
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

struct BatchReader::Workspace {
  u32 harness;
  Compiler host;
  Unpacker unpacker;

  explicit Workspace(const Options& wanted)
      : harness(wanted.harness), host(wanted), unpacker(wanted) {}
};

BatchReader::BatchReader(Options options) : workspace_(std::make_unique<Workspace>(options)) {}
BatchReader::~BatchReader() = default;
void BatchReader::stop_when(std::stop_token stop) { workspace_->host.stop_when(std::move(stop)); }
BatchReader::BatchReader(BatchReader&&) noexcept = default;
BatchReader& BatchReader::operator=(BatchReader&&) noexcept = default;

struct BatchCompiler::Workspace {
  // Stand instead of the place among the packed programs.
  static constexpr u32 kRefused = ~0u, kTooLong = ~0u - 1, kOverBudget = ~0u - 2;

  std::unique_ptr<BatchDevice> device;
  PackedPrograms packed;
  DeviceAnswer answer;
  std::vector<std::string_view> sources;
  std::vector<u32> numbers;  // of the programs for the device
  // A source that uses modules.
  struct ExpandedSource {
    ExpandedText text;
    std::string_view own;
    TextHash identity;
  };
  const Library* library = nullptr;
  CompileBudget budget;
  Compiler expander;
  std::vector<ExpandedSource> expanded;
  std::vector<u8> refused;      // for each source: whether it may not be expanded
  std::vector<u32> expansions;  // for each source: which of these it is compiled as, or kNoModule
  std::vector<u32> places;      // for each source

  void expand() {
    expansions.assign(sources.size(), kNoModule);
    expanded.clear();
    refused.assign(sources.size(), 0);
    for (u32 k = 0; k < sources.size(); ++k) {
      ExpandedSource own{{}, sources[k], {}};
      const Expanded done = expander.expand(sources[k], own.text, own.identity);
      refused[k] = done == Expanded::Refused;
      if (done != Expanded::Yes) continue;
      expansions[k] = static_cast<u32>(expanded.size());
      expanded.push_back(std::move(own));
    }
    // From here on the texts do not move.
    for (u32 k = 0; k < sources.size(); ++k)
      if (expansions[k] != kNoModule) sources[k] = expanded[expansions[k]].text.text;
  }
  // Sorts out sources that never reach the device.
  void sort_out() {
    numbers.clear();
    places.assign(sources.size(), kRefused);
    for (u32 k = 0; k < sources.size(); ++k) {
      if (refused[k] != 0 || check_text(sources[k]).code() != DiagnosticCode::None) continue;
      if (sources[k].size() > kMaxDeviceBytes)
        places[k] = kTooLong;
      else if (sources[k].size() > std::min(budget.bytes, budget.work / kMostWorkOfByte))
        places[k] = kOverBudget;
      else
        numbers.push_back(k);
    }
  }
};

BatchCompiler::BatchCompiler(std::unique_ptr<BatchDevice> device)
    : workspace_(std::make_unique<Workspace>()) {
  workspace_->device = std::move(device);
}
BatchCompiler::~BatchCompiler() = default;
BatchCompiler::BatchCompiler(BatchCompiler&&) noexcept = default;
BatchCompiler& BatchCompiler::operator=(BatchCompiler&&) noexcept = default;

void BatchCompiler::use_library(const Library* library) {
  Workspace& w = *workspace_;
  w.library = library;
  w.expander = Compiler({.library = library});
}

void BatchCompiler::use_budget(const CompileBudget& budget) { workspace_->budget = budget; }

Problem BatchCompiler::run(std::span<const std::string_view> sources) {
  Workspace& w = *workspace_;
  w.sources.assign(sources.begin(), sources.end());
  w.expand();
  w.sort_out();
  w.packed.pack(w.sources, w.numbers);
  if (Problem wrong = w.device->run(w.packed, w.answer)) return wrong;
  for (u32 k = 0; k < w.packed.programs.size(); ++k) w.places[w.packed.programs[k].number] = k;
  return {};
}

Problem BatchCompiler::run_there(const ResidentSources& sources, ResidentResults& out) {
  return workspace_->device->run_there(sources, out);
}

int BatchCompiler::gpu() const { return workspace_->device->gpu(); }

void BatchCompiler::read(u32 number, BatchReader& reader, Compilation& out) const {
  const Workspace& w = *workspace_;
  const std::string_view source = w.sources[number];
  const bool is_expanded = w.expansions[number] != kNoModule;
  const Workspace::ExpandedSource* const expanded =
      is_expanded ? &w.expanded[w.expansions[number]] : nullptr;
  const std::string_view own = is_expanded ? expanded->own : source;
  const u32 place = w.places[number];
  PathCounts& paths = reader.paths;
  std::optional<HostReason> reason;
  if (place == Workspace::kRefused) {
    ++paths.refused;
    return reader.workspace_->host.compile(own, out);
  }
  if (place == Workspace::kTooLong || place == Workspace::kOverBudget) {
    reason = place == Workspace::kTooLong ? HostReason::TooLong : HostReason::Budget;
  } else {
    const DeviceResult& result = w.answer.results[place];
    const std::span<const u32> heads =
        is_expanded ? std::span<const u32>(expanded->text.heads) : std::span<const u32>();
    reason = reader.workspace_->unpacker.unpack(result, w.answer.output.data(), source, heads, out);
    // Whether the program hides what a space of a module needs is asked of the names (shared_spaces.h).
    if (!reason && is_expanded && source.find("\npub space ", own.size()) != std::string_view::npos)
      reason = HostReason::Names;
    if (!reason) ++(result.by_block != 0 ? paths.block : paths.warp);
    if (!reason && result.is_checked != 0) ++paths.checked;
  }
  if (!reason && is_expanded) out.identity = expanded->identity;
  const u32 harness = reader.workspace_->harness;
  if (!reason && !out.diagnostics.empty() && (is_expanded || harness != kNoModule)) {
    if (out.text.empty()) out.text = source;
    explain_modules(*w.library, harness, out.text, out.diagnostics);
  }
  if (!reason) return;
  ++paths.host[static_cast<u32>(*reason)];
  reader.workspace_->host.compile(own, out);
}

}  // namespace komuz::frontend

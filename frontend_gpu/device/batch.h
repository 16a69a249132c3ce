// SPDX-License-Identifier: Apache-2.0
// The door for compiling many programs at once on a device. Sources go in, and the same compilations come out, byte
// for byte, that a Compiler gives. The host compiles what exceeds the device's limits, and counts it with the
// reason. `run` is the device's part, `read` the host's; any thread may do the host's part for a program. This file
// knows no device: a BatchDevice runs the packed programs.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>

#include "base/problem.h"
#include "frontend_gpu/frontend.h"

namespace komuz::frontend {

// Why a program was compiled on the host.
enum class HostReason : u8 {
  TooLong,  // more bytes than the device takes
  TooManyNodes,
  TooManyFunctions,
  TooMuchCode,
  NoMemory,    // its columns exceed the memory of a block
  NoOutput,    // the device's output was full
  StackLimit,  // its message needs the tree
  Budget,      // it may exceed the budget, which the host counts
  Names,       // a message needs references or types, which are not handed back
};
inline constexpr u32 kHostReasons = 9;
[[nodiscard]] std::string_view host_reason_text(HostReason reason);

// How many programs took which way. Programs whose text is no UTF-8 or too large take none.
struct PathCounts {
  u32 refused = 0, warp = 0, block = 0;
  u32 checked = 0;  // programs by warps and blocks whose code the device has checked, too
  std::array<u32, kHostReasons> host{};

  void add(const PathCounts& other);
  [[nodiscard]] u32 on_host() const;
  // "12 by warps, 3 by blocks, 1 on the host (1 too long)"
  [[nodiscard]] std::string text() const;
};

struct PackedPrograms;  // packed.h has all of these
struct DeviceAnswer;
struct ResidentSources;
struct ResidentResults;

class BatchDevice {
 public:
  virtual ~BatchDevice() = default;
  // Returns what went wrong, if anything.
  virtual Problem run(const PackedPrograms& programs, DeviceAnswer& answer) = 0;
  // Runs programs whose sources are in the device's memory, and leaves the results there. All writes of the sources
  // must be done. Anybody may read the results.
  virtual Problem run_there(const ResidentSources& sources, ResidentResults& out) = 0;
  // The number of the GPU; -1: its memory is the host's.
  [[nodiscard]] virtual int gpu() const { return -1; }
};

// What a thread needs to read a device's results: it checks code, makes messages, and compiles what the device did
// not.
class BatchReader {
 public:
  explicit BatchReader(Options options = {});
  ~BatchReader();
  BatchReader(BatchReader&&) noexcept;
  BatchReader& operator=(BatchReader&&) noexcept;

  // As in Compiler, for programs that it compiles itself.
  void stop_when(std::stop_token stop);

  PathCounts paths;  // of all programs that it has read

 private:
  friend class BatchCompiler;
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// Compiles batches. Once it has seen its largest batch, it allocates nothing.
class BatchCompiler {
 public:
  explicit BatchCompiler(std::unique_ptr<BatchDevice> device);
  ~BatchCompiler();
  BatchCompiler(BatchCompiler&&) noexcept;
  BatchCompiler& operator=(BatchCompiler&&) noexcept;

  // The modules that `use` items of the sources may name, the same as for the readers. Null: none.
  void use_library(const Library* library);
  // The same budget as for the readers. The host compiles programs that may exceed it, and counts their work.
  void use_budget(const CompileBudget& budget);
  // Compiles the sources on the device. The sources have to stay in place until the last one has been read. Empty,
  // or why the device gave nothing; then there is nothing to read.
  Problem run(std::span<const std::string_view> sources);
  // The compilation of a source of the last run. Threads may call it at the same time, each with its own reader.
  void read(u32 number, BatchReader& reader, Compilation& out) const;
  // As in BatchDevice: nobody has looked at the sources or expanded them, and there is nothing to read. It ends
  // what can be read of the last run.
  Problem run_there(const ResidentSources& sources, ResidentResults& out);
  // The GPU whose memory holds these, as in BatchDevice.
  [[nodiscard]] int gpu() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// The device's programs on the lockstep emulator, one by one, for tests. `block_warps`: 2 or 4.
[[nodiscard]] std::unique_ptr<BatchDevice> emulated_device(u64 seed, u32 block_warps);

}  // namespace komuz::frontend

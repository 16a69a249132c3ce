// SPDX-License-Identifier: Apache-2.0
// The door for many programs at once on a device: sources in, the compilations that a Compiler gives out, byte for byte.
// What exceeds the device's limits is compiled on the host, and counted with its reason. All that the host does for one
// program any thread may do: `run` is the device's part, `read` that of the host.
// It knows no device: a BatchDevice runs the packed programs.
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
  Budget,      // it may exceed that, which the host counts
  Names,       // a message looks at what names and types are, which the device does not hand back
};
inline constexpr u32 kHostReasons = 9;
[[nodiscard]] std::string_view host_reason_text(HostReason reason);

// How many programs went where. Those whose text is no UTF-8 or too large go nowhere.
struct PathCounts {
  u32 refused = 0, warp = 0, block = 0;
  u32 checked = 0;  // of those by warps and blocks: whose code the device has checked, too
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
  virtual Problem run(const PackedPrograms& programs, DeviceAnswer& answer) = 0;
  // The same of sources in the device's memory, and what comes out stays there. All that has been written of them must be
  // done; what comes out anybody may read.
  virtual Problem run_there(const ResidentSources& sources, ResidentResults& out) = 0;
  // The GPU by its number; -1: its memory is the host's.
  [[nodiscard]] virtual int gpu() const { return -1; }
};

// What one thread needs to read what a device gave: it checks code, makes messages, and compiles what the device did not.
class BatchReader {
 public:
  explicit BatchReader(Options options = {});
  ~BatchReader();
  BatchReader(BatchReader&&) noexcept;
  BatchReader& operator=(BatchReader&&) noexcept;

  // As of a Compiler: of what it compiles itself.
  void stop_when(std::stop_token stop);

  PathCounts paths;  // of all that it has read

 private:
  friend class BatchCompiler;
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// It stops allocating once it has seen its largest batch.
class BatchCompiler {
 public:
  explicit BatchCompiler(std::unique_ptr<BatchDevice> device);
  ~BatchCompiler();
  BatchCompiler(BatchCompiler&&) noexcept;
  BatchCompiler& operator=(BatchCompiler&&) noexcept;

  // What `use` items of the sources may name, as of the readers. Null: nothing.
  void use_library(const Library* library);
  // As of the readers. What may exceed it is compiled on the host, which counts the work.
  void use_budget(const CompileBudget& budget);
  // Compiles the sources on the device. They stay where they are until the last of them has been read. Where there is
  // a problem there is nothing to read.
  Problem run(std::span<const std::string_view> sources);
  // The compilation of a source of the last run. Threads may call it at once, each with a reader of its own.
  void read(u32 number, BatchReader& reader, Compilation& out) const;
  // As of the device: sources that nobody has looked at or expanded, and nothing to read. It ends what can be read of the
  // last run.
  Problem run_there(const ResidentSources& sources, ResidentResults& out);
  // In whose memory these lie, as of the device.
  [[nodiscard]] int gpu() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// The device's programs on the lockstep emulator, one by one: for tests. `block_warps`: 2 or 4.
[[nodiscard]] std::unique_ptr<BatchDevice> emulated_device(u64 seed, u32 block_warps);

}  // namespace komuz::frontend

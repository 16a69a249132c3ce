// SPDX-License-Identifier: Apache-2.0
// The door for many programs at once on a device: sources in, the compilations that a Compiler gives out, byte for byte.
// What exceeds the device's limits is compiled on the host, and counted with its reason.
// It knows no device: a BatchDevice runs the packed programs.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>

#include "frontend_gpu/frontend.h"

namespace komuz::frontend {

// Why a program was compiled on the host.
enum class HostReason : u8 {
  TooLong,  // more bytes than the device takes
  TooManyNodes,
  TooMuchCode,
  NoMemory,    // its columns exceed the memory of a block
  NoOutput,    // the device's output was full
  StackLimit,  // its message needs the tree
};
inline constexpr u32 kHostReasons = 6;
[[nodiscard]] std::string_view host_reason_text(HostReason reason);

// How many programs went where. Those whose text is no UTF-8 or too large go nowhere.
struct PathCounts {
  u32 refused = 0, warp = 0, block = 0;
  std::array<u32, kHostReasons> host{};

  void add(const PathCounts& other);
  [[nodiscard]] u32 on_host() const;
  // "12 by warps, 3 by blocks, 1 on the host (1 too long)"
  [[nodiscard]] std::string text() const;
};

struct PackedPrograms;
struct DeviceAnswer;

class BatchDevice {
 public:
  virtual ~BatchDevice() = default;
  // Empty, or what went wrong, in words for people.
  [[nodiscard]] virtual std::string run(const PackedPrograms& programs, DeviceAnswer& answer) = 0;
};

// A workspace for one thread; it stops allocating once it has seen its largest batch.
class BatchCompiler {
 public:
  explicit BatchCompiler(std::unique_ptr<BatchDevice> device, Options options = {});
  ~BatchCompiler();
  BatchCompiler(BatchCompiler&&) noexcept;
  BatchCompiler& operator=(BatchCompiler&&) noexcept;

  // As many compilations as sources. Empty, or why the device gave nothing; then the compilations are empty.
  [[nodiscard]] std::string compile(std::span<const std::string_view> sources,
                                    std::span<Compilation> out);
  // Of the last batch.
  [[nodiscard]] const PathCounts& paths() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// The device's programs on the lockstep emulator, one by one: for tests. `block_warps`: 2 or 4.
[[nodiscard]] std::unique_ptr<BatchDevice> emulated_device(u64 seed, u32 block_warps);

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
// The door of the machines whose lanes are warps: a batch of programs and the cases for all of them in, outcomes out.
// There are two, and they run the same interpreter (warp_vm.h): a GPU, and the lockstep emulator, which proves the
// interpreter without a GPU. Both give the results of run_reference (vm/vm.h).
//
//   WarpBatch batch;                          // lower_warp.h: programs added one by one
//   device->load_cases(cases);                // once
//   device->run(batch, {.cases = count});     // outcomes of every program on cases [first_case, first_case + cases)
//   device->outcomes(batch, 7)                // the eighth program's; valid until the next run
//
// Outcomes are large, 25 bytes a case and more. Callers that need only sums read the outcomes on the device, and
// leave them there (WarpRun::fetches, resident).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/cases.h"
#include "vm/cuda/lower_warp.h"

namespace komuz::vm {

// Warp code that already lies in the device's memory, in columns like those of a WarpBatch.
struct ResidentCode {
  const WarpOp* ops;
  const u32* places;
  const u64* constants;
};

struct WarpRun {
  u32 first_case = 0;  // a multiple of kWarpCases
  u32 cases = 0;
  u64 fuel = kDefaultFuel;
  bool fetches = true;  // brings outcomes to the host, for outcomes()
  // The place of the programs' code, if it is not in the batch; the batch then has only the programs and their types.
  const ResidentCode* code = nullptr;
};

// Programs that lie there as a whole, with results of the same type.
struct ResidentPrograms {
  const WarpProgram* programs;
  ResidentCode code;
  const u8* types;  // Scalar: the results' types of all programs, one behind the other
  u32 count;
  u32 cells;  // of a result
};

// The outcomes of the last run in the device's memory: a column of `stride` rows for each program (values: for each
// cell of each program's result), with the programs one behind the other.
struct ResidentOutcomes {
  const u64* values;
  const Trap* traps;
  const u32* places;
  const u32* depths;
  const u64* fuel;
  u32 stride;
};

// Seconds of the last run by the device's clock; zeros if it has no clock.
struct WarpTimes {
  f64 sending = 0, running = 0, fetching = 0;
};

class WarpDevice {
 public:
  virtual ~WarpDevice() = default;

  // Keeps a copy of the columns.
  virtual Problem load_cases(const CasesView& cases) = 0;
  // The entries of the batch's programs take the loaded columns as parameters. The product of programs and cases,
  // rounded up to a multiple of kWarpCases, stays below 2^32.
  virtual Problem run(const WarpBatch& batch, const WarpRun& run) = 0;
  // The outcomes stay in the device's memory.
  virtual Problem run(const ResidentPrograms& programs, const WarpRun& run) = 0;
  [[nodiscard]] virtual OutcomesView outcomes(const WarpBatch& batch, u32 program) = 0;
  [[nodiscard]] virtual ResidentOutcomes resident() = 0;
  // The GPU that owns the memory; -1: the host.
  [[nodiscard]] virtual int gpu() const { return -1; }
  [[nodiscard]] virtual WarpTimes times() const { return {}; }
};

// `seed` draws the order in which lanes run between two rendezvous.
[[nodiscard]] std::unique_ptr<WarpDevice> emulated_warp_device(u64 seed = 1);

// The GPU of this number, or the first that this build has code for; or why there is none.
struct OpenedWarpDevice {
  std::unique_ptr<WarpDevice> device;
  std::string name;
};
Result<OpenedWarpDevice> open_cuda_device(std::optional<u32> number = {});

}  // namespace komuz::vm

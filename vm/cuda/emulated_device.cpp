// SPDX-License-Identifier: Apache-2.0
// Runs warps under the lockstep emulator, one after the other.
#include <algorithm>
#include <cstring>

#include "base/group/emulated_machine.h"
#include "vm/cuda/outcome_layout.h"
#include "vm/cuda/warp_device.h"
#include "vm/cuda/warp_vm.h"

namespace komuz::vm {
namespace {

class EmulatedDevice final : public WarpDevice {
 public:
  explicit EmulatedDevice(u64 seed) : lockstep_(seed) {}

  Problem load_cases(const CasesView& cases) override {
    memory_of_columns_.clear();
    columns_.clear();
    const size_t rows = padded_rows(cases.count);
    for (const ArgumentColumn& column : cases.columns) {
      const size_t size = scalar_bytes(column.type);
      // The rows behind the last case are poison: a lane without a case reads them without any effect.
      auto& memory = memory_of_columns_.emplace_back(rows * size / sizeof(Quad), kPoison);
      std::memcpy(static_cast<void*>(memory.data()), column.data, cases.count * size);
      columns_.push_back({memory.data(), static_cast<u32>(column.type)});
    }
    return {};
  }

  Problem run(const WarpBatch& batch, const WarpRun& run) override {
    const ResidentCode own{batch.ops.data(), batch.places.data(), batch.constants.data()};
    layout_ = OutcomeLayout(batch.programs.size(), batch.types.size(), run.cases);
    return run_all({batch.programs.data(), run.code != nullptr ? *run.code : own,
                    batch.types.data(), static_cast<u32>(batch.programs.size()), 0},
                   run);
  }
  Problem run(const ResidentPrograms& programs, const WarpRun& run) override {
    layout_ = OutcomeLayout(programs.count, size_t{programs.count} * programs.cells, run.cases);
    return run_all(programs, run);
  }

  OutcomesView outcomes(const WarpBatch& batch, u32 program) override {
    return layout_.view(batch, program, memory_of_outcomes());
  }
  ResidentOutcomes resident() override { return layout_.resident(memory_of_outcomes()); }

 private:
  static constexpr Quad kPoison = {{0xDEAD'BEEFu, 0xDEAD'BEEFu, 0xDEAD'BEEFu, 0xDEAD'BEEFu}};

  // The memory is laid out like the outcomes of the programs.
  Problem run_all(const ResidentPrograms& programs, const WarpRun& run) {
    outcomes_.assign(layout_.bytes() / sizeof(Quad), kPoison);
    u64 bytes = 0;
    order_.resize(programs.count);
    for (u32 i = 0; i < programs.count; ++i) {
      const WarpProgram& program = programs.programs[i];
      bytes = std::max(bytes, warp_bytes(program.cells, program.words));
      order_[i] = i;
    }
    WarpLaunch launch = layout_.launch(run);
    layout_.place(launch, memory_of_outcomes());
    launch.programs = programs.programs;
    launch.ops = programs.code.ops;
    launch.places = programs.code.places;
    launch.constants = programs.code.constants;
    launch.types = programs.types;
    launch.columns = columns_.data();
    launch.column_count = static_cast<u32>(columns_.size());
    launch.order = order_.data();
    for (u32 item = 0; item < launch.items; ++item) {
      memory_.assign(bytes / sizeof(Quad), kPoison);
      std::string fault = lockstep_.run([&](u32 lane) {
        WarpVm(EmulatedMachine(lockstep_, lane), &launch, memory_.data()).run_item(item);
      });
      if (!fault.empty()) return device_problem("item " + std::to_string(item) + ": " + fault);
    }
    return {};
  }

  [[nodiscard]] u8* memory_of_outcomes() { return reinterpret_cast<u8*>(outcomes_.data()); }

  Lockstep lockstep_;
  std::vector<std::vector<Quad>> memory_of_columns_;
  std::vector<WarpColumn> columns_;
  std::vector<u32> order_;
  std::vector<Quad> memory_, outcomes_;
  OutcomeLayout layout_;
};

}  // namespace

std::unique_ptr<WarpDevice> emulated_warp_device(u64 seed) {
  return std::make_unique<EmulatedDevice>(seed);
}

}  // namespace komuz::vm

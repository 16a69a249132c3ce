// SPDX-License-Identifier: Apache-2.0
// Makes the warp code of expanded variants where a WarpDevice runs it: their texts are written, compiled, linked and
// lowered there (expand_task.h). There are two makers: one for a GPU, and one that takes the same steps on the host,
// for programs that the lockstep emulator compiles and runs.
#pragma once
#include <memory>
#include <optional>

#include "engine/device/device_work.h"
#include "engine/device/expand_task.h"
#include "engine/device/expanded_sketch.h"
#include "engine/device/stretch_maker.h"
#include "engine/sketch/fill_plan.h"
#include "frontend_gpu/device/batch.h"

namespace komuz::engine {

class ExpandedMaker : public StretchMaker, public DeviceWork {
 public:
  // True if the device can write the texts of the variants. It cannot if the grids have too many points for tables.
  [[nodiscard]] static bool can_make(const SketchProgram& sketch);

  // Called once, with a sketch that it can make. `compiler` compiles where programs run. The compiler, the sketch and
  // the library outlive the maker.
  Problem load(ExpandedSketch sketch, frontend::BatchCompiler& compiler);

  Problem make_stretch(const VariantStretch& stretch, u32 count, Stretched& out,
                       u32& programs) override;
  [[nodiscard]] const vm::ResidentCode& code() const override { return code_; }
  [[nodiscard]] const VariantTables& variants() const override { return task_.variants; }
  [[nodiscard]] u32 longest_stretch() const override;

 protected:
  // Takes the step for each variant of the task.
  virtual Problem run(ExpandStep step, const ExpandTask& task) = 0;
  // The number of threads that make variants of the task at once.
  [[nodiscard]] virtual u32 threads_for(const ExpandTask& task) const = 0;

 private:
  enum class Part : u8 { Tables, Texts, Programs, Counts, Ops, Places, Constants, Scratch };

  [[nodiscard]] ExpandRoom room_of(u32 scale) const;
  void use_room(const ExpandRoom& room);
  [[nodiscard]] static bool fits(const ExpandRoom& room);
  Problem send_tables();
  Problem reserve_stretch();
  Problem compile(const ExpandCounts& written);
  Problem run_and_count(ExpandStep step, ExpandCounts& counts);
  [[nodiscard]] bool can_grow() const override;
  void grow() override;

  ExpandedSketch sketch_;
  std::optional<FillPlan> fill_;
  std::optional<FlatLibrary> library_;
  frontend::BatchCompiler* compiler_ = nullptr;
  ExpandTask task_{};
  u32 scale_ = 1;               // of a variant's room
  bool has_no_tables_ = false;  // there was no memory for the tables
  vm::ResidentCode code_{};
};

[[nodiscard]] std::unique_ptr<ExpandedMaker> host_expanded_maker();

Result<std::unique_ptr<ExpandedMaker>> open_cuda_expanded_maker(int gpu);
// A maker of programs that this device runs.
Result<std::unique_ptr<ExpandedMaker>> open_expanded_maker(const vm::WarpDevice& device);

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// Makes the warp code of a sketch's variants where a WarpDevice runs it: a variant's number or decisions are copied
// there, and its identity comes back, which tells duplicates apart. There are two makers: one for a GPU, and one that
// takes the same steps (make_variant.h) on the host, for programs that run under the lockstep emulator.
//
//   maker->load_sketch(sketch, entry);            // once
//   maker->make(variants);
//   maker->made()[7]                              // the eighth one; until the next call
//   batch.programs.push_back(maker->made()[7].program);
//   device->run(batch, {.cases = count, .code = &maker->code()});
//
// What is not Done has to be made by the host. Of a stretch of numbers nothing comes back but how many programs are new: these
// stay where they run.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/device/stretch_maker.h"

namespace komuz::engine {

class VariantMaker : public StretchMaker {
 public:
  // For a sketch without an obstacle. False if its grids have too many points for tables, or if it is so large that
  // only few variants could be made at a time.
  [[nodiscard]] static bool can_make(const SketchProgram& sketch);

  // Such a sketch, which outlives the maker; `entry` is a function of its bound code. `added`: so many
  // functions were added to it (add_function.h), and do not count for what a variant is.
  Problem load_sketch(const SketchProgram& sketch, u32 entry, u32 added = 0);

  // Variants to be made, each given by a number or by its decisions.
  class List {
   public:
    void clear();
    void add(u64 number);
    void add(std::span<const u32> decisions);
    [[nodiscard]] u32 size() const { return static_cast<u32>(numbers_.size()); }

   private:
    friend class VariantMaker;
    std::vector<u64> numbers_;
    std::vector<u32> begins_{0};  // one more than there are variants
    std::vector<u32> decisions_;
  };
  Problem make(const List& variants);

  [[nodiscard]] std::span<const MadeVariant> made() const { return made_; }

  Problem make_stretch(const VariantStretch& stretch, u32 count, Stretched& out,
                       u32& programs) override;
  [[nodiscard]] const vm::ResidentCode& code() const override { return code_; }
  [[nodiscard]] const VariantTables& variants() const override { return task_.variants; }
  [[nodiscard]] u32 longest_stretch() const override { return ~0u; }
  // True if a thread may have more memory than now. Otherwise the host makes the variants with NoRoom for good.
  [[nodiscard]] bool can_grow() const override;

 protected:
  // A task's input in memory of the host: variants to be made.
  struct Input {
    std::span<const u64> numbers;
    std::span<const u32> decision_begins, decisions;
  };
  // Copies the tables to where they are read, and points the task to the copies.
  virtual Problem load(VariantTask& task) = 0;
  // A task's output in memory of the host, without the code.
  struct Output {
    std::span<const MadeVariant> made;  // of a list
    MadeCounts counts{};
    vm::ResidentCode code{};
  };
  // Copies the input likewise, gives `task` scratch and room for its results, and runs it.
  virtual Problem run(VariantTask task, const Input& input, Output& out) = 0;

 private:
  [[nodiscard]] VariantTask larger_task() const;
  // Runs the task, with room for its code.
  Problem run_task(const Input& input, Output& out);
  void grow_room();
  void grow() override;

  VariantTask task_{};
  vm::ResultTypes results_;
  u32 scale_ = 1;  // of a variant's room
  const SketchProgram* sketch_ = nullptr;
  std::span<const MadeVariant> made_;
  vm::ResidentCode code_{};
};

[[nodiscard]] std::unique_ptr<VariantMaker> host_variant_maker();

Result<std::unique_ptr<VariantMaker>> open_cuda_variant_maker(int gpu);
// A maker of programs that this device runs.
Result<std::unique_ptr<VariantMaker>> open_variant_maker(const vm::WarpDevice& device);

}  // namespace komuz::engine

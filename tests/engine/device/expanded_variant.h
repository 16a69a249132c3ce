// SPDX-License-Identifier: Apache-2.0
// Compares a variant that a device has expanded with its plain program.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "engine/device/expanded_maker.h"
#include "vm/cuda/lower_warp.h"

namespace komuz::engine::test {

// Makes a stretch of one variant. The host stands in for the device, except for the compiler, which is emulated and
// outlives this.
class ExpandedVariant {
 public:
  explicit ExpandedVariant(frontend::BatchCompiler& compiler) : compiler_(compiler) {}

  // `plain`: the code of its plain program, whose `entry` is run. Empty: both agree, or the device leaves the variant
  // to the host (`is_left`).
  [[nodiscard]] std::string difference(const SketchProgram& sketch, const Decisions& decisions,
                                       const Code& plain, u32 entry) {
    is_left = true;
    if (!ExpandedMaker::can_make(sketch)) return {};
    const auto maker = host_expanded_maker();
    ExpandedSketch expanded;
    expanded.sketch = &sketch;
    expanded.entry = entry;
    expanded.example = plain;
    Problem problem = maker->load(std::move(expanded), compiler_);
    Stretched state = Stretched::Again;
    u32 programs = 0;
    while (!problem && state == Stretched::Again) {
      known_.assign(2, {});
      problem = maker->make_stretch(stretch_of(decisions), 1, state, programs);
    }
    if (problem || state == Stretched::Never) return problem.text();
    is_left = false;
    return programs == 1 ? compare(maker->code(), plain, entry) : "it is no program";
  }

  bool is_left = false;

 private:
  [[nodiscard]] VariantStretch stretch_of(const Decisions& decisions) {
    words_ = decisions;
    size_ = static_cast<u32>(decisions.size());
    words_.push_back(0);  // so that there are some
    VariantStretch stretch{};
    stretch.decisions = {words_.data(), &size_, size_};
    stretch.known = {known_.data(), known_.size() - 1};
    stretch.slots = &slot_;
    stretch.programs = &program_;
    stretch.slot_of = &slot_of_;
    stretch.bytes_of = &bytes_;
    return stretch;
  }
  [[nodiscard]] std::string compare(const vm::ResidentCode& found, const Code& plain, u32 entry) {
    vm::WarpBatch batch;
    vm::WarpLowering lowering;
    if (!lowering.add(plain.view(), entry, batch)) return "it does not fit warp code";
    if (bytes_ != code_bytes(plain.view())) return "it has another size";
    const auto differs = [](const auto* there, const auto& column) {
      return std::memcmp(there, column.data(), column.size() * sizeof column[0]) != 0;
    };
    if (differs(found.ops + program_.ops_begin, batch.ops)) return "its operations are others";
    if (differs(found.places + program_.ops_begin, batch.places)) return "its places are others";
    if (differs(found.constants + program_.constants_begin, batch.constants))
      return "its constants are others";
    program_.ops_begin = program_.constants_begin = program_.types_begin = 0;
    const bool is_same = std::memcmp(&program_, batch.programs.data(), sizeof program_) == 0;
    return is_same ? "" : "what a warp needs for it is something else";
  }

  frontend::BatchCompiler& compiler_;
  std::vector<KnownProgram> known_;
  std::vector<u32> words_;
  u32 size_ = 0, slot_ = 0, slot_of_ = 0, bytes_ = 0;
  vm::WarpProgram program_{};
};

}  // namespace komuz::engine::test

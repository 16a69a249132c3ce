// SPDX-License-Identifier: Apache-2.0
// One source on every group, and one job on every machine: the first answer is the reference, and a different one is
// reported.
#pragma once
#include <array>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "engine/native/tiered_machine.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/groups/emulated_groups.h"
#include "tests/vm/warp_run.h"
#include "vm/vm.h"

namespace komuz::test {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
// The first part in which two compilations differ; empty if they agree.
inline std::string_view first_difference(const frontend::Compilation& a,
                                         const frontend::Compilation& b) {
  if (a.ok != b.ok) return "verdicts";
  if (a.identity != b.identity) return "identities";
  if (!same_bytes(a.diagnostics, b.diagnostics)) return "diagnostics";
  if (a.text != b.text) return "texts of messages";
  if (a.code.instructions != b.code.instructions) return "instructions";
  if (a.code.places != b.code.places) return "places";
  if (a.code.constants != b.code.constants) return "constants";
  if (!same_bytes(a.code.functions, b.code.functions)) return "functions";
  if (a.code.types != b.code.types || a.code.slot_types != b.code.slot_types) return "types";
  if (a.code.names != b.code.names || a.code.parameter_names != b.code.parameter_names)
    return "names";
  return {};
}

// Compiles on every group. An empty answer means that they agree to the byte.
class EveryGroup {
 public:
  // The other kinds are compared with the first one.
  explicit EveryGroup(std::initializer_list<frontend::GroupKind> kinds =
                          {frontend::GroupKind::Serial, frontend::GroupKind::Permuted,
                           frontend::GroupKind::Emulated},
                      const Library* library = nullptr) {
    for (const frontend::GroupKind kind : kinds)
      compilers_.emplace_back(frontend::Options{
          .make_runner = frontend::on_group(kind, 0x5EED), .examples = true, .library = library});
  }

  // Returns the serial group's result; `difference` says which group gave another one, and in which part.
  const frontend::Compilation& compile(std::string_view source, std::string& difference) {
    difference.clear();
    for (size_t k = 0; k < compilers_.size(); ++k) {
      compilers_[k].compile(source, results_[k]);
      if (!compilers_[k].fault().empty()) {
        difference = compilers_[k].fault();
        break;
      }
      const std::string_view part = first_difference(results_[0], results_[k]);
      if (part.empty() || !difference.empty()) continue;
      difference = std::string(part) + " of group " + std::to_string(k) + " differ from group 0";
    }
    if (difference.empty() && results_[0].identity != compilers_[0].identify(source) &&
        results_[0].identity != frontend::TextHash{})
      difference = "identify() and compile() differ";
    return results_[0];
  }
  frontend::Compiler& serial() { return compilers_[0]; }

 private:
  std::vector<frontend::Compiler> compilers_;
  std::array<frontend::Compilation, 3> results_;
};

// The outcomes of a job, with their memory.
struct Outcomes {
  std::vector<u64> values;  // result cells · count, one column behind the other
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  std::vector<u64> fuel;

  // Poisoned, so that unwritten rows show.
  OutcomesView prepare(u32 cells, u32 count) {
    values.assign(size_t{cells} * count, 0xDEAD'BEEF'DEAD'BEEFu);
    traps.assign(count, Trap::Hole);
    places.assign(count, 0xDEAD'BEEFu);
    depths.assign(count, 0xDEAD'BEEFu);
    fuel.assign(count, 0xDEAD'BEEF'DEAD'BEEFu);
    return {values, traps, places, depths, fuel};
  }
  [[nodiscard]] std::string row_text(u32 row) const {
    std::string text = std::string(trap_name(traps[row])) + " at instruction " +
                       std::to_string(places[row]) + " depth " + std::to_string(depths[row]) +
                       " fuel " + std::to_string(fuel[row]) + " values";
    for (size_t k = row; k < values.size(); k += traps.size())
      text += " " + std::to_string(values[k]);
    return text;
  }
};

// Cells of a function's parameter slots, as columns that a job reads.
class ArgumentColumns {
 public:
  // rows[c][p]: the cell of parameter slot p in case c.
  ArgumentColumns(const CodeView& code, const Function& f,
                  const std::vector<std::vector<u64>>& rows)
      : count_(static_cast<u32>(rows.size())) {
    for (u32 p = 0; p < f.parameter_slots; ++p) {
      const auto type = static_cast<Scalar>(code.slot_types[f.slots_begin + p]);
      const u32 size = scalar_bytes(type);
      auto& lines = memory_.emplace_back((size_t{size} * count_ + 63) / 64);
      auto* const bytes = reinterpret_cast<unsigned char*>(lines.data());
      for (u32 row = 0; row < count_; ++row)
        std::memcpy(bytes + size_t{row} * size, &rows[row][p], size);
      columns_.push_back({type, bytes});
    }
  }
  [[nodiscard]] CasesView view() const { return {columns_, count_}; }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64] = {};
  };
  std::vector<std::vector<Line>> memory_;
  std::vector<ArgumentColumn> columns_;
  u32 count_;
};

// Runs on the reference, on every SIMD level of this processor, on emulated warps and, if there is one, on a GPU; now
// and then natively, as LLVM takes milliseconds for a program.
class EveryMachine {
 public:
  EveryMachine() {
    for (const SimdLevel level : kSimdLevels)
      if (simd_level_supported(level)) machines_.emplace_back(level);
    devices_.push_back(vm::emulated_warp_device());
    if (auto opened = vm::open_cuda_device(); !opened.problem())
      devices_.push_back(std::move(opened.value().device));
  }

  // Returns the reference's outcomes; `difference` says which machine gave others.
  const Outcomes& run(const vm::Job& job, std::string& difference) {
    difference.clear();
    const u32 cells = job.code.functions[job.function].result_cells, count = job.cases.count;
    vm::run_reference(job, wanted_.prepare(cells, count));
    for (vm::BatchMachine& machine : machines_) {
      machine.run(job, found_.prepare(cells, count));
      compare(simd_level_name(machine.level()), difference);
    }
    for (const auto& device : devices_) {
      const Problem problem = run_on(*device, job, found_.prepare(cells, count));
      if (!problem)
        compare(device == devices_[0] ? "emulated warps" : "CUDA", difference);
      else if (difference.empty())
        difference = problem.text();
    }
    if (job.constants.empty() && native_turn_++ % kNativeEach == 0) {
      native_.begin();
      native_.run(job, 0, found_.prepare(cells, count));
      compare("native code", difference);
    }
    return wanted_;
  }
  // So that a run without native code is noticed.
  [[nodiscard]] u64 native_cases() const { return tier_->stats().native_cases; }

 private:
  static constexpr u32 kNativeEach = 16;

  void compare(std::string_view machine, std::string& difference) const {
    for (u32 row = 0; row < wanted_.traps.size() && difference.empty(); ++row) {
      const std::string wanted = wanted_.row_text(row), found = found_.row_text(row);
      if (wanted == found) continue;
      difference = "case " + std::to_string(row) + ": reference " + wanted + ", " +
                   std::string(machine) + " " + found;
    }
  }

  std::vector<vm::BatchMachine> machines_;
  std::vector<std::unique_ptr<vm::WarpDevice>> devices_;  // the emulated one first
  std::unique_ptr<engine::NativeTier> tier_ =
      std::make_unique<engine::NativeTier>(engine::NativeChoice::Always);
  engine::TieredMachine native_{tier_.get()};
  u32 native_turn_ = 0;
  Outcomes wanted_, found_;
};

}  // namespace komuz::test

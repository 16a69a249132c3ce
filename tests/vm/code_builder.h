// SPDX-License-Identifier: Apache-2.0
// Writes bytecode by hand, and runs it on hand-written cases.
//
//   CodeBuilder b;
//   b.function("double", {Scalar::I64}, {Scalar::I64});
//   b.load(0).load(0).op(Op::Add, Scalar::I64).end_function();
//   CaseRun run(b.code, {{1, 2, 3}});       // one row of cells for each parameter slot, a column for each case
//   vm::run_reference(run.job(0), run.outcomes());
//
// `if_`, `else_`, `loop` and their ends fill in the targets, so that hand-written code has the structure of checked
// code.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "lang/cases.h"
#include "lang/check/check_code.h"
#include "lang/code.h"
#include "tests/vm/warp_run.h"
#include "vm/vm.h"

namespace komuz::test {

inline u64 cell(i64 x) { return static_cast<u64>(x); }
inline u64 cell_f64(f64 x) { return std::bit_cast<u64>(x); }
inline u64 cell_f32(f32 x) { return std::bit_cast<u32>(x); }

class CodeBuilder {
 public:
  Code code;

  // Starts a function, which CaseRun has the checker complete. A reference among the parameters is a slice: its
  // length, an i64, and the reference.
  CodeBuilder& function(std::string_view name, const std::vector<Scalar>& parameters,
                        const std::vector<Scalar>& results, u16 rec = 0) {
    Function f;
    f.name_begin = u32(code.names.size());
    code.names += name;
    f.name_end = u32(code.names.size());
    f.code_begin = u32(code.instructions.size());
    f.types_begin = u32(code.types.size());
    append_tuple(parameters);
    if (results.size() == 1) {
      code.types.push_back(u8(results[0]));
    } else {
      append_tuple(results);
    }
    f.slots_begin = u32(code.slot_types.size());
    f.parameters_begin = u32(code.parameter_names.size());
    for (Scalar s : parameters) {
      if (is_reference(s)) code.slot_types.push_back(u8(Scalar::I64));
      code.slot_types.push_back(u8(s));
      const u32 begin = u32(code.names.size());
      code.names += "p";
      code.parameter_names.push_back({begin, begin + 1});
    }
    f.parameter_slots = f.slots = u16(code.slot_types.size() - f.slots_begin);
    f.result_cells = u16(results.size());
    f.rec = rec;
    f.is_public = true;
    code.functions.push_back(f);
    return *this;
  }
  CodeBuilder& end_function() {
    emit(Op::Return);
    code.functions.back().code_end = u32(code.instructions.size());
    return *this;
  }

  // A new variable of the open function; returns its slot.
  u16 variable(Scalar type) {
    code.slot_types.push_back(u8(type));
    return code.functions.back().slots++;
  }
  // So many variables of one type; returns the first one's slot.
  u16 variables(Scalar type, u32 count) {
    const u16 first = code.functions.back().slots;
    for (u32 k = 0; k < count; ++k) variable(type);
    return first;
  }

  // The number that a jump to the next instruction would use; at() gives its global number.
  [[nodiscard]] u32 here() const {
    return u32(code.instructions.size()) - code.functions.back().code_begin;
  }
  Instruction& at(u32 number) {
    return code.instructions[code.functions.back().code_begin + number];
  }

  CodeBuilder& emit(Op op, Scalar type = Scalar::None, u16 a = 0, u32 b = 0) {
    code.instructions.push_back({op, type, a, b});
    code.places.push_back(u32(code.places.size()));
    return *this;
  }
  CodeBuilder& constant(Scalar type, u64 value) {
    code.constants.push_back(value);
    return emit(Op::LoadConst, type, 0, u32(code.constants.size() - 1));
  }
  CodeBuilder& load_hole(Scalar type) {
    code.constants.push_back(0);
    return emit(Op::LoadHole, type, 0, u32(code.constants.size() - 1));
  }
  CodeBuilder& i64_constant(i64 x) { return constant(Scalar::I64, cell(x)); }
  CodeBuilder& f64_constant(f64 x) { return constant(Scalar::F64, cell_f64(x)); }
  CodeBuilder& bool_constant(bool x) { return constant(Scalar::Bool, x ? 1 : 0); }
  CodeBuilder& load(u16 slot) { return emit(Op::LoadVar, slot_type(slot), slot); }
  CodeBuilder& store(u16 slot) { return emit(Op::StoreVar, slot_type(slot), slot); }
  CodeBuilder& load_slots(u16 first, u32 count) {
    return emit(Op::LoadVars, Scalar::None, first, count);
  }
  CodeBuilder& store_slots(u16 first, u32 count) {
    return emit(Op::StoreVars, Scalar::None, first, count);
  }
  // An access to `cells` cells in the area of `slots` slots from `first` on.
  CodeBuilder& load_at(u16 first, u32 slots, u32 cells = 1) {
    return emit(Op::LoadAt, slot_type(first), first, cells << 16 | slots);
  }
  CodeBuilder& store_at(u16 first, u32 slots, u32 cells = 1) {
    return emit(Op::StoreAt, slot_type(first), first, cells << 16 | slots);
  }
  CodeBuilder& refer(Scalar type, u16 first, u32 slots) {
    return emit(Op::Ref, type, first, slots);
  }
  CodeBuilder& require(Trap trap) { return emit(Op::Require, Scalar::None, u16(trap)); }
  // A pure operation. `other`: the amount's type for a shift, the operand's type for a conversion.
  CodeBuilder& op(Op o, Scalar type = Scalar::I64, Scalar other = Scalar::None) {
    return emit(o, type, u16(other));
  }
  CodeBuilder& call(u16 function) { return emit(Op::Call, Scalar::None, function); }
  CodeBuilder& tick() { return emit(Op::Tick); }
  CodeBuilder& break_(u16 out = 0) { return emit(Op::Break, Scalar::None, out); }
  CodeBuilder& continue_(u16 out = 0) { return emit(Op::Continue, Scalar::None, out); }
  CodeBuilder& break_if_false() { return emit(Op::BreakIfFalse); }
  CodeBuilder& project(u16 kept, u16 taken, u16 first) {
    return emit(Op::Project, Scalar::None, kept, u32{taken} << 16 | first);
  }

  // Copies the `count` cells below the topmost `above` cells.
  CodeBuilder& copy(Scalar type, u16 above, u32 count = 1) {
    return emit(Op::Copy, type, above, count - 1);
  }
  // Repeats the topmost `cells`, so that they are there `times` times.
  CodeBuilder& repeat(u16 cells, u32 times) { return emit(Op::Repeat, Scalar::None, cells, times); }
  CodeBuilder& constants(Scalar type, std::span<const u64> values) {
    const size_t first = code.constants.size();
    code.constants.insert(code.constants.end(), values.begin(), values.end());
    return emit(Op::LoadConsts, type, u16(values.size()), u32(first));
  }
  // Compares the cells below the topmost `first` with those below the topmost `second`.
  CodeBuilder& eq_cells(Scalar type, u16 cells, u16 first, u16 second) {
    return emit(Op::EqCells, type, cells, u32{second} << 16 | first);
  }
  CodeBuilder& ticks() { return emit(Op::Ticks); }

  // The condition is on the stack.
  CodeBuilder& if_() {
    open_.push_back(here());
    return emit(Op::JumpIfFalse);
  }
  // `values`: how many cells each arm leaves.
  CodeBuilder& else_(u16 values = 0) {
    const u32 jump = here();
    emit(Op::Jump, Scalar::None, values);
    Instruction& branch = at(open_.back());
    branch.a = 1;
    branch.b = here();
    open_.back() = jump;
    return *this;
  }
  CodeBuilder& end_if() { return fill_target(); }

  // `a && b`: a, and_then(), b, end_lazy(); `a || b` likewise with or_else().
  CodeBuilder& and_then() {
    open_.push_back(here());
    return emit(Op::JumpIfFalseOrPop);
  }
  CodeBuilder& or_else() {
    open_.push_back(here());
    return emit(Op::JumpIfTrueOrPop);
  }
  CodeBuilder& end_lazy() { return fill_target(); }

  CodeBuilder& loop() {
    open_.push_back(here());
    return emit(Op::Loop);
  }
  CodeBuilder& end_loop() {
    const u32 start = open_.back();
    open_.pop_back();
    at(start).b = here();
    return emit(Op::End, Scalar::None, 0, start);
  }
  // Head of a `for`: the three slots from `first` on are next, bound, variable.
  CodeBuilder& for_next(u16 first, bool inclusive = false) {
    return emit(Op::ForNext, slot_type(first), first, inclusive ? 1 : 0);
  }

 private:
  [[nodiscard]] Scalar slot_type(u16 slot) const {
    return static_cast<Scalar>(code.slot_types[code.functions.back().slots_begin + slot]);
  }
  void append_tuple(const std::vector<Scalar>& types) {
    code.types.push_back(kTupleCode);
    code.types.push_back(u8(types.size()));
    for (Scalar s : types) {
      if (is_reference(s)) code.types.push_back(kSliceCode);
      code.types.push_back(u8(referred(s)));
    }
  }
  CodeBuilder& fill_target() {
    at(open_.back()).b = here();
    open_.pop_back();
    return *this;
  }

  std::vector<u32> open_;  // instructions whose targets are not known yet
};

// The machines that can run a program.
enum class Machine : u8 { Reference, Portable, Avx2, Avx512, EmulatedWarps, Cuda };
inline constexpr Machine kMachines[] = {Machine::Reference, Machine::Portable,      Machine::Avx2,
                                        Machine::Avx512,    Machine::EmulatedWarps, Machine::Cuda};
// For a machine that is a SIMD level.
inline SimdLevel simd_level(Machine machine) {
  return static_cast<SimdLevel>(static_cast<u8>(machine) - 1);
}
static_assert(static_cast<u8>(Machine::Avx512) - 1 == static_cast<u8>(SimdLevel::Avx512));
// Null for a machine that is not one of warps, or is not available.
inline std::unique_ptr<vm::WarpDevice> warp_device(Machine machine) {
  if (machine == Machine::EmulatedWarps) return vm::emulated_warp_device();
  if (machine != Machine::Cuda) return nullptr;
  Result<vm::OpenedWarpDevice> opened = vm::open_cuda_device();
  return opened.problem() ? nullptr : std::move(opened.value().device);
}
inline bool is_supported(Machine machine) {
  switch (machine) {
    case Machine::Reference: return true;
    case Machine::Portable:
    case Machine::Avx2:
    case Machine::Avx512: return simd_level_supported(simd_level(machine));
    case Machine::EmulatedWarps:
    case Machine::Cuda: return warp_device(machine) != nullptr;
  }
  return false;
}
inline std::string machine_name(Machine machine) {
  switch (machine) {
    case Machine::Reference: return "reference";
    case Machine::Portable:
    case Machine::Avx2:
    case Machine::Avx512: return std::string(simd_level_name(simd_level(machine)));
    case Machine::EmulatedWarps: return "emulated_warps";
    case Machine::Cuda: return "cuda";
  }
  return {};
}

// Checked code, cases and outcomes of one run, with the memory behind them.
class CaseRun {
 public:
  // rows[p][c]: the cell of parameter slot p in case c. A function without parameters takes `cases` cases.
  CaseRun(Code code, const std::vector<std::vector<u64>>& rows, u32 function = 0, u32 cases = 1,
          u64 budget = kDefaultFuel)
      : code_(std::move(code)), function_(function), budget_(budget) {
    const CodeError error = check_code(code_.view(), code_.functions);
    EXPECT_EQ(error.reason, "") << "at instruction " << error.instruction;
    is_checked_ = !error;
    const Function& f = code_.functions[function];
    count_ = rows.empty() ? cases : u32(rows[0].size());
    for (u32 p = 0; p < rows.size(); ++p)
      columns_.push_back(column(static_cast<Scalar>(code_.slot_types[f.slots_begin + p]), rows[p]));
    values.assign(size_t{f.result_cells} * count_, ~u64{0});
    traps.assign(count_, Trap::Hole);
    places.assign(count_, ~0u);
    depths.assign(count_, ~0u);
    fuel.assign(count_, ~u64{0});
  }

  // Gives a constant a value for each case.
  void give_constants(u32 constant, Scalar type, const std::vector<u64>& cells) {
    constants_.push_back({constant, column(type, cells)});
  }

  // For code that the checker has refused, a job without cases.
  [[nodiscard]] vm::Job job() const {
    return {code_.view(),
            function_,
            {columns_, is_checked_ ? count_ : 0},
            budget_,
            stop.stop_possible() ? &stop : nullptr,
            constants_};
  }
  [[nodiscard]] bool is_checked() const { return is_checked_; }
  [[nodiscard]] OutcomesView outcomes() { return {values, traps, places, depths, fuel}; }
  CaseRun& reference() {
    vm::run_reference(job(), outcomes());
    return *this;
  }
  CaseRun& on(Machine machine) {
    if (machine == Machine::Reference) return reference();
    if (const auto device = warp_device(machine); device != nullptr) {
      EXPECT_EQ(run_on(*device, job(), outcomes()).text(), "");
      return *this;
    }
    vm::BatchMachine(simd_level(machine)).run(job(), outcomes());
    return *this;
  }
  [[nodiscard]] u64 value(u32 row, u32 result = 0) const {
    return values[size_t{result} * count_ + row];
  }

  std::stop_token stop;  // given to the job if a stop is possible
  std::vector<u64> values;
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  std::vector<u64> fuel;

 private:
  struct alignas(64) Block {
    unsigned char bytes[64];
  };
  ArgumentColumn column(Scalar type, const std::vector<u64>& cells) {
    const u32 bytes = scalar_bytes(type);
    auto& blocks = memory_.emplace_back(cells.size() * bytes / 64 + 1);
    for (size_t i = 0; i < cells.size(); ++i)
      std::memcpy(reinterpret_cast<unsigned char*>(blocks.data()) + i * bytes, &cells[i],
                  bytes);  // little-endian: the low bytes
    return {type, blocks.data()};
  }

  Code code_;
  u32 function_;
  u64 budget_;
  u32 count_ = 0;
  bool is_checked_ = false;
  std::vector<std::vector<Block>> memory_;
  std::vector<ArgumentColumn> columns_;
  std::vector<vm::ConstantColumn> constants_;
};

}  // namespace komuz::test

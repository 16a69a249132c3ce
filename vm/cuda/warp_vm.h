// SPDX-License-Identifier: Apache-2.0
// The interpreter of warp code: 32 lanes run one program on one tile of cases. It is written once for a Machine,
// which is a warp of a GPU or the lockstep emulator; it needs the Machine's lane() and ballot() (base/group/coop.h).
//
// All lanes are at the same operation of the same chain of calls. Each case of a lane is active, or waits in one
// place (a bit of one word), or has trapped. Lanes ask each other only one question, where control depends on the
// answer: is any case active? Operations, frames and calls are the same for all lanes. A lane reads and writes only
// its own bytes.
#pragma once
#include "base/group/site.h"
#include "vm/cuda/warp_cells.h"
#include "vm/cuda/warp_launch.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// What a trap needs to know of the lane whose cases it ends.
struct TrapPlace {
  u32 row;    // of the lane's first case, in the columns of outcomes
  u32 place;  // the instruction
  u32 depth;
};
HD u64 used_fuel(const u32* words, u32 k) {
  return u64{words[(kCasesPerLane + k) * kWarpLanes]} << 32 | words[k * kWarpLanes];
}
// Out of line, since it is rare and large.
HD_COLD void write_traps(const WarpLaunch* launch, TrapPlace at, CaseBits bits, Trap trap,
                         const u32* fuel_words) {
  for (u32 k = 0; k < kCasesPerLane; ++k) {
    if ((bits >> k & 1) == 0) continue;
    launch->traps[at.row + k] = trap;
    launch->outcome_places[at.row + k] = at.place;
    launch->depths[at.row + k] = at.depth;
    launch->fuel[at.row + k] = used_fuel(fuel_words, k);
  }
}

// Spends as many ticks as each active case says; none if the number is not positive. Returns the cases whose budget
// does not suffice. Out of line, since it would take registers from the interpreter.
HD_COLD CaseBits spend_ticks(const WarpLaunch* launch, u32* fuel_words, CaseValues counts,
                             CaseBits active) {
  CaseBits spent = 0;
  for (u32 k = 0; k < kCasesPerLane; ++k) {
    const i64 count = case_value<i64>(counts, k);
    if ((active >> k & 1) == 0 || count <= 0) continue;
    u64 used = used_fuel(fuel_words, k);
    const u64 left = launch->budget - used;
    if (static_cast<u64>(count) > left) spent |= 1u << k;
    used += static_cast<u64>(count) > left ? left : static_cast<u64>(count);
    fuel_words[k * kWarpLanes] = static_cast<u32>(used);
    fuel_words[(kCasesPerLane + k) * kWarpLanes] = static_cast<u32>(used >> 32);
  }
  return spent;
}

template <class Machine>
class WarpVm {
 public:
  // `memory`: warp_bytes() of the largest program of the launch.
  HD WarpVm(Machine machine, const WarpLaunch* launch, Quad* memory)
      : m_(machine), launch_(launch), memory_(memory), lane_(machine.lane()) {}

  HD void run_item(u32 item) {
    item_ = item;
    start();
    run();
    finish();
  }

 private:
  // The program of the item. It is needed only at the item's ends, and is not kept, since registers are scarce.
  HD u32 number() const { return launch_->order[item_ / launch_->tiles]; }
  // The lane's first case, counted in the launch's cases.
  HD u32 first_row() const { return item_ % launch_->tiles * kWarpCases + lane_ * kCasesPerLane; }

  HD void start() {
    const WarpProgram& program = launch_->programs[number()];
    ops_ = reinterpret_cast<const Quad*>(launch_->ops + program.ops_begin);
    constants_ = launch_->constants + program.constants_begin;
    fuel_ = reinterpret_cast<u32*>(memory_ + program.cells * kQuadsPerCell) + lane_;
    words_ = fuel_ + (kFuelWords + program.cycles) * kWarpLanes;
    frame_ = memory_ + lane_;
    depth_ = 1;
    at_ = 0;
    for (u32 word = 0; word < kFuelWords + program.cycles; ++word) fuel_[word * kWarpLanes] = 0;
    if (program.entry_cycle != 0) live_frames(program.entry_cycle) = 1;
    active_ = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k)
      if (first_row() + k < launch_->cases) active_ |= 1u << k;
    for (u32 slot = 0; slot < launch_->column_count; ++slot) load_argument(slot);
    tick();
  }

  // Loads a column of cases into a slot.
  HD void load_argument(u32 slot) {
    const WarpColumn column = launch_->columns[slot];
    const u32 row = launch_->first_case + first_row();
    const auto bytes = scalar_bytes(static_cast<Scalar>(column.type));
    Quad* const cell = frame_ + slot * kQuadsPerCell;
    const u8* const at = static_cast<const u8*>(column.data) + u64{row} * bytes;
    if (bytes == 1) {
      u32 packed;
      __builtin_memcpy(&packed, __builtin_assume_aligned(at, 4), sizeof packed);
      cell[0] = {{packed & 0xFF, packed >> 8 & 0xFF, packed >> 16 & 0xFF, packed >> 24}};
      return;
    }
    const Quad* const quads = reinterpret_cast<const Quad*>(at);
    if (bytes == 4) {
      cell[0] = quads[0];
      return;
    }
    const Quad first = quads[0], second = quads[1];
    cell[0] = {{first.words[0], first.words[2], second.words[0], second.words[2]}};
    cell[kWarpLanes] = {{first.words[1], first.words[3], second.words[1], second.words[3]}};
  }

  HD WarpOp fetch(u32 number) const { return __builtin_bit_cast(WarpOp, ops_[number]); }

  HD void run() {
    for (bool runs = true; runs;) {
      const WarpOp op = fetch(at_);
      if ((op.flags & WarpOp::kPushes) != 0)
        store_cell(frame_, op.push, (op.flags & WarpOp::kPushesWide) != 0, accumulator_, active_);
      const CaseValues left =
          operand(op.sources & 15, op.a, op.d, (op.flags & WarpOp::kLeftWide) != 0);
      const CaseValues right =
          operand(op.sources >> 4, op.b, op.d, (op.flags & WarpOp::kRightWide) != 0);
      u32 next = at_ + 1;
      if ((op.code & kAnyOperation) != 0) {
        compute_any(op, left, right);
      } else if (op.code >= kWarpControls) {
        compute_hot(op, left, right);
      } else if (op.code == warp_opcode(WarpControl::FunctionEnd) && depth_ == 1) {
        runs = false;
      } else {
        next = control(op, left, right, next);
      }
      if ((op.flags & WarpOp::kStores) != 0)
        store_cell(frame_, op.c, (op.flags & WarpOp::kStoresWide) != 0, accumulator_, active_);
      at_ = next;
    }
  }

  HD CaseValues operand(u32 source, u32 cell, u32 constant, bool is_wide) const {
    if (source == static_cast<u32>(WarpSource::Cell)) return load_cell(frame_, cell, is_wide);
    if (source == static_cast<u32>(WarpSource::Constant)) return splat_cases(constants_[constant]);
    return accumulator_;
  }

  HD void compute_hot(const WarpOp& op, const CaseValues& left, const CaseValues& right) {
    TrappedCases traps;
    switch (op.code) {
#define HOT(Name, form, type)                                                               \
  case warp_opcode(Hot::Name##type):                                                        \
    traps = compute_cases<Op::Name, OpForm::form, Scalar::type>(accumulator_, left, right); \
    break;
#include "vm/cuda/hot_operations.def"
    }
    if ((traps.first & active_) != 0) trap(traps.first, traps.first_trap);
    if ((traps.second & active_) != 0) trap(traps.second, traps.second_trap);
  }

  HD void compute_any(const WarpOp& op, const CaseValues& left, const CaseValues& right) {
    CaseValues third{};
    // Then all three operands have the same type.
    if ((op.flags & WarpOp::kHasThird) != 0)
      third = load_cell(frame_, op.c, (op.flags & WarpOp::kLeftWide) != 0);
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      const EvaluatedCell result = evaluate_case(
          op.code, case_value<u64>(left, k), case_value<u64>(right, k), case_value<u64>(third, k));
      set_case_value(accumulator_, k, result.value);
      if (result.trap != Trap::None) trap(1u << k, result.trap);
    }
  }

  // Returns the next operation.
  HD u32 control(const WarpOp& op, const CaseValues& left, const CaseValues& right, u32 next) {
    switch (static_cast<WarpControl>(op.code)) {
      case WarpControl::Move: accumulator_ = left; return next;
      case WarpControl::MoveCells:
      case WarpControl::MoveConstants: move_cells(frame_, constants_, op, active_); return next;
      case WarpControl::Enter: waiting(0) = 0; return next;
      case WarpControl::If: return part(op, true_cases(left), next);
      case WarpControl::IfTrue: return part(op, ~true_cases(left), next);
      case WarpControl::Else: return change_arms(op, next);
      case WarpControl::Merge: active_ |= waiting(op.c); return next;
      case WarpControl::Loop:
        if (!any(active_)) return op.d;
        waiting(op.c) = waiting(op.c + 1) = 0;
        return next;
      case WarpControl::BreakIfFalse: return leave_loop(op, active_ & ~true_cases(left), next);
      case WarpControl::ForNext: return leave_loop(op, step_ranges(op), next);
      case WarpControl::LoopEnd:
        active_ |= waiting(op.c + 1);
        waiting(op.c + 1) = 0;
        if (any(active_)) return op.d;
        active_ = waiting(op.c);
        return next;
      case WarpControl::Wait:
        waiting(op.c) |= active_;
        active_ = 0;
        return next;
      case WarpControl::Limit: count_down(op.a); return next;
      case WarpControl::Tick: tick(); return next;
      case WarpControl::Ticks: ticks(left); return next;
      case WarpControl::EqCells: set_bools(equal_cells(frame_, op.a, op.b, op.d)); return next;
      case WarpControl::Call: return call(op, next);
      case WarpControl::FunctionEnd: return return_to_caller();
      case WarpControl::Require: trap(~true_cases(left), static_cast<Trap>(op.d)); return next;
      case WarpControl::TrapNow: trap(active_, static_cast<Trap>(op.a)); return next;
      case WarpControl::LoadAt:
      case WarpControl::StoreAt:
      case WarpControl::Refer:
      case WarpControl::PartOfReference:
      case WarpControl::RestOfReference:
      case WarpControl::LoadRef:
      case WarpControl::LoadReferred: trap(access(op, left, right), Trap::Index); return next;
    }
    return next;
  }

  HD bool any(CaseBits bits, Site site = Site::here()) {
    return m_.ballot(bits != 0, site.at("any", 0)) != 0;
  }
  HD u32& waiting(u32 place) { return words_[place * kWarpLanes]; }
  HD u32& live_frames(u32 cycle) { return fuel_[(kFuelWords + cycle - 1) * kWarpLanes]; }

  HD u32 part(const WarpOp& op, CaseBits test, u32 next) {
    const CaseBits others = active_ & ~test;
    if (any(active_ & test)) {
      waiting(op.c) = others;
      active_ &= test;
      return next;
    }
    waiting(op.c) = 0;
    return op.d;
  }
  HD u32 change_arms(const WarpOp& op, u32 next) {
    const CaseBits others = waiting(op.c);
    if (!any(others)) return op.d;
    waiting(op.c) = active_;
    active_ = others;
    return next;
  }
  HD u32 leave_loop(const WarpOp& op, CaseBits leaving, u32 next) {
    waiting(op.c) |= leaving;
    active_ &= ~leaving;
    return any(active_) ? next : op.d;
  }

  // Returns the active cases whose range is done.
  HD CaseBits step_ranges(const WarpOp& op) {
    switch (static_cast<Scalar>(op.b)) {
      case Scalar::None:
        break;
// clang-format off
#define SCALAR(Name, spelling, T, bytes, cls)     \
  case Scalar::Name:                              \
    if constexpr (is_integer(Scalar::Name))       \
      return step_ranges_of<T>(op.a, (op.flags & WarpOp::kInclusive) != 0); \
    break;
#include "lang/types.def"
        // clang-format on
    }
    return 0;
  }
  template <class T>
  HD CaseBits step_ranges_of(u32 first, bool is_inclusive) {
    constexpr bool is_wide = sizeof(T) == 8;
    CaseValues nexts = load_cell(frame_, first, is_wide);
    CaseValues bounds = load_cell(frame_, first + 1, is_wide);
    CaseValues variables = nexts;
    CaseBits done = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      T next = case_value<T>(nexts, k), bound = case_value<T>(bounds, k), variable = next;
      if (!step_range(next, bound, variable, is_inclusive)) done |= 1u << k;
      set_case_value(nexts, k, next);
      set_case_value(bounds, k, bound);
      set_case_value(variables, k, variable);
    }
    done &= active_;
    const CaseBits going_on = active_ & ~done;
    store_cell(frame_, first, is_wide, nexts, going_on);
    store_cell(frame_, first + 1, is_wide, bounds, going_on);
    store_cell(frame_, first + 2, is_wide, variables, going_on);
    return done;
  }

  // Areas and references. Returns the cases that end in INDEX.
  HD CaseBits access(const WarpOp& op, const CaseValues& left, const CaseValues& right) {
    const auto control = static_cast<WarpControl>(op.code);
    if (control == WarpControl::LoadAt) return load_at(op, left);
    if (control == WarpControl::StoreAt) return store_at(op, left, right);
    if (control == WarpControl::LoadReferred) {
      load_referred(op, right);
      return 0;
    }
    const CaseBits wrong = make_references(op, left, right);
    if (control == WarpControl::LoadRef) load_referred(op, accumulator_);
    return wrong;
  }
  HD CaseBits load_at(const WarpOp& op, const CaseValues& offsets) {
    CaseBits wrong = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      u32 offset = offsets.low[k];
      if (offsets.high[k] != 0 || offset >= op.d) {
        wrong |= 1u << k;
        offset = 0;
      }
      load_case(frame_ + (op.b + offset) * kQuadsPerCell, k);
    }
    return wrong;
  }
  // High halves of narrower types are meaningless; a test would take longer than loading them.
  HD void load_case(const Quad* cell, u32 k) {
    accumulator_.low[k] = cell[0].words[k];
    accumulator_.high[k] = cell[kWarpLanes].words[k];
  }
  HD CaseBits store_at(const WarpOp& op, const CaseValues& offsets, const CaseValues& values) {
    CaseBits wrong = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      const bool is_valid = offsets.high[k] == 0 && offsets.low[k] < op.d;
      if (!is_valid) wrong |= 1u << k;
      if (!is_valid || (active_ >> k & 1) == 0) continue;
      Quad* const cell = frame_ + (op.c + offsets.low[k]) * kQuadsPerCell;
      cell[0].words[k] = values.low[k];
      if ((op.flags & WarpOp::kRightWide) != 0) cell[kWarpLanes].words[k] = values.high[k];
    }
    return wrong;
  }

  // The accumulator becomes a reference. Addresses are cells of the lane's memory.
  HD CaseBits make_references(const WarpOp& op, const CaseValues& left, const CaseValues& right) {
    const auto control = static_cast<WarpControl>(op.code);
    CaseValues third{};
    if (control == WarpControl::PartOfReference) third = load_cell(frame_, op.c, true);
    const u64 address = static_cast<u64>(frame_ - memory_) / kQuadsPerCell + op.b;
    CaseBits wrong = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      const u64 second = control == WarpControl::Refer ? address : case_value<u64>(right, k);
      const EvaluatedCell reference = reference_case(control, case_value<u64>(left, k), second,
                                                     case_value<u64>(third, k), op.d);
      set_case_value(accumulator_, k, reference.value);
      if (reference.trap != Trap::None) wrong |= 1u << k;
    }
    return wrong;
  }
  // Cases that are not active may hold anything; those that end have a reference of 0.
  HD void load_referred(const WarpOp& op, const CaseValues& references) {
    const u32 offset = static_cast<WarpControl>(op.code) == WarpControl::LoadReferred ? op.a : 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      const u32 number = (active_ >> k & 1) != 0 ? references.low[k] + offset : 0;
      load_case(memory_ + lane_ + number * kQuadsPerCell, k);
    }
  }

  HD void set_bools(CaseBits bits) {
    for (u32 k = 0; k < kCasesPerLane; ++k) set_case_value(accumulator_, k, u64{bits >> k & 1});
  }

  HD void count_down(u32 slot) {
    CaseValues left = load_cell(frame_, slot, true);
    CaseBits used_up = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      const i64 count = case_value<i64>(left, k);
      if (count <= 0) used_up |= 1u << k;
      set_case_value(left, k, count - 1);
    }
    trap(used_up, Trap::Limit);
    store_cell(frame_, slot, true, left, active_);
  }

  HD void tick() {
    CaseBits spent = 0;
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      if ((active_ >> k & 1) == 0) continue;
      const u64 used = used_fuel(fuel_, k);
      if (used == launch_->budget) {
        spent |= 1u << k;
      } else {
        fuel_[k * kWarpLanes] = static_cast<u32>(used + 1);
        fuel_[(kCasesPerLane + k) * kWarpLanes] = static_cast<u32>((used + 1) >> 32);
      }
    }
    trap(spent, Trap::Fuel);
  }

  HD void ticks(const CaseValues& counts) {
    trap(spend_ticks(launch_, fuel_, counts, active_), Trap::Fuel);
  }

  HD void trap(CaseBits bits, Trap trap) {
    bits &= active_;
    if (bits == 0) return;
    const WarpProgram& program = launch_->programs[number()];
    const TrapPlace at{number() * launch_->stride + first_row(),
                       launch_->places[program.ops_begin + at_], depth_};
    write_traps(launch_, at, bits, trap, fuel_);
    active_ &= ~bits;
  }

  HD u32 call(const WarpOp& op, u32 next) {
    if (!any(active_)) return next;
    const WarpOp callee = fetch(op.d);
    const u32 cycle = callee.a, rec = callee.b;
    if (cycle != 0 && live_frames(cycle) == rec) {
      trap(active_, Trap::Depth);
      return next;
    }
    tick();
    if (cycle != 0) ++live_frames(cycle);
    frame_ += op.a * kQuadsPerCell;
    words_ += op.b * kWarpLanes;
    caller() = at_;
    ++depth_;
    return op.d;
  }
  // The operation that made the innermost frame.
  HD u32& caller() { return *(words_ - kWarpLanes); }

  HD u32 return_to_caller() {
    const u32 number = caller();
    const WarpOp op = fetch(number);
    const u32 cycle = fetch(op.d).a;
    if (cycle != 0) --live_frames(cycle);
    frame_ -= op.a * kQuadsPerCell;
    words_ -= op.b * kWarpLanes;
    --depth_;
    return number + 1;
  }

  // The results are in the first cells. Cases that have trapped have no value, and the rest of their outcome has been
  // written.
  HD void finish() {
    const WarpProgram& program = launch_->programs[number()];
    const u32 row = number() * launch_->stride + first_row();
    for (u32 r = 0; r < program.results; ++r) {
      const auto type = static_cast<Scalar>(launch_->types[program.types_begin + r]);
      const CaseValues values = load_cell(frame_, r, scalar_bytes(type) == 8);
      u64 cells[kCasesPerLane];
      for (u32 k = 0; k < kCasesPerLane; ++k)
        cells[k] = (active_ >> k & 1) != 0 ? outcome_cell(type, values, k) : 0;
      write_cells(launch_->values + u64{program.types_begin + r} * launch_->stride + first_row(),
                  cells);
    }
    u64 fuel[kCasesPerLane];
    for (u32 k = 0; k < kCasesPerLane; ++k) fuel[k] = used_fuel(fuel_, k);
    if (active_ == kAllCases) {
      __builtin_memset(__builtin_assume_aligned(launch_->traps + row, kCasesPerLane), 0,
                       kCasesPerLane);
      reinterpret_cast<Quad*>(launch_->outcome_places)[row / kCasesPerLane] = {};
      reinterpret_cast<Quad*>(launch_->depths)[row / kCasesPerLane] = {};
      write_cells(launch_->fuel + row, fuel);
      return;
    }
    for (u32 k = 0; k < kCasesPerLane; ++k) {
      if ((active_ >> k & 1) == 0) continue;
      launch_->traps[row + k] = Trap::None;
      launch_->outcome_places[row + k] = 0;
      launch_->depths[row + k] = 0;
      launch_->fuel[row + k] = fuel[k];
    }
  }
  HD static void write_cells(u64* at, const u64 (&cells)[kCasesPerLane]) {
    Quad* const quads = reinterpret_cast<Quad*>(at);
    for (u32 k = 0; k < kCasesPerLane; k += 2)
      quads[k / 2] = {{static_cast<u32>(cells[k]), static_cast<u32>(cells[k] >> 32),
                       static_cast<u32>(cells[k + 1]), static_cast<u32>(cells[k + 1] >> 32)}};
  }

  Machine m_;
  const WarpLaunch* launch_;
  Quad* memory_;
  u32 lane_;
  // State of the item:
  const Quad* ops_ = nullptr;
  const u64* constants_ = nullptr;
  u32 item_ = 0;
  u32* fuel_ = nullptr;
  // State of the innermost frame:
  Quad* frame_ = nullptr;
  u32* words_ = nullptr;
  u32 depth_ = 0;
  u32 at_ = 0;  // operation
  CaseBits active_ = 0;
  CaseValues accumulator_{};
};

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm

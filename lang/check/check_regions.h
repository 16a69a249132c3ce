// SPDX-License-Identifier: Apache-2.0
// Structured control flow. When a region opens, its end is proven to lie inside the surrounding region. The ends of
// arms and loops are instructions (JUMP, END) that close exactly their own region. So regions nest, and a region
// whose end the walk reaches is the innermost one.
#pragma once
#include "lang/check/check_function.h"

namespace komuz {

// Bounds the checker's memory for code that is made to exhaust it: the types that first arms leave, of all open arms
// together.
inline constexpr size_t kMaxArmTypes = 1u << 20;

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::open(Kind kind, u32 end, u32 values) {
  if (!has_room(regions_, 1)) return no_room();
  base_ = height_;
  regions_.push_back({kind, end, base_, writes_count_, ticked_loops_, values});
  next_merge_ = kind == Kind::Merging ? end : kNoMerge;
  return true;
}

template <class Storage>
HD_CALL void FunctionChecker<Storage>::close() {
  const CodeRegion& closed = regions_.back();
  forget_writes(closed.writes_begin);
  ticked_loops_ = closed.ticked_loops;
  arm_types_.resize(arm_types_.size() - closed.values);
  regions_.pop_back();
  const CodeRegion& around = regions_.back();
  base_ = around.base;
  next_merge_ = around.kind == Kind::Merging ? around.end : kNoMerge;
}

// The end of the only or second arm: both ways must leave the same types.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::merge(u32 at) {
  const u32 values = regions_.back().values;
  if (height_ - base_ != values)
    return fail(at, CheckReason::ArmLeaves, {{height_ - base_, values}});
  const Scalar* const other = arm_types_.data() + (arm_types_.size() - values);
  for (u32 k = 0; k < values; ++k)
    if (other[k] != cells_[base_ + k]) return fail(at, CheckReason::ArmTypes);
  close();
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::branch(u32 at, Instruction i) {
  if (i.a > 1) return fail_fields(at);
  if (!pop(at, Scalar::Bool)) return false;
  const u32 around = regions_.back().end;
  if (i.a == 0) {
    if (i.b <= at || i.b > around) return fail(at, CheckReason::MergeRange, {{i.b}});
    return open(Kind::Merging, i.b, 0);
  }
  // The JUMP before the target ends the first arm.
  if (i.b <= at + 1 || i.b > around || code_[i.b - 1].op != Op::Jump)
    return fail(at, CheckReason::TargetRange, {{i.b}});
  return open(Kind::FirstArm, i.b - 1, 0);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::jump(u32 at, Instruction i) {
  const CodeRegion& arm = regions_.back();
  if (arm.kind != Kind::FirstArm || arm.end != at) return fail(at, CheckReason::JumpOutside);
  if (!first_arm_leaves(at, i.a)) return false;
  const u32 around = regions_[regions_.size() - 2].end;
  if (i.b <= at || i.b > around) return fail(at, CheckReason::MergeRange, {{i.b}});
  return enter_second_arm(at, i.a, i.b);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::first_arm_leaves(u32 at, u32 values) {
  if (height_ - base_ == values) return true;
  return fail(at, CheckReason::FirstArmLeaves, {{height_ - base_, values}});
}

// The first arm, the innermost region, leaves `values` cells; the second one ends at `end`.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::enter_second_arm(u32 at, u32 values, u32 end) {
  const u32 base = regions_.back().base;
  if (arm_types_.size() + values > kMaxArmTypes) return fail(at, CheckReason::TooManyArmCells);
  if (!has_room(arm_types_, values)) return no_room();
  close();
  for (u32 k = 0; k < values; ++k) arm_types_.push_back(cells_[base + k]);
  height_ = base;
  return open(Kind::Merging, end, values);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::short_circuit(u32 at, Instruction i) {
  if (i.a != 0) return fail_fields(at);
  if (!pop(at, Scalar::Bool)) return false;
  if (i.b <= at || i.b > regions_.back().end) return fail(at, CheckReason::MergeRange, {{i.b}});
  return enter_lazy(at, i.b);
}

// The right operand of a lazy operator, which ends at `end`. The left one has been popped.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::enter_lazy(u32 at, u32 end) {
  if (arm_types_.size() + 1 > kMaxArmTypes) return fail(at, CheckReason::TooManyArmCells);
  if (!has_room(arm_types_, 1)) return no_room();
  arm_types_.push_back(Scalar::Bool);
  return open(Kind::Merging, end, 1);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::loop(u32 at, Instruction i) {
  if (i.a != 0) return fail_fields(at);
  if (i.b <= at || i.b >= regions_.back().end || code_[i.b].op != Op::End)
    return fail(at, CheckReason::NoEnd, {{i.b}});
  if (code_[i.b].b != at) return fail(at, CheckReason::EndOfOther, {{i.b, code_[i.b].b}});
  ++loops_;
  return open(Kind::Loop, i.b, 0);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::exit_loop(u32 at, Instruction i) {
  if (i.b != 0) return fail_fields(at);
  if (i.a >= loops_) return fail(at, CheckReason::ExitOutside, {{i.a, loops_}});
  if (i.op == Op::Continue && loops_ - 1 - i.a >= ticked_loops_)
    return fail(at, CheckReason::ContinueTick);
  ticked_loops_ = loops_;  // the code behind it is unreachable
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::end_loop(u32 at) {
  if (code_[at].a != 0) return fail_fields(at);
  const CodeRegion& ended = regions_.back();
  if (ended.kind != Kind::Loop || ended.end != at) return fail(at, CheckReason::EndOutside);
  if (height_ != base_) return fail(at, CheckReason::LoopLeaves, {{height_ - base_}});
  if (ticked_loops_ < loops_) return fail(at, CheckReason::EndTick);
  close();
  --loops_;
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::return_values(u32 at) {
  const u32 begin = program_->result_types_at[function_];
  const u32 cells = header_->result_cells;
  if (at == count_ - 1 && height_ != cells)
    return fail(at, CheckReason::LastReturns, {{cells, height_}});
  if (cells == 0) return true;
  if (!has(cells)) return fail(at, CheckReason::ReturnedCells, {{cells, height_ - base_}});
  u32 cell = height_ - cells;
  Scalar wanted = Scalar::None, found = Scalar::None;
  const std::string_view codes = program_->code.type_codes();
  for_each_cell(codes_between(codes, begin, skip_type(codes, begin)), [&](Scalar type) {
    if (wanted == Scalar::None && cells_[cell] != type) {
      wanted = type;
      found = cells_[cell];
    }
    ++cell;
  });
  if (wanted != Scalar::None)
    return fail(at, CheckReason::ReturnedType,
                {{static_cast<u64>(wanted), static_cast<u64>(found)}});
  height_ -= cells;
  return true;
}

}  // namespace komuz

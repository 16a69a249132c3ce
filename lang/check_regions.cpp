// SPDX-License-Identifier: Apache-2.0
// Structured control flow. A region's end is proven to lie inside the region around it when it opens, and the ends of
// arms and loops are instructions (JUMP, END) that close exactly their own region; so regions nest, and when the walk
// comes to an end, the region that ends there is the innermost one.
#include <algorithm>

#include "base/counts.h"
#include "lang/check_function.h"

namespace komuz {
namespace {

constexpr u32 kNoMerge = 0xFFFF'FFFFu;
// Bounds the checker's memory on code that is made to exhaust it: types that first arms leave, all open ones together.
constexpr size_t kMaxArmTypes = 1u << 20;

}  // namespace

void FunctionChecker::open(Kind kind, u32 end, u32 values) {
  base_ = height_;
  regions_.push_back({kind, end, base_, writes_count_, ticked_loops_, values});
  next_merge_ = kind == Kind::Merging ? end : kNoMerge;
}

void FunctionChecker::close() {
  const CodeRegion& closed = regions_.back();
  forget_writes(closed.writes_begin);
  ticked_loops_ = closed.ticked_loops;
  arm_types_.resize(arm_types_.size() - closed.values);
  regions_.pop_back();
  const CodeRegion& around = regions_.back();
  base_ = around.base;
  next_merge_ = around.kind == Kind::Merging ? around.end : kNoMerge;
}

// The end of the only or second arm: what it leaves must be what the other way leaves.
bool FunctionChecker::merge(u32 at) {
  const u32 values = regions_.back().values;
  if (height_ - base_ != values)
    return fail(at, "an arm that ends here leaves " + counted(height_ - base_, "cell") +
                        ", the other one " + std::to_string(values));
  if (!std::equal(arm_types_.end() - values, arm_types_.end(), cells_ + base_))
    return fail(at, "the arms that meet here leave different types");
  close();
  return true;
}

bool FunctionChecker::branch(u32 at, Instruction i) {
  if (i.a > 1) return fail_fields(at);
  if (!pop(at, Scalar::Bool)) return false;
  const u32 around = regions_.back().end;
  if (i.a == 0) {
    if (i.b <= at || i.b > around)
      return fail(at, "the merge " + std::to_string(i.b) + " is not ahead in the same region");
    open(Kind::Merging, i.b, 0);
    return true;
  }
  // The JUMP before the target ends the first arm.
  if (i.b <= at + 1 || i.b > around || code_[i.b - 1].op != Op::Jump)
    return fail(
        at, "the target " + std::to_string(i.b) + " is not behind a JUMP ahead in the same region");
  open(Kind::FirstArm, i.b - 1, 0);
  return true;
}

bool FunctionChecker::jump(u32 at, Instruction i) {
  const CodeRegion arm = regions_.back();
  if (arm.kind != Kind::FirstArm || arm.end != at) return fail(at, "this JUMP ends no first arm");
  if (height_ - base_ != i.a)
    return fail(at, "the first arm leaves " + counted(height_ - base_, "cell") + ", but a is " +
                        std::to_string(i.a));
  const u32 around = regions_[regions_.size() - 2].end;
  if (i.b <= at || i.b > around)
    return fail(at, "the merge " + std::to_string(i.b) + " is not ahead in the same region");
  if (arm_types_.size() + i.a > kMaxArmTypes)
    return fail(at, "the branches around this one leave too many cells");
  close();
  arm_types_.insert(arm_types_.end(), cells_ + arm.base, cells_ + height_);
  height_ = arm.base;
  open(Kind::Merging, i.b, i.a);
  return true;
}

bool FunctionChecker::short_circuit(u32 at, Instruction i) {
  if (i.a != 0) return fail_fields(at);
  if (!pop(at, Scalar::Bool)) return false;
  if (i.b <= at || i.b > regions_.back().end)
    return fail(at, "the merge " + std::to_string(i.b) + " is not ahead in the same region");
  if (arm_types_.size() + 1 > kMaxArmTypes)
    return fail(at, "the branches around this one leave too many cells");
  arm_types_.push_back(Scalar::Bool);
  open(Kind::Merging, i.b, 1);
  return true;
}

bool FunctionChecker::loop(u32 at, Instruction i) {
  if (i.a != 0) return fail_fields(at);
  if (i.b <= at || i.b >= regions_.back().end || code_[i.b].op != Op::End)
    return fail(at, "there is no END at " + std::to_string(i.b) + " ahead in the same region");
  if (code_[i.b].b != at)
    return fail(at, "the END at " + std::to_string(i.b) + " belongs to the LOOP at " +
                        std::to_string(code_[i.b].b));
  open(Kind::Loop, i.b, 0);
  ++loops_;
  return true;
}

bool FunctionChecker::end_loop(u32 at) {
  if (code_[at].a != 0) return fail_fields(at);
  const CodeRegion& ended = regions_.back();
  if (ended.kind != Kind::Loop || ended.end != at) return fail(at, "this END ends no loop");
  if (height_ != base_)
    return fail(at, "the loop's body leaves " + counted(height_ - base_, "cell"));
  if (ticked_loops_ < loops_) return fail(at, "an iteration may come to this END without a tick");
  close();
  --loops_;
  return true;
}

bool FunctionChecker::return_values(u32 at) {
  const u32 begin = program_->result_types_at[function_];
  const u32 cells = header_->result_cells;
  if (at == count_ - 1 && height_ != cells)
    return fail(at, "the last RETURN returns " + counted(cells, "cell") + ", but finds " +
                        std::to_string(height_));
  if (cells == 0) return true;
  if (!has(cells))
    return fail(at, "RETURN takes " + counted(cells, "cell") + ", but finds only " +
                        std::to_string(height_ - base_));
  u32 cell = height_ - cells;
  Scalar wanted = Scalar::None, found = Scalar::None;
  const std::string_view codes = program_->code.type_codes();
  for_each_cell(codes.substr(begin, skip_type(codes, begin) - begin), [&](Scalar type) {
    if (wanted == Scalar::None && cells_[cell] != type) {
      wanted = type;
      found = cells_[cell];
    }
    ++cell;
  });
  if (wanted != Scalar::None)
    return fail(at,
                "RETURN takes " + cell_type_text(wanted) + ", but finds " + cell_type_text(found));
  height_ -= cells;
  return true;
}

}  // namespace komuz

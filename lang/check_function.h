// SPDX-License-Identifier: Apache-2.0
// The checker's pass over the instructions of one function: a typed operand stack, regions of control flow, and which
// slots are written. Requires that the headers of all functions are sound; knows nothing of the call graph.
#pragma once
#include <string>
#include <vector>

#include "lang/check_code.h"
#include "lang/slot_set.h"

namespace komuz {

// A stretch of code that control enters at one point and leaves at its end. Regions nest.
//
//   function   …                                  RETURN             end: the last instruction
//   first arm  JUMP_IF_FALSE 1 →else …            JUMP →merge        end: the JUMP
//   merging    the second arm, or the only one    merge:             end: the merge, where `values` types must be on top
//   loop       LOOP →END …                        END →LOOP          end: the END
struct CodeRegion {
  enum class Kind : u8 { Function, FirstArm, Merging, Loop };
  Kind kind = Kind::Function;
  u32 end = 0;
  u32 base = 0;          // height of the operand stack below it, which its code may not touch
  u32 writes_begin = 0;  // slots first written in it, from here on in `writes_`
  u32 ticked_loops = 0;  // FunctionChecker::ticked_loops_ where it begins
  u32 values = 0;  // of Merging: how many cells it leaves; their types are the last of `arm_types`
};

// True if the cell is its own low bits, extended as the type extends them.
[[nodiscard]] inline bool is_canonical(u64 cell, Scalar type) {
  const u32 unused = type == Scalar::Bool ? 63 : 64 - scalar_bits(type);
  const u64 shifted = cell << unused;
  return cell == (is_signed(type) ? static_cast<u64>(static_cast<i64>(shifted) >> unused)
                                  : shifted >> unused);
}

class FunctionChecker {
 public:
  // What every function of the code shares. `result_types_at[f]` is where the result type of f starts in code.types.
  struct Program {
    CodeView code;
    std::span<const u32> result_types_at;
    u32 max_cells = 0;  // no frame may hold more
  };

  // Returns false on an error, which `error` then holds. Appends the callees to `callees`.
  [[nodiscard]] bool check(const Program& program, u32 function, std::vector<u32>& callees);

  [[nodiscard]] u32 max_stack() const { return max_height_; }
  [[nodiscard]] CodeError take_error() { return std::move(error_); }

 private:
  using Kind = CodeRegion::Kind;

  void start(const Program& program, u32 function);
  void start_slots(std::span<const u8> types);
  // Straight code, from `at` up to `end` or to the first instruction that it is not right for; returns which.
  [[nodiscard]] u32 walk_straight(u32 at, u32 end);
  [[nodiscard]] bool step(u32 at, std::vector<u32>& callees);
  [[nodiscard]] bool compute(u32 at, Instruction i);

  // The operand stack.
  [[nodiscard]] bool has(u32 cells) const { return height_ - base_ >= cells; }
  [[nodiscard]] bool pop(u32 at, Scalar type) {
    if (!has(1) || cells_[height_ - 1] != type) return fail_operands(at, &type, 1);
    --height_;
    return true;
  }
  [[nodiscard]] bool pop_types(u32 at, const u8* types, u32 count);
  [[nodiscard]] bool push(u32 at, Scalar type) {
    if (height_ >= program_->max_cells) return fail_height(at);
    cells_[height_++] = type;
    max_height_ = height_ > max_height_ ? height_ : max_height_;
    return true;
  }
  [[nodiscard]] bool push_types(u32 at, std::string_view codes);
  [[nodiscard]] bool project(u32 at, Instruction i);

  // Regions.
  void open(Kind kind, u32 end, u32 values);
  void close();
  [[nodiscard]] bool merge(u32 at);
  [[nodiscard]] bool branch(u32 at, Instruction i);
  [[nodiscard]] bool jump(u32 at, Instruction i);
  [[nodiscard]] bool short_circuit(u32 at, Instruction i);
  [[nodiscard]] bool loop(u32 at, Instruction i);
  [[nodiscard]] bool end_loop(u32 at);
  [[nodiscard]] bool return_values(u32 at);

  // Slots.
  void forget_writes(u32 writes_begin);
  void write(u32 slot) {
    writes_[writes_count_] = static_cast<u16>(slot);
    writes_count_ += slots_[slot] >> 7;
    slots_[slot] &= static_cast<u8>(~kUnwritten);
  }
  [[nodiscard]] bool slot_is(u32 at, u32 slot, Scalar type) {
    if (slot < header_->slots && (slots_[slot] & ~kUnwritten) == static_cast<u8>(type)) return true;
    return fail_slot(at, slot, type);
  }
  [[nodiscard]] bool read(u32 at, u32 slot, Scalar type) {
    if (!slot_is(at, slot, type)) return false;
    return slots_[slot] < kUnwritten || fail_slot(at, slot, type);
  }

  [[nodiscard]] bool call(u32 at, Instruction i, std::vector<u32>& callees);
  [[nodiscard]] bool for_next(u32 at, Instruction i);

  // Many cells at once (check_cells.cpp).
  [[nodiscard]] bool push_many(u32 at, Scalar type, u32 count);
  [[nodiscard]] bool cells_are(u32 at, Scalar type, u32 above, u64 count, u32 present);
  [[nodiscard]] bool copy(u32 at, Instruction i);
  [[nodiscard]] bool repeat(u32 at, Instruction i);
  [[nodiscard]] bool load_constants(u32 at, Instruction i);
  [[nodiscard]] bool compare_cells(u32 at, Instruction i);
  bool load_hole(u32 at, Instruction i);

  // Many slots at once, and areas of slots (check_areas.cpp).
  void know_areas();
  [[nodiscard]] bool load_slots(u32 at, Instruction i);
  [[nodiscard]] bool store_slots(u32 at, Instruction i);
  [[nodiscard]] bool area_is(u32 at, Instruction i, u32 slots);
  [[nodiscard]] bool load_at(u32 at, Instruction i);
  [[nodiscard]] bool store_at(u32 at, Instruction i);
  [[nodiscard]] bool refer(u32 at, Instruction i);
  [[nodiscard]] bool part_reference(u32 at, Instruction i);
  [[nodiscard]] bool load_referred(u32 at, Instruction i);
  // LOAD_VAR and STORE_VAR of a slot that holds a reference.
  [[nodiscard]] bool move_reference(u32 at, Instruction i);

  // Each notes an error and returns false. They alone allocate.
  bool fail(u32 at, std::string reason);
  bool fail_straight(u32 at);
  bool fail_fields(u32 at);
  bool fail_constant(u32 at, u32 number);
  bool fail_slot(u32 at, u32 slot, Scalar type);
  bool fail_height(u32 at);
  bool fail_operands(u32 at, const Scalar* types, u32 count);
  bool fail_operands(u32 at, const u8* types, u32 count);
  bool fail_operands(u32 at, u32 count, const std::string& wanted);

  const Program* program_ = nullptr;
  u32 function_ = 0;
  const Function* header_ = nullptr;
  const Instruction* code_ = nullptr;  // of this function
  std::span<const u64> constants_;
  u32 count_ = 0;  // instructions

  // Type of each cell of the operand stack: `max_cells` of them; walk_straight looks at some below and writes one above.
  static constexpr u32 kCellsBelow = 3;
  std::vector<Scalar> cell_memory_;
  Scalar* cells_ = nullptr;
  u32 height_ = 0, base_ = 0, max_height_ = 0;
  std::vector<CodeRegion> regions_;
  u32 next_merge_ = 0;  // end of the innermost region if it is Merging, else kNoMerge
  u32 loops_ = 0;       // that enclose
  // So many of them, the outermost first, have ticked in this iteration, or control cannot come here.
  u32 ticked_loops_ = 0;
  std::vector<Scalar> arm_types_;  // what first arms left, of all open Merging regions
  static constexpr u8 kUnwritten = 0x80;
  std::vector<u8>
      slots_;  // of each its type, and kUnwritten where it may not be read; one more behind them
  std::vector<u16> writes_;  // slots in the order of their first writes; room for all and one more
  u32 writes_count_ = 0;
  // Of a function that has areas, from the first access on.
  bool knows_areas_ = false;
  std::vector<u16> runs_;  // of each slot, how many from it on have its type
  SlotSet unwritten_;      // as of the first `noted_writes_` of `writes_`
  u32 noted_writes_ = 0;
  CodeError error_;
};

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// The checker's pass over the instructions of one function: a typed operand stack, regions of control flow, and the
// written slots. The headers of all functions must be sound. The call graph is not known here.
//
// Written over a Storage (base/rows.h): the host checks any code, a device checks code that fits the memory of a
// thread. The walk is in check_steps.h, straight code in check_straight.h and check_one_type.h, control flow in
// check_regions.h; many cells and slots at once are in check_cells.h and check_areas.h.
#pragma once
#include <span>

#include "base/rows.h"
#include "lang/check/check_words.h"
#include "lang/check/slot_set.h"

namespace komuz {

enum class Checked : u8 {
  Sound,
  Unsound,
  NoRoom,  // it needs longer lists than there are, so nothing is known of it
};

// A stretch of code that control enters at one point and leaves at its end. Regions nest.
//
//   function   …                                  RETURN             end: the last instruction
//   first arm  JUMP_IF_FALSE 1 →else …            JUMP →merge        end: the JUMP
//   merging    the second arm, or the only one    merge:             end: the merge, with `values` types on top
//   loop       LOOP →END …                        END →LOOP          end: the END
struct CodeRegion {
  enum class Kind : u8 { Function, FirstArm, Merging, Loop };
  Kind kind = Kind::Function;
  u32 end = 0;
  u32 base = 0;          // height of the operand stack below it, which its code may not touch
  u32 writes_begin = 0;  // index in `writes_`: slots first written in it
  u32 ticked_loops = 0;  // FunctionChecker::ticked_loops_ at its beginning
  u32 values = 0;  // for Merging: how many cells it leaves; their types are the last of `arm_types`
};

// True if the cell is its own low bits, extended as the type extends them.
[[nodiscard]] HD bool is_canonical(u64 cell, Scalar type) {
  const u32 unused = type == Scalar::Bool ? 63 : 64 - scalar_bits(type);
  const u64 shifted = cell << unused;
  return cell == (is_signed(type) ? static_cast<u64>(static_cast<i64>(shifted) >> unused)
                                  : shifted >> unused);
}

class PrefixChecker;  // check_prefix.h

template <class Storage>
class FunctionChecker {
  // Walks over code that is still being written.
  friend class PrefixChecker;

 public:
  template <class T>
  using List = typename Storage::template List<T>;

  // Limits on the lengths of its lists.
  struct Room {
    u32 cells = 0;  // of the operand stack
    u32 slots = 0;
    u32 regions = 0;    // open ones
    u32 arm_types = 0;  // types that first arms leave, of all open regions
  };
  FunctionChecker() = default;
  HD FunctionChecker(RowsMemory& memory, const Room& room)
      : cell_memory_(memory.take<Scalar>(kCellsBelow + room.cells + 1)),
        regions_(memory.take<CodeRegion>(room.regions)),
        arm_types_(memory.take<Scalar>(room.arm_types)),
        slots_(memory.take<u8>(room.slots + 1)),
        writes_(memory.take<u16>(room.slots + 1)),
        runs_(memory.take<u16>(room.slots)),
        unwritten_(memory, room.slots) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<Scalar>(kCellsBelow + room.cells + 1) +
           RowsMemory::bytes<CodeRegion>(room.regions) + RowsMemory::bytes<Scalar>(room.arm_types) +
           RowsMemory::bytes<u8>(room.slots + 1) + RowsMemory::bytes<u16>(room.slots + 1) +
           RowsMemory::bytes<u16>(room.slots) + SlotSet<Storage>::bytes(room.slots);
  }

  // Data shared by all functions of the code. The result type of function f starts at result_types_at[f] in
  // code.types.
  struct Program {
    CodeView code;
    std::span<const u32> result_types_at;
    u32 max_cells = 0;  // no frame may hold more
    CheckWords<Storage>* words = nullptr;
  };

  // For Unsound code the words say why. Appends the callees to `callees`.
  [[nodiscard]] HD_CALL Checked check(const Program& program, u32 function, List<u32>& callees);

  [[nodiscard]] HD u32 max_stack() const { return max_height_; }

 private:
  using Kind = CodeRegion::Kind;

  // If one of the following returns false, the walk ends: fail() or no_room() has been called.
  [[nodiscard]] HD_CALL bool start(const Program& program, u32 function);
  [[nodiscard]] HD_CALL bool start_slots(const u8* types);
  [[nodiscard]] HD_CALL bool walk(List<u32>& callees);
  // Walks over straight code from `at`, up to `end` or to the first instruction that it does not handle, and returns
  // that place.
  [[nodiscard]] HD_CALL u32 walk_straight(u32 at, u32 end);
  // The same over code of one type (check_one_type.h).
  [[nodiscard]] u32 walk_one_type(u32 at, u32 end);
  [[nodiscard]] HD_CALL bool step(u32 at, List<u32>& callees);
  [[nodiscard]] HD_CALL bool compute(u32 at, Instruction i);

  // The operand stack.
  [[nodiscard]] HD static const u8* bytes_of(const Scalar* types) {
    return reinterpret_cast<const u8*>(types);
  }
  [[nodiscard]] HD bool has(u32 cells) const { return height_ - base_ >= cells; }
  [[nodiscard]] HD bool pop(u32 at, Scalar type) {
    if (!has(1) || cells_[height_ - 1] != type) return fail_operands(at, bytes_of(&type), 1);
    --height_;
    return true;
  }
  [[nodiscard]] HD_CALL bool pop_types(u32 at, const u8* types, u32 count);
  [[nodiscard]] HD bool push(u32 at, Scalar type) {
    if (height_ >= most_cells_) return fail_height(at);
    cells_[height_++] = type;
    max_height_ = height_ > max_height_ ? height_ : max_height_;
    return true;
  }
  [[nodiscard]] HD_CALL bool push_types(u32 at, std::string_view codes);
  [[nodiscard]] HD_CALL bool project(u32 at, Instruction i);

  // Regions.
  [[nodiscard]] HD_CALL bool open(Kind kind, u32 end, u32 values);
  HD_CALL void close();
  [[nodiscard]] HD_CALL bool merge(u32 at);
  [[nodiscard]] HD_CALL bool branch(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool jump(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool first_arm_leaves(u32 at, u32 values);
  [[nodiscard]] HD_CALL bool enter_second_arm(u32 at, u32 values, u32 end);
  [[nodiscard]] HD_CALL bool short_circuit(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool enter_lazy(u32 at, u32 end);
  [[nodiscard]] HD_CALL bool loop(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool end_loop(u32 at);
  [[nodiscard]] HD_CALL bool exit_loop(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool return_values(u32 at);

  // Slots.
  HD_CALL void forget_writes(u32 writes_begin);
  HD void write(u32 slot) {
    writes_[writes_count_] = static_cast<u16>(slot);
    writes_count_ += slots_[slot] >> 7;
    slots_[slot] &= static_cast<u8>(~kUnwritten);
  }
  [[nodiscard]] HD Scalar slot_type(u32 slot) const {
    return static_cast<Scalar>(slots_[slot] & ~kUnwritten);
  }
  [[nodiscard]] HD bool slot_is(u32 at, u32 slot, Scalar type) {
    if (slot < header_->slots && slot_type(slot) == type) return true;
    return fail_slot(at, slot, type);
  }
  [[nodiscard]] HD bool read(u32 at, u32 slot, Scalar type) {
    if (!slot_is(at, slot, type)) return false;
    return slots_[slot] < kUnwritten || fail_slot(at, slot, type);
  }

  [[nodiscard]] HD_CALL bool call(u32 at, Instruction i, List<u32>& callees);
  [[nodiscard]] HD_CALL bool for_next(u32 at, Instruction i);

  // Many cells at once (check_cells.h).
  [[nodiscard]] HD_CALL bool push_many(u32 at, Scalar type, u32 count);
  [[nodiscard]] HD_CALL bool cells_are(u32 at, Scalar type, u32 above, u64 count, u32 present);
  [[nodiscard]] HD_CALL bool copy(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool repeat(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool load_constants(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool compare_cells(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool load_hole(u32 at, Instruction i);

  // Many slots at once, and areas of slots (check_areas.h).
  [[nodiscard]] HD_CALL bool know_areas();
  [[nodiscard]] HD_CALL bool slots_exist(u32 at, u32 first, u32 count);
  [[nodiscard]] HD_CALL bool load_slots(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool store_slots(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool area_is(u32 at, Instruction i, u32 slots);
  [[nodiscard]] HD_CALL bool load_at(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool store_at(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool refer(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool part_reference(u32 at, Instruction i);
  [[nodiscard]] HD_CALL bool load_referred(u32 at, Instruction i);
  // LOAD_VAR and STORE_VAR of a slot that holds a reference.
  [[nodiscard]] HD_CALL bool move_reference(u32 at, Instruction i);

  // Each notes why the walk ends, and returns false (check_failures.h).
  HD_CALL bool no_room();
  HD_CALL bool fail(u32 at, CheckReason reason, const CheckNumbers& numbers = {});
  HD_CALL bool fail_straight(u32 at);
  HD_CALL bool fail_fields(u32 at);
  HD_CALL bool fail_constant(u32 at, u32 number);
  HD_CALL bool fail_slot(u32 at, u32 slot, Scalar type);
  HD_CALL bool fail_height(u32 at);
  HD_CALL bool fail_operands(u32 at, const u8* types, u32 count);

  const Program* program_ = nullptr;
  u32 function_ = 0;
  const Function* header_ = nullptr;
  const Instruction* code_ = nullptr;  // of this function
  std::span<const u64> constants_;
  u32 count_ = 0;  // instructions
  Checked outcome_ = Checked::Sound;

  // The type of each cell of the operand stack: `most_cells_` of them. walk_straight reads some cells below, and
  // writes one above.
  static constexpr u32 kCellsBelow = 3;
  List<Scalar> cell_memory_;
  Scalar* cells_ = nullptr;
  u32 most_cells_ = 0;  // as many as the program may have, or as fit
  u32 height_ = 0, base_ = 0, max_height_ = 0;
  List<CodeRegion> regions_;
  static constexpr u32 kNoMerge = 0xFFFF'FFFFu;
  u32 next_merge_ = 0;  // end of the innermost region if it is Merging, else kNoMerge
  u32 loops_ = 0;       // that enclose
  // So many enclosing loops, from the outermost on, have ticked in this iteration; all if this place is unreachable.
  u32 ticked_loops_ = 0;
  List<Scalar> arm_types_;  // types that first arms left, of all open Merging regions
  static constexpr u8 kUnwritten = 0x80;
  // The type of each slot, with kUnwritten if it may not be read; one more entry behind them.
  List<u8> slots_;
  List<u16> writes_;  // slots in the order of their first writes; room for all and one more
  u32 writes_count_ = 0;
  // Set at the first access, in a function with areas.
  bool knows_areas_ = false;
  List<u16> runs_;              // for each slot, how many from it on have its type
  SlotSet<Storage> unwritten_;  // after the first `noted_writes_` of `writes_`
  u32 noted_writes_ = 0;
};

}  // namespace komuz

#include "lang/check/check_areas.h"
#include "lang/check/check_cells.h"
#include "lang/check/check_failures.h"
#include "lang/check/check_one_type.h"
#include "lang/check/check_regions.h"
#include "lang/check/check_steps.h"
#include "lang/check/check_straight.h"

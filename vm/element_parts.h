// SPDX-License-Identifier: Apache-2.0
// The part of a loop's body that can be run for many of its iterations at once, so that few cases keep the lanes of the batch
// machine busy (lane_elements.h).
//
//   LOOP
//     FOR_NEXT
//     …                 begin    what an iteration makes of its number, and of what the loop does not change
//     …                 end      from here on it takes what the iteration before has left
//   END
//
// That this changes nothing but the time rests on what is asked of a loop and of its part:
//
// - Nothing but its FOR_NEXT writes the loop's counter, so the numbers of the iterations to come are known.
// - The part reads its number, variables that the loop does not write (*shared*, loop invariants), and its own (*local*, used
//   within the loop only). A local variable is written in each iteration before it is read: the checker wants a slot
//   written before it is read, and what the iteration before wrote does not count.
// - A variable that the loop changes may be pushed in the part, but stays there unread (*carried*): `total + f(i)` pushes
//   `total` first.
// - The part writes local variables only, and leaves neither the loop nor the function. What it *makes* is the values on the
//   stack and the local variables that the rest of the body reads.
//
// So for an iteration that never comes, or in which it traps, it is as if the part had not been run.
//
// Many iterations in a row can be done at once, too, where all that is left of each is to combine its value with a variable,
// as in a sum (a reduction), or where that depends on a test, as in a search.
#pragma once
#include <initializer_list>
#include <iterator>
#include <vector>

#include "vm/slot_uses.h"

namespace komuz::vm {

// Operations that combine an element's value with what was made of those before.
inline constexpr Op kFoldingOp[] = {Op::Add,     Op::Mul, Op::Min, Op::Max, Op::AddWrap,
                                    Op::MulWrap, Op::And, Op::Or,  Op::Xor};
inline constexpr u32 kFoldingOps = std::size(kFoldingOp);
// Its number among them, kFoldingOps if it is none.
constexpr u32 folding_number(Op op) {
  u32 k = 0;
  while (k < kFoldingOps && kFoldingOp[k] != op) ++k;
  return k;
}

// The rows of ops.def whose form is Compare.
constexpr bool is_comparison(u32 op) { return op_row(static_cast<Op>(op)).form == OpForm::Compare; }
constexpr u32 first_comparison() {
  u32 op = 0;
  while (!is_comparison(op)) ++op;
  return op;
}
constexpr u32 comparisons() {
  u32 count = 0;
  while (is_comparison(first_comparison() + count)) ++count;
  return count;
}
inline constexpr u32 kFirstComparison = first_comparison(), kComparisons = comparisons();
// Its number among them; kComparisons or more if it is none.
constexpr u32 comparison_number(Op op) { return static_cast<u32>(op) - kFirstComparison; }

// What the body does behind the part, of a value that it leaves and a variable of the loop, where many elements in a row can be
// done with at once.
enum class Rest : u8 {
  Any,   // something else
  Fold,  // the variable becomes `op` of the two
  Pass,  // nothing where `op` of the two, a comparison, is false
  Best,  // nothing but to count, where the value is no better by `op`, MIN or MAX
};
struct RestOfBody {
  Rest kind = Rest::Any;
  Op op = Op::Tick;
  Scalar type = Scalar::None;
  bool variable_is_left = false;  // the variable is the left operand of `op`
  u16 variable = 0;               // its slot
  u16 count = 0;                  // Best: the slot that counts
  // The part leaves a bool alone, and where that is false the rest of the body does nothing.
  bool is_tested = false;
  // Fold, where it is tested: the value is no element's, but this constant.
  bool folds_constant = false;
  u32 constant = 0;
};

// All places are instructions, from the function's first one on.
struct ElementPart {
  u32 loop = 0;            // its LOOP
  u32 loop_end = 0;        // its END
  u32 begin = 0, end = 0;  // [begin, end)
  u32 height = 0;          // values that it leaves on the stack
  u16 counter = 0;         // first of the slots of FOR_NEXT
  bool is_inclusive = false;
  bool ticks = false;  // takes fuel
  bool skips = false;  // has a CONTINUE of the loop
  RestOfBody rest{};
  // In ElementParts::slots: those that are shared, and those that it makes.
  u32 shared_begin = 0, shared_end = 0, made_end = 0;
  // In ElementParts::carried.
  u32 carried_begin = 0, carried_end = 0;

  [[nodiscard]] u32 shared() const { return shared_end - shared_begin; }
  [[nodiscard]] u32 made() const { return made_end - shared_end; }
  [[nodiscard]] u32 carried() const { return carried_end - carried_begin; }
  [[nodiscard]] u32 variable() const { return counter + 2u; }
};

// Those of a function's loops. Kept from function to function, so that it stops allocating.
class ElementParts {
 public:
  struct Carried {
    u32 position;  // above the values that lie below the loop
    u16 slot;
  };

  // For runs on so many cases: the more there are, the more a part must do to be worth it.
  void find(const CodeView& code, const Function& f, const SlotUses& uses, u32 cases);
  void clear() { parts_.clear(); }
  // Ascending by their loops.
  [[nodiscard]] const std::vector<ElementPart>& parts() const { return parts_; }
  // Null if the loop has none.
  [[nodiscard]] const ElementPart* of_loop(u32 loop) const;
  [[nodiscard]] u16 slot(u32 at) const { return slots_[at]; }
  // Is the value at `position` above those below the loop a carried one?
  [[nodiscard]] bool is_carried(const ElementPart& part, u32 position) const;
  [[nodiscard]] const Carried& carried(u32 at) const { return carried_[at]; }

 private:
  struct Scan;

  // Behind the function's end there is one that nobody looks for.
  [[nodiscard]] Instruction at(u32 pc) const {
    return pc < code_size_ ? code_.instructions[code_begin_ + pc] : Instruction{};
  }
  [[nodiscard]] bool matches(u32 pc, std::initializer_list<Op> ops) const;

  void examine(u32 loop);
  [[nodiscard]] bool note_changes(const ElementPart& part);
  void scan_part(ElementPart& part, u32& work);
  [[nodiscard]] bool takes(Scan& scan, u32 pc);
  [[nodiscard]] bool may_run(Scan& scan, Instruction i, bool is_in_region);
  [[nodiscard]] bool reads(Scan& scan, u32 slot, bool is_one);
  [[nodiscard]] bool writes_locals(const ElementPart& part, Instruction i) const;
  [[nodiscard]] bool may_call(Instruction i) const;

  [[nodiscard]] bool is_local(const ElementPart& part, u32 slot) const {
    return uses_->of(slot).is_inside(part.loop + 1, part.loop_end);
  }
  [[nodiscard]] bool is_shared(const ElementPart& part, u32 slot) const {
    return slot != part.variable() && !is_local(part, slot) && !is_changed(slot);
  }
  // By the loop that is being examined?
  [[nodiscard]] bool is_changed(u32 slot) const {
    return written_in_[uses_->root(slot)] == changed_in_;
  }
  void note_writes(u32 begin, u32 end);
  // Is it the first time in this round?
  [[nodiscard]] bool lists(u32 slot) {
    const bool is_new = listed_in_[slot] != round_;
    listed_in_[slot] = round_;
    return is_new;
  }
  void list_shared(ElementPart& part);
  void list_made(ElementPart& part);

  // element_rests.cpp
  [[nodiscard]] RestOfBody rest_of(const ElementPart& part) const;
  void note_count(const ElementPart& part, RestOfBody& rest) const;
  void note_fold(const ElementPart& part, RestOfBody& rest) const;
  void note_best(const ElementPart& part, RestOfBody& rest) const;

  CodeView code_;
  u32 code_begin_ = 0, code_size_ = 0, cases_ = 0;
  const Function* function_ = nullptr;
  const SlotUses* uses_ = nullptr;
  std::vector<ElementPart> parts_;
  std::vector<u16> slots_;
  std::vector<Carried> carried_;
  // Of each slot the last round in which it was found so: a number for each list that is made.
  std::vector<u32> written_in_, listed_in_;
  u32 round_ = 0, changed_in_ = 0;  // the last one; that of what the loop changes
  std::vector<u32> loop_ends_;      // of the loops that are open in the part
};

}  // namespace komuz::vm

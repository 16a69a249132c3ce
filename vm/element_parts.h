// SPDX-License-Identifier: Apache-2.0
// Finds the part of a loop's body that can run for many iterations at once, so that few cases keep the lanes of the
// batch machine busy (lane_elements.h).
//
//   LOOP
//     FOR_NEXT
//     …                 begin    depends only on the iteration's number, and on what the loop does not change
//     …                 end      from here on uses what the iteration before has left
//   END
//
// The following conditions on a loop and its part ensure that only the time changes:
//
// - Only the loop's FOR_NEXT writes its counter, so the numbers of the iterations to come are known.
// - The part reads its number, variables that the loop does not write (*shared*, loop invariants), and variables
//   that are used only within the loop (*local*). A local variable is written in each iteration before it is read:
//   the checker demands a write before a read, and writes of the iteration before do not count.
// - The part may push a variable that the loop changes, if that value stays unread (*carried*): `total + f(i)`
//   pushes `total` first.
// - The part writes only local variables, and leaves neither the loop nor the function. It *makes* the values on
//   the stack and the local variables that the rest of the body reads.
//
// So if an iteration never comes, or traps in the part, it is as if the part had not been run for it.
//
// Many consecutive iterations can also be completed at once if the rest of each only combines its value with a
// variable, as in a sum (a reduction), or does so depending on a test, as in a search.
#pragma once
#include <initializer_list>
#include <iterator>
#include <vector>

#include "vm/slot_uses.h"

namespace komuz::vm {

// Operations that combine an element's value with the result of the elements before.
inline constexpr Op kFoldingOp[] = {Op::Add,     Op::Mul, Op::Min, Op::Max, Op::AddWrap,
                                    Op::MulWrap, Op::And, Op::Or,  Op::Xor};
inline constexpr u32 kFoldingOps = std::size(kFoldingOp);
// The operation's number among them; kFoldingOps if it is none.
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
// The operation's number among them; kComparisons or more if it is none.
constexpr u32 comparison_number(Op op) { return static_cast<u32>(op) - kFirstComparison; }

// What the body does behind the part with a value that the part leaves and a variable of the loop, if many
// consecutive elements can be completed at once.
enum class Rest : u8 {
  Any,   // something else
  Fold,  // the variable becomes `op` of the two
  Pass,  // nothing, if `op` of the two, a comparison, is false
  Best,  // only counts, if the value is no better by `op`, MIN or MAX
};
struct RestOfBody {
  Rest kind = Rest::Any;
  Op op = Op::Tick;
  Scalar type = Scalar::None;
  bool variable_is_left = false;  // the variable is the left operand of `op`
  u16 variable = 0;               // its slot
  u16 count = 0;                  // Best: the slot that counts
  // The part leaves only a bool; if it is false, the rest of the body does nothing.
  bool is_tested = false;
  // Fold with a test: the value is this constant, and not the element's.
  bool folds_constant = false;
  u32 constant = 0;
};

// All places are instructions, counted from the function's first.
struct ElementPart {
  u32 loop = 0;            // its LOOP
  u32 loop_end = 0;        // its END
  u32 begin = 0, end = 0;  // [begin, end)
  u32 height = 0;          // number of values that it leaves on the stack
  u16 counter = 0;         // first of the slots of FOR_NEXT
  bool is_inclusive = false;
  bool ticks = false;  // it takes fuel
  bool skips = false;  // it has a CONTINUE of the loop
  RestOfBody rest{};
  // In ElementParts::slots: shared slots, then those that it makes.
  u32 shared_begin = 0, shared_end = 0, made_end = 0;
  // In ElementParts::carried.
  u32 carried_begin = 0, carried_end = 0;

  [[nodiscard]] u32 shared() const { return shared_end - shared_begin; }
  [[nodiscard]] u32 made() const { return made_end - shared_end; }
  [[nodiscard]] u32 carried() const { return carried_end - carried_begin; }
  [[nodiscard]] u32 variable() const { return counter + 2u; }
};

// The parts of a function's loops. Reused for one function after the other, so that it stops allocating.
class ElementParts {
 public:
  struct Carried {
    u32 position;  // above the values that lie below the loop
    u16 slot;
  };

  // For runs on so many cases: the more cases, the more work a part must do to pay.
  void find(const CodeView& code, const Function& f, const SlotUses& uses, u32 cases);
  void clear() { parts_.clear(); }
  // In the order of their loops.
  [[nodiscard]] const std::vector<ElementPart>& parts() const { return parts_; }
  // Null if the loop has none.
  [[nodiscard]] const ElementPart* of_loop(u32 loop) const;
  [[nodiscard]] u16 slot(u32 at) const { return slots_[at]; }
  // True if the value at `position`, counted above those below the loop, is carried.
  [[nodiscard]] bool is_carried(const ElementPart& part, u32 position) const;
  [[nodiscard]] const Carried& carried(u32 at) const { return carried_[at]; }

 private:
  struct Scan;

  // An instruction behind the function's end matches nothing.
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
  // True if the loop being examined changes the slot.
  [[nodiscard]] bool is_changed(u32 slot) const {
    return written_in_[uses_->root(slot)] == changed_in_;
  }
  void note_writes(u32 begin, u32 end);
  // True if this is the first time in this round.
  [[nodiscard]] bool lists(u32 slot) {
    const bool is_new = listed_in_[slot] != round_;
    listed_in_[slot] = round_;
    return is_new;
  }
  void list_shared(ElementPart& part);
  void list_made(ElementPart& part);

  // In element_rests.cpp.
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
  // For each slot the last round in which it was written or listed: each list that is made has a number.
  std::vector<u32> written_in_, listed_in_;
  u32 round_ = 0, changed_in_ = 0;  // the last round, and that of the loop's changes
  std::vector<u32> loop_ends_;      // loops that are open in the part
};

}  // namespace komuz::vm

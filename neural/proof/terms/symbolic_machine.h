// SPDX-License-Identifier: Apache-2.0
// The machine behind execute.h.
//
// `live_` is a bool: the cases that are here. A branch runs both of its arms, one behind the other, each with those cases that go
// there; where they meet, each slot is a choice. A slot of cases that are not here has any value.
//
//   branch c ── arm of c: live and c ── arm of not c: live and not c ── merge: slot = c ? first : second
//
// A case that leaves a loop or a function early is *parked* there: what it has is kept at the loop or frame until that
// ends. A case that traps has *ended*. A region's live cases at its end are those of its start, but for the ended ones
// and those parked further out. A loop runs again and again for as long as a case may be in it.
#pragma once
#include <string>
#include <vector>

#include "neural/proof/terms/execute.h"
#include "neural/proof/terms/pure_terms.h"

namespace komuz::neural {

class SymbolicMachine {
 public:
  SymbolicMachine(Terms& terms, const SymbolicRun& run, StepCount& count);
  enum class Pause : u8 { Done, AtLoop, GaveUp };
  // Goes on to its end, or to one of SymbolicRun::paused_loops, where it has to be told what comes out (pass_loop).
  Pause go_on();
  // After Done or GaveUp.
  SymbolicOutcome outcome();

  // Of a machine at a loop (symbolic_loops.cpp).

  // What a round of the loop does to the cases that are in it.
  struct Round {
    // Bools: who begins another round, leaves the loop, returns from the function.
    Term goes_on, leaves, returns;
    std::array<Term, kTrapCount> traps{};
    std::vector<Term> next, left;  // the slots of those who go on and of those who leave
    std::vector<Term> results;     // of those who return
    // Since the start of the round; no term: nobody is there, or ticks are not counted.
    Term next_ticks = kNoTerm, left_ticks = kNoTerm, return_ticks = kNoTerm, end_ticks = kNoTerm;
    bool stays_inside = true;  // nobody goes to a loop further out
  };
  struct SlotValue {
    u32 slot;
    Term value;
  };
  // What comes out of a loop.
  struct Passed {
    std::vector<SlotValue> slots;
    std::array<Term, kTrapCount> traps{};  // bools; no term: it does not trap so
    Term returns = kNoTerm;                // bool; no term: nobody returns
    std::vector<Term> results;
    Term ticks = kNoTerm;
    bool is_left = true;  // by somebody
  };
  // The slots that the loop may write.
  [[nodiscard]] std::vector<u32> written_slots() const;
  [[nodiscard]] Term slot_value(u32 number) const { return frames_.back().slots[number]; }
  [[nodiscard]] Scalar slot_scalar(u32 number) const {
    return slot_type(frames_.back().function, number);
  }
  [[nodiscard]] Term live() const { return live_; }
  [[nodiscard]] u32 loop_instruction() const { return pc_; }
  // A machine that runs one round of the loop, from a state with these slots.
  [[nodiscard]] SymbolicMachine round_machine(std::span<const SlotValue> slots) const;
  // Of such a machine, after Done.
  [[nodiscard]] Round round() const;
  // Goes on behind the loop.
  void pass_loop(const Passed& passed);

 private:
  // Cases that wait for the end of a loop or of a function.
  struct Parked {
    Term when = kNoTerm;  // none: no case
    std::vector<Term> cells;
    Term ticks = kNoTerm;
  };
  // A lazy operator is a last arm; so is the arm of a branch that has one.
  enum class RegionKind : u8 { Loop, FirstArm, LastArm };
  struct Region {
    RegionKind kind = RegionKind::Loop;
    u32 begin = 0,
        end =
            0;  // a LOOP and its END; of a first arm: the start of the last one; of a last arm: the merge
    u32 height = 0;  // of the stack at the start
    Term condition = kNoTerm;
    Term live = kNoTerm, ended = kNoTerm;  // at the start
    Term away = kNoTerm;                   // parked further out
    // A first arm: slots and ticks at its start. A last arm: those of the other side, the cells that it leaves and who is live
    // there, which are chosen where the condition holds.
    std::vector<Term> slots, cells;
    Term ticks = kNoTerm, arm_live = kNoTerm;
    // A loop.
    Parked breaks, continues;
    u32 rounds = 0;
    u32 open_rounds = 0;  // after which it depends on the arguments whether it goes on
  };
  struct Frame {
    u32 function = 0;
    u32 return_to = 0;
    u64 base = 0;  // the address of its first slot, for references
    size_t regions = 0;
    size_t height = 0;  // of the stack without the arguments
    Term live = kNoTerm, ended = kNoTerm;
    std::vector<Term> slots;
    Parked returns;
  };
  // An area that a reference may refer to.
  struct Area {
    size_t frame;
    u32 first, count;
  };

  // execute.cpp
  void enter(u32 function, u32 return_to);
  void step();
  void compute(Instruction i);
  void compare_cells(Instruction i);
  void project(Instruction i);
  [[nodiscard]] bool may_go_on();
  [[nodiscard]] bool is_in_open_loop();
  void give_up(std::string why);
  [[nodiscard]] std::string place() const;

  // symbolic_control.cpp
  void branch(Instruction i);
  void jump(Instruction i);
  void lazy(Instruction i);
  void close_regions();
  void close_branch(Region& region);
  // True if an arm of a branch has ended.
  bool skip();
  [[nodiscard]] bool may_be_here();
  void open_loop(Instruction i);
  void end_loop();
  void leave_loop(Term when, u32 out, bool is_break);
  void for_next(Instruction i);
  void park(Parked& parked, Term when, std::span<const Term> cells);
  void park_further_out(Term when, size_t regions);
  [[nodiscard]] Term live_after(const Region& region);
  void trap(Term when, Trap kind);
  void trap(const EvaluatedTerm& evaluated);
  void tick(Term count);

  // symbolic_calls.cpp
  void call(u32 function);
  void call_by_name(u32 function);
  [[nodiscard]] Term calls_left(u32 function);
  void return_from_function(bool is_last);
  [[nodiscard]] u32 frames_of_cycle(u16 cycle) const;

  // symbolic_memory.cpp
  [[nodiscard]] bool may_choose(u64 cells);
  void load_at(Instruction i);
  void store_at(Instruction i);
  void refer(Instruction i);
  void part_reference();
  void load_referred(Instruction i);

  [[nodiscard]] Frame& frame() { return frames_.back(); }
  [[nodiscard]] Scalar slot_type(u32 function, u32 slot) const;
  [[nodiscard]] Term& slot(u32 number) { return frames_.back().slots[number]; }
  [[nodiscard]] Term read(Term cell, Scalar type);
  void push(Term t) { stack_.push_back(t); }
  Term pop();
  [[nodiscard]] Term number(u64 value) { return terms_.constant(64, value); }
  // The second one where `when`, else the first one. One that is no term is any.
  [[nodiscard]] Term chosen(Term when, Term a, Term b);
  void choose(Term when, std::vector<Term>& a, const std::vector<Term>& b);
  [[nodiscard]] u32 origin() const {
    return run_.code.functions[frames_.back().function].code_begin;
  }

  Terms& terms_;
  const SymbolicRun& run_;
  StepCount& count_;
  std::vector<Frame> frames_;
  std::vector<Region> regions_;
  std::vector<Term> stack_;
  std::vector<Area> areas_;
  u32 pc_ = 0, next_ = 0;
  Term live_ = kNoTerm;
  Term ticks_ = kNoTerm;          // of live cases
  bool has_large_ticks_ = false;  // TICKS has run
  Term end_ticks_ = kNoTerm;      // of those that have ended
  Term ended_ = kNoTerm;
  std::array<Term, kTrapCount> traps_{};
  std::string why_;
  bool is_done_ = false;
  u32 endless_loop_ = kNoLoop;
  size_t round_of_ = 0;  // of a round's machine: the number of regions in the loop
};

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
// Two machines on terms, side by side, for loops that cannot be unrolled. Both pause at such a loop. Then it is shown by induction
// over its rounds that both loops do the same:
//
//   1. Slots of both machines that are equal at the start form a class, and have one variable in the place of what they hold.
//   2. One round is run on both. Slots of a class that are not equal behind it are no class; this is repeated until all stay.
//   3. In that round the same cases must go on, leave, return and trap, with the same ticks.
//
// What comes out of both loops is then the same, too: a variable for each class, of which nothing is known.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "neural/proof/terms/symbolic_machine.h"

namespace komuz::neural {

class Lockstep {
 public:
  // Can these bools not all be true?
  using IsImpossible = std::function<bool(std::span<const Term>)>;

  // `known`: a bool that holds of all arguments.
  Lockstep(Terms& terms, Term known, bool counts_ticks, IsImpossible is_impossible)
      : terms_(terms),
        known_(known),
        counts_ticks_(counts_ticks),
        is_impossible_(std::move(is_impossible)) {}

  // Runs both machines to their ends. False: why() says what is not the same, or what did not end.
  [[nodiscard]] bool run(SymbolicMachine& a, SymbolicMachine& b);
  [[nodiscard]] const std::string& why() const { return why_; }
  // The last LOOP that had no end, of either machine.
  [[nodiscard]] u32 endless_loop(u32 machine) const { return endless_[machine]; }

 private:
  struct Member {
    u32 machine, slot;
    u32 group;
    Term next, left;
  };
  struct Rounds {
    SymbolicMachine::Round a, b;
  };
  bool pass(SymbolicMachine& a, SymbolicMachine& b);
  bool run_round(SymbolicMachine& a, SymbolicMachine& b, std::vector<Member>& members, Rounds& out);
  bool is_same_round(const Rounds& rounds, Term live);
  bool is_same(Term x, Term y, Term when);
  // Splits groups so that members of one have the same term. True if one was split.
  bool split(std::vector<Member>& members, Term Member::*term, Term when);
  bool fail(std::string why);

  Terms& terms_;
  Term known_;
  bool counts_ticks_;
  IsImpossible is_impossible_;
  std::string why_;
  u32 endless_[2] = {kNoLoop, kNoLoop};
};

}  // namespace komuz::neural

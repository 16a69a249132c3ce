// SPDX-License-Identifier: Apache-2.0
// Checked code run on terms: all cases at once. What the reference interpreter (vm/reference.cpp) does with cells, this does with
// terms, so the outcome is a term of the arguments.
#pragma once
#include <array>
#include <functional>
#include <stop_token>
#include <string>

#include "neural/proof/terms/terms.h"

namespace komuz::neural {

// What limits a run: of both functions of a question, and of all that they call.
inline constexpr u64 kMostSteps = 200'000;       // instructions, loops and calls unrolled
inline constexpr u32 kMostOpenRounds = 300;      // of a loop whose end depends on the arguments
inline constexpr u32 kMostOpenRoundsAround = 8;  // of one with a loop in it that is not unrolled
inline constexpr u64 kMostChoices = 200'000;     // among cells, of one instruction
inline constexpr u64 kMostTerms = 1'500'000;

inline constexpr u32 kNoLoop = ~u32{0};

struct SymbolicOutcome {
  std::vector<Term> cells;               // the results, where it returns
  std::array<Term, kTrapCount> traps{};  // bool: it ends in that trap; the first one: in none
  Term ticks = kNoTerm;                  // 64 bits; no term if ticks were not asked for
  std::string why;                       // a sentence: it was not run to its end; else empty
  u32 endless_loop = kNoLoop;            // then: the LOOP that has no end that can be seen
};

// A function whose calls are functions of terms (terms.h) instead of runs.
struct CallName {
  bool is_known = false;
  u64 low = 0, high = 0;  // equal names are equal functions
  u16 traps = 0;          // bit t: it may end in trap t
};

struct SymbolicRun {
  CodeView code = {};
  u32 function = 0;
  std::span<const Term> arguments = {};  // a term of the slot's type (pure_terms.h) each
  bool counts_ticks = true;
  // Of each function of the code; empty: all calls are run.
  std::span<const CallName> names = {};
  // How many calls of its cycle the entry may have below itself, as a term of 16 bits; no term: as many as its `rec` says.
  Term calls_left = kNoTerm;
  // LOOP instructions before which a machine pauses (lockstep.h).
  std::span<const u32> paused_loops = {};
  // Can this bool be true? Asked at times, where a loop or a recursion goes on and on. Without it: it can.
  std::function<bool(Term)> may_be = {};
  const std::stop_token* stop = nullptr;
};

// Counts the steps that runs have taken.
struct StepCount {
  u64 steps = 0;
};

[[nodiscard]] SymbolicOutcome execute(Terms& terms, const SymbolicRun& run, StepCount& count);

}  // namespace komuz::neural

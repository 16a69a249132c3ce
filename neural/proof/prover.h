// SPDX-License-Identifier: Apache-2.0
// The door of proofs: two functions of checked code go in, and whether they are equal comes out, proved for all
// arguments, or refuted by arguments for which they differ. What equal means: the same cells, the same trap, and fuel
// as FuelRule says; where in the code a trap is does not matter. It runs no code and knows no source text. Z3, the solver, is
// behind komuz_prover.so, which is opened on first use, and nothing here shows it.
//
//   const Result<const Prover*> opened = open_prover();
//   if (opened.problem()) …                          // no proofs here; tests go on without them
//   const ProofAnswer answer = opened.value()->prove({a, 0, b, 0}, stop);
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/code.h"

namespace komuz::neural {

struct AbiProver;

// The ticks of b against those of a. With Same, both also have the same outcome under every budget; with Less, b ends
// under every budget under which a does.
enum class FuelRule : u8 { Any, Less, Same };

inline constexpr u64 kProofResources = 4'000'000;  // a second or two of one core

struct ProofQuestion {
  CodeView a;
  u32 a_function = 0;
  CodeView b;
  u32 b_function = 0;
  FuelRule fuel = FuelRule::Any;
  // How much the solver may do, in Z3's unit (`rlimit`); it decides, so that an answer is the same on every machine.
  u64 resources = kProofResources;
  u32 time_limit_ms = 0;  // ends a run whose answer nobody waits for any more; 0: never
};

// The method of a proof that took no solver.
inline constexpr std::string_view kSameTerms = "the same terms";

enum class Proof : u8 {
  Proved,
  Refuted,  // if `arguments` show it: where floats are concerned, they may not
  Unknown,
};

struct ProofAnswer {
  Proof proof = Proof::Unknown;
  // Of Refuted: a canonical cell (lang/cases.h) for each parameter slot. The caller runs them: that is what refutes.
  std::vector<u64> arguments;
  std::string why;     // of Unknown: a sentence
  std::string method;  // "the same terms", "bit vectors", "induction over calls of `rec`" …
  u64 resources = 0;   // that the solver took
};

// The opened library. May be used by several threads at once.
class Prover {
 public:
  explicit Prover(const AbiProver& table) : table_(table) {}

  // What proves: "Z3 4.8.12".
  [[nodiscard]] std::string about() const;
  // Both functions have the same parameter and result types, and no references among their parameters. When `stop`, which
  // may be null, is requested, it soon ends with Unknown. Every question has one answer, on every machine and run, but
  // for those that a stop or the time limit ended.
  [[nodiscard]] ProofAnswer prove(const ProofQuestion& question, const std::stop_token* stop) const;

 private:
  const AbiProver& table_;
};

// The same without a solver: Proved only if both functions come down to the same terms, and Refuted only by one of a few
// guesses.
[[nodiscard]] ProofAnswer prove_by_terms(const ProofQuestion& question,
                                         const std::stop_token* stop);

// Opens the library when it is first called: the file that the environment variable KOMUZ_PROVER names, else
// komuz_prover.so beside the executable or in ../lib/komuz from there. The problem says why there is none.
[[nodiscard]] Result<const Prover*> open_prover();

}  // namespace komuz::neural

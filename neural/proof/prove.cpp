// SPDX-License-Identifier: Apache-2.0
// The ways of a proof, one after the other:
//
//   induction   for recursive code: calls of partners (call_names.h) are one function of terms. It is assumed that partners are equal
//               with less depth left, and shown that then their bodies are, too. Nothing is unrolled.
//   terms       both functions are run on terms (terms/execute.h), with loops and calls unrolled. Are the outcomes the same terms?
//   bit vectors a solver looks for arguments for which the outcomes differ
#include "neural/proof/prove.h"

#include <algorithm>

#include "base/random.h"
#include "neural/proof/call_names.h"
#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/domain.h"
#include "neural/proof/terms/execute.h"
#include "neural/proof/terms/lockstep.h"
#include "neural/proof/terms/pure_terms.h"

namespace komuz::neural {
namespace {

// What a solver is asked. It simplifies what it gets before it counts what it does, so questions have a largest size.
struct Asked {
  u64 resources;
  size_t most_terms;
};
// Does a loop go on? Both functions together ask so many times.
constexpr Asked kMayBe = {100'000, 600};
constexpr u32 kMostMayBe = 24;
constexpr size_t kMostTerms = 12'000;
// Are the outcomes the same?
constexpr Asked kOutcome = {~u64{0}, kMostTerms};
// How often a solver's arguments are refuted by what floats really give before it gives up.
constexpr u32 kMostCorrections = 12;
// Of one question.
constexpr u32 kMostEndlessLoops = 8;

class ProofAttempt {
 public:
  ProofAttempt(const ProofQuestion& question, const std::stop_token* stop, const Solver& solver)
      : q_(question), stop_(stop), solver_(solver) {}

  ProofAnswer answer() {
    const Function &f = q_.a.functions[q_.a_function], &g = q_.b.functions[q_.b_function];
    if (q_.a.parameter_types(f) != q_.b.parameter_types(g) ||
        q_.a.result_type(f) != q_.b.result_type(g))
      return unknown("the types of both functions are not the same");
    for (u32 k = 0; k < f.parameter_slots; ++k)
      if (is_reference(static_cast<Scalar>(q_.a.slot_types[f.slots_begin + k])))
        return unknown("a parameter is a slice");
    const CallNames names = find_partners(q_);
    if (!names.partners.empty() && by_induction(names)) return finish(Proof::Proved);
    if (is_stopped()) return unknown("it was stopped");
    return by_unrolling();
  }

 private:
  // A pair of outcomes, and what is known of the arguments.
  struct Outcomes {
    SymbolicOutcome a, b;
    Term known = kNoTerm;
    bool is_partial = false;  // there are variables besides arguments: what loops leave
  };

  ProofAnswer finish(Proof proof) {
    answer_.proof = proof;
    return std::move(answer_);
  }
  ProofAnswer unknown(std::string why) {
    answer_.why = std::move(why);
    return finish(Proof::Unknown);
  }
  [[nodiscard]] bool is_stopped() const { return stop_ != nullptr && stop_->stop_requested(); }

  SolverAnswer ask(const Terms& terms, std::span<const Term> claims, Asked asked) {
    const std::vector<bool> reached = reach(terms, claims);
    const size_t size = static_cast<size_t>(std::ranges::count(reached, true));
    if (size > asked.most_terms)
      return {Decision::Unknown, {}, "the terms are too large for the solver", 0};
    if (std::vector<u64> found = sampled(terms, claims); !found.empty())
      return {Decision::Possible, std::move(found), {}, 0};
    const u64 left = q_.resources - std::min(q_.resources, answer_.resources);
    if (solver_ == nullptr) return {Decision::Unknown, {}, "there is no solver", 0};
    if (left == 0) return {Decision::Unknown, {}, "the resources are used up", 0};
    SolverAnswer found = solver_(terms, claims, std::min(left, asked.resources));
    answer_.resources += found.resources;
    return found;
  }

  // Variables for which all claims are true, if a few guesses find any: that costs less than a solver.
  static std::vector<u64> sampled(const Terms& terms, std::span<const Term> claims) {
    static constexpr u64 kGuesses[] = {0,
                                       1,
                                       2,
                                       3,
                                       5,
                                       8,
                                       10,
                                       31,
                                       64,
                                       100,
                                       255,
                                       1000,
                                       1u << 20,
                                       0x3FF0'0000'0000'0000u,
                                       0x4004'0000'0000'0000u,
                                       0x3F80'0000u,
                                       ~u64{0},
                                       ~u64{1},
                                       u64{1} << 63,
                                       ~u64{0} >> 1,
                                       0x7FFF'FFFFu,
                                       0x8000'0000u};
    const Term last = *std::ranges::max_element(claims);
    const u32 turns = last < 5'000 ? 32 : last < 50'000 ? 12 : 4;
    Random random(1);
    std::vector<u64> variables(terms.variables());
    for (u32 turn = 0; turn < turns; ++turn) {
      const u64 same = random.pick(kGuesses);
      for (u64& v : variables)
        v = turn % 2 == 0 && random.below(2) == 0 ? same : random.pick(kGuesses);
      const std::vector<u64> values = term_values(terms, variables, claims);
      if (std::ranges::all_of(values, [](u64 v) { return v != 0; })) return variables;
    }
    return {};
  }

  // What both are run with.
  struct Runs {
    SymbolicRun a, b;
  };
  // Both functions on the same arguments. False: one was not run to its end.
  bool run_both(Terms& terms, const Runs& wanted, Term known, Outcomes& out) {
    out.known = known;
    u32 asked = 0;
    const auto may_be = [&](Term live) {
      if (++asked > kMostMayBe) return true;
      const Term claims[] = {known, live};
      return ask(terms, claims, kMayBe).decision != Decision::Impossible;
    };
    Runs runs = wanted;
    runs.a.stop = runs.b.stop = stop_;
    if (solver_ != nullptr) runs.a.may_be = runs.b.may_be = may_be;
    StepCount count;
    out.a = execute(terms, runs.a, count);
    if (out.a.why.empty() || out.a.endless_loop != kNoLoop) {
      count = {};
      out.b = execute(terms, runs.b, count);
    }
    why_ = out.a.why.empty() ? out.b.why : out.a.why;
    if (why_.empty()) return true;
    endless_why_ = why_;
    if (!in_lockstep(terms, runs, out)) return false;
    why_.clear();
    return true;
  }

  // Without unrolling the loops that have no end. Every turn finds another one.
  bool in_lockstep(Terms& terms, Runs& runs, Outcomes& out) {
    const auto is_impossible = [&](std::span<const Term> claims) {
      return ask(terms, claims, kMayBe).decision == Decision::Impossible;
    };
    std::vector<u32> paused[2];
    u32 endless[2] = {out.a.endless_loop, out.b.endless_loop};
    for (u32 turn = 0; turn < kMostEndlessLoops && !is_stopped(); ++turn) {
      bool is_new = false;
      for (const u32 side : {0u, 1u}) {
        if (endless[side] == kNoLoop || std::ranges::count(paused[side], endless[side]) != 0)
          continue;
        paused[side].push_back(endless[side]);
        is_new = true;
      }
      if (!is_new) return false;
      runs.a.paused_loops = paused[0];
      runs.b.paused_loops = paused[1];
      StepCount count;
      SymbolicMachine a(terms, runs.a, count), b(terms, runs.b, count);
      Lockstep lockstep(terms, out.known, runs.a.counts_ticks, is_impossible);
      if (lockstep.run(a, b)) {
        out.a = a.outcome();
        out.b = b.outcome();
        out.is_partial = true;
        return true;
      }
      why_ = endless_why_ + ", and in it " + lockstep.why();
      endless[0] = lockstep.endless_loop(0);
      endless[1] = lockstep.endless_loop(1);
    }
    return false;
  }

  // A bool: the outcomes differ.
  static Term differ(Terms& terms, const Outcomes& o, FuelRule rule) {
    Term differ = terms.truth(false);
    const auto add = [&](Term when) { differ = terms.either(differ, when); };
    for (u32 t = 0; t < kTrapCount; ++t) add(terms.no(terms.equal(o.a.traps[t], o.b.traps[t])));
    // If one of both never returns, the other one does not either, or its traps differ.
    for (size_t k = 0; k < o.a.cells.size(); ++k)
      if (const Term x = o.a.cells[k], y = o.b.cells[k]; x != kNoTerm && y != kNoTerm)
        add(terms.both(o.a.traps[0], terms.no(terms.equal(x, y))));
    if (rule == FuelRule::Same) add(terms.no(terms.equal(o.a.ticks, o.b.ticks)));
    if (rule == FuelRule::Less) add(terms.make(TermOp::LessUnsigned, 1, o.a.ticks, o.b.ticks));
    return differ;
  }

  Runs runs(const Partners& pair, std::span<const Term> arguments, const CallNames* names,
            Term calls_left, FuelRule rule) const {
    SymbolicRun both;
    both.arguments = arguments;
    both.counts_ticks = rule != FuelRule::Any;
    both.calls_left = calls_left;
    Runs found = {both, both};
    found.a.code = q_.a;
    found.a.function = pair.a;
    found.b.code = q_.b;
    found.b.function = pair.b;
    if (names != nullptr) found.a.names = names->a, found.b.names = names->b;
    return found;
  }

  bool by_induction(const CallNames& names) {
    const FuelRule rule = q_.fuel == FuelRule::Any ? FuelRule::Any : FuelRule::Same;
    const auto is_same = [&](Terms& terms, const Outcomes& outcomes) {
      const Term claims[] = {outcomes.known, differ(terms, outcomes, rule)};
      if (terms.is_false(claims[1])) return true;
      return ask(terms, claims, Asked{q_.resources / 4, kMostTerms}).decision ==
             Decision::Impossible;
    };
    bool covers_entry = false;
    for (const Partners& pair : names.partners) {
      Terms terms;
      const TermWriter writer(terms);
      const Function& f = q_.a.functions[pair.a];
      const std::vector<Term> arguments = argument_variables(terms, q_.a, f);
      const Term left = terms.variable(16, false);
      // Callers may give more than values of types, such as cells behind the end of a list.
      const Term known =
          terms.both(are_cells(terms, arguments),
                     terms.make(TermOp::LessUnsigned, 1, left, terms.constant(16, f.rec)));
      Outcomes outcomes;
      if (!run_both(terms, runs(pair, arguments, &names, left, rule), known, outcomes) ||
          !is_same(terms, outcomes))
        return false;
      covers_entry |= pair.a == q_.a_function && pair.b == q_.b_function;
    }
    if (!covers_entry) {
      Terms terms;
      const TermWriter writer(terms);
      const Function& f = q_.a.functions[q_.a_function];
      const std::vector<Term> arguments = argument_variables(terms, q_.a, f);
      const Term known = are_values(terms, q_.a.parameter_types(f), arguments);
      Outcomes outcomes;
      const Partners entries = {q_.a_function, q_.b_function};
      if (!run_both(terms, runs(entries, arguments, &names, kNoTerm, rule), known, outcomes) ||
          !is_same(terms, outcomes))
        return false;
    }
    answer_.method = "induction over calls of ";
    for (size_t k = 0; k < names.partners.size(); ++k) {
      const Function& f = q_.a.functions[names.partners[k].a];
      answer_.method += (k == 0 ? "`" : ", `") + std::string(q_.a.name(f)) + "`";
    }
    return true;
  }

  ProofAnswer by_unrolling() {
    Terms terms;
    const TermWriter writer(terms);
    const Function& f = q_.a.functions[q_.a_function];
    const std::vector<Term> arguments = argument_variables(terms, q_.a, f);
    const Term known = are_values(terms, q_.a.parameter_types(f), arguments);
    Outcomes outcomes;
    const Partners entries = {q_.a_function, q_.b_function};
    if (!run_both(terms, runs(entries, arguments, nullptr, kNoTerm, q_.fuel), known, outcomes))
      return unknown(is_stopped() ? "it was stopped" : why_);
    const FuelRule rule =
        outcomes.is_partial && q_.fuel == FuelRule::Less ? FuelRule::Same : q_.fuel;
    const Term wrong = differ(terms, outcomes, rule);
    if (outcomes.is_partial) {
      answer_.method = "induction over the rounds of loops";
      const Term claims[] = {known, wrong};
      const bool is_proved =
          terms.is_false(wrong) || ask(terms, claims, kOutcome).decision == Decision::Impossible;
      return is_proved ? finish(Proof::Proved)
                       : unknown(endless_why_ +
                                 ", and behind it the outcomes are not "
                                 "seen to be equal");
    }
    if (terms.is_false(wrong)) {
      answer_.method = kSameTerms;
      return finish(Proof::Proved);
    }
    return decide(terms, known, wrong);
  }

  ProofAnswer decide(Terms& terms, Term known, Term wrong) {
    answer_.method = "bit vectors";
    std::vector<Term> claims = {known, wrong};
    for (u32 round = 0; round <= kMostCorrections; ++round) {
      const SolverAnswer found = ask(terms, claims, kOutcome);
      if (found.decision == Decision::Impossible) return finish(Proof::Proved);
      if (found.decision == Decision::Unknown)
        return unknown(is_stopped() ? "it was stopped" : found.why);
      const Term wanted[] = {terms.both(known, wrong)};
      if (term_values(terms, found.variables, wanted)[0] != 0)
        return refuted(terms, found.variables);
      // Floats are not what the solver took them for. It learns what they are for these arguments.
      if (!correct(terms, found.variables, claims)) break;
    }
    return unknown(
        "the outcomes are equal only if operations that the solver does not calculate, such as "
        "those of floats and `rand`, have properties that are not known here");
  }

  // Adds the true values of functions for the arguments that they have with these variables. False: there is nothing to add.
  static bool correct(Terms& terms, std::span<const u64> variables, std::vector<Term>& claims) {
    const size_t before = claims.size();
    std::vector<Term> needed(terms.rows().size());
    for (size_t t = 0; t < needed.size(); ++t) needed[t] = static_cast<Term>(t);
    const std::vector<u64> values = term_values(terms, variables, needed);
    const std::vector<bool> reached = reach(terms, claims);
    for (Term t = 1; t < reached.size(); ++t) {
      const TermRow row = terms.row(t);
      if (!reached[t] || row.op != TermOp::Function || !terms.functions()[row.number].has_meaning())
        continue;
      const std::vector<Term> arguments(terms.arguments().begin() + row.a,
                                        terms.arguments().begin() + row.a + row.b);
      Term here = terms.truth(true);
      for (const Term x : arguments)
        here = terms.both(here, terms.equal(x, terms.constant(terms.row(x).width, values[x])));
      const Term claim =
          terms.either(terms.no(here), terms.equal(t, terms.constant(row.width, values[t])));
      if (!terms.is_true(claim) && std::ranges::find(claims, claim) == claims.end())
        claims.push_back(claim);
    }
    return claims.size() != before;
  }

  // The terms that these are made of.
  static std::vector<bool> reach(const Terms& terms, std::span<const Term> from) {
    std::vector<bool> reached(terms.rows().size());
    for (const Term t : from) reached[t] = true;
    for (size_t t = reached.size(); t-- > 1;) {
      if (!reached[t]) continue;
      const TermRow& row = terms.row(static_cast<Term>(t));
      if (row.op == TermOp::Function) {
        for (const Term x : terms.arguments().subspan(row.a, row.b)) reached[x] = true;
      } else {
        for (const Term x : {row.a, row.b, row.c}) reached[x] = true;
      }
    }
    return reached;
  }

  ProofAnswer refuted(const Terms& terms, std::span<const u64> variables) {
    const Function& f = q_.a.functions[q_.a_function];
    for (u32 k = 0; k < f.parameter_slots; ++k) {
      const auto type = static_cast<Scalar>(q_.a.slot_types[f.slots_begin + k]);
      answer_.arguments.push_back(
          cell_of_bits(type, variables[k] & low_bits(terms.row(terms.variable_term(k)).width)));
    }
    return finish(Proof::Refuted);
  }

  const ProofQuestion& q_;
  const std::stop_token* stop_;
  const Solver& solver_;
  ProofAnswer answer_;
  std::string why_, endless_why_;
};

}  // namespace

ProofAnswer prove_with(const ProofQuestion& question, const std::stop_token* stop,
                       const Solver& solver) {
  return ProofAttempt(question, stop, solver).answer();
}

ProofAnswer prove_by_terms(const ProofQuestion& question, const std::stop_token* stop) {
  return prove_with(question, stop, {});
}

}  // namespace komuz::neural

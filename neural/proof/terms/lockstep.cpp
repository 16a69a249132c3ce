// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/terms/lockstep.h"

#include <algorithm>

namespace komuz::neural {
namespace {

using Pause = SymbolicMachine::Pause;

constexpr u32 kMostSplits = 16;
// So many slots are compared with each other by the solver; the others by their terms alone.
constexpr u32 kMostAsked = 24;

}  // namespace

bool Lockstep::fail(std::string why) {
  if (why_.empty()) why_ = std::move(why);
  return false;
}

bool Lockstep::run(SymbolicMachine& a, SymbolicMachine& b) {
  for (;;) {
    const Pause first = a.go_on(), second = b.go_on();
    if (first == Pause::GaveUp) {
      const SymbolicOutcome o = a.outcome();
      endless_[0] = o.endless_loop;
      fail(o.why);
    }
    if (second == Pause::GaveUp) {
      const SymbolicOutcome o = b.outcome();
      endless_[1] = o.endless_loop;
      fail(o.why);
    }
    if (first == Pause::GaveUp || second == Pause::GaveUp) return false;
    if (first == Pause::Done && second == Pause::Done) return true;
    if (first != second) return fail("only one of both has a loop whose end cannot be seen");
    if (!pass(a, b)) return false;
  }
}

bool Lockstep::is_same(Term x, Term y, Term when) {
  if (x == y) return true;
  if (x == kNoTerm || y == kNoTerm || terms_.row(x).width != terms_.row(y).width) return false;
  const Term differ = terms_.no(terms_.equal(x, y));
  if (terms_.is_false(differ)) return true;
  if (terms_.is_true(differ) && terms_.is_true(when)) return false;
  const Term claims[] = {known_, when, differ};
  return is_impossible_(claims);
}

bool Lockstep::split(std::vector<Member>& members, Term Member::*term, Term when) {
  u32 groups = 0;
  for (const Member& m : members) groups = std::max(groups, m.group + 1);
  // Of the members so far: their old groups, and the new ones.
  struct Kind {
    u32 before, group;
    Term term;
  };
  std::vector<Kind> kinds;
  u32 asked = 0;
  for (Member& m : members) {
    const auto fits = [&](const Kind& k) { return k.before == m.group && k.term == m.*term; };
    auto kind = std::ranges::find_if(kinds, fits);
    if (kind == kinds.end())
      kind = std::ranges::find_if(kinds, [&](const Kind& k) {
        return k.before == m.group && asked++ < kMostAsked && is_same(k.term, m.*term, when);
      });
    if (kind == kinds.end()) {
      kinds.push_back({m.group, static_cast<u32>(kinds.size()), m.*term});
      kind = kinds.end() - 1;
    }
    m.group = kind->group;
  }
  return kinds.size() != groups;
}

bool Lockstep::run_round(SymbolicMachine& a, SymbolicMachine& b, std::vector<Member>& members,
                         Rounds& out) {
  std::vector<Term> variables;
  std::vector<SymbolicMachine::SlotValue> values[2];
  for (const Member& m : members) {
    const Scalar type = (m.machine == 0 ? a : b).slot_scalar(m.slot);
    if (m.group >= variables.size()) variables.resize(m.group + 1, kNoTerm);
    Term& variable = variables[m.group];
    if (variable == kNoTerm) variable = terms_.variable(cell_bits(type), is_float(type));
    values[m.machine].push_back({m.slot, variable});
  }
  SymbolicMachine first = a.round_machine(values[0]), second = b.round_machine(values[1]);
  if (!run(first, second)) return false;
  out = {first.round(), second.round()};
  if (!out.a.stays_inside || !out.b.stays_inside)
    return fail("a loop that cannot be unrolled is left for one further out");
  for (Member& m : members) {
    const SymbolicMachine::Round& round = m.machine == 0 ? out.a : out.b;
    m.next = round.next[m.slot];
    m.left = m.slot < round.left.size() ? round.left[m.slot] : kNoTerm;
  }
  return true;
}

bool Lockstep::is_same_round(const Rounds& rounds, Term live) {
  const auto &a = rounds.a, &b = rounds.b;
  Term differ = terms_.truth(false);
  const auto add = [&](Term when, Term x, Term y) {
    if (x == kNoTerm || y == kNoTerm) return;
    const bool is_one_width = terms_.row(x).width == terms_.row(y).width;
    const Term other = is_one_width ? terms_.no(terms_.equal(x, y)) : terms_.truth(true);
    differ = terms_.either(differ, terms_.both(when, other));
  };
  const Term always = terms_.truth(true);
  add(always, a.goes_on, b.goes_on);
  add(always, a.leaves, b.leaves);
  add(always, a.returns, b.returns);
  Term traps = terms_.truth(false);
  for (u32 t = 1; t < kTrapCount; ++t) {
    add(always, a.traps[t], b.traps[t]);
    traps = terms_.either(traps, a.traps[t]);
  }
  for (size_t k = 0; k < std::min(a.results.size(), b.results.size()); ++k)
    add(a.returns, a.results[k], b.results[k]);
  if (counts_ticks_) {
    add(a.goes_on, a.next_ticks, b.next_ticks);
    add(a.leaves, a.left_ticks, b.left_ticks);
    add(a.returns, a.return_ticks, b.return_ticks);
    add(traps, a.end_ticks, b.end_ticks);
  }
  if (terms_.is_false(differ)) return true;
  const Term claims[] = {known_, live, differ};
  return is_impossible_(claims) || fail("the rounds of a loop differ, or are not seen to be equal");
}

bool Lockstep::pass(SymbolicMachine& a, SymbolicMachine& b) {
  if (!is_same(a.live(), b.live(), terms_.truth(true)))
    return fail("a loop whose end cannot be seen is not reached by the same arguments");
  const Term live = a.live();
  std::vector<Member> members;
  std::vector<Term> starts;
  for (const u32 machine : {0u, 1u}) {
    const SymbolicMachine& m = machine == 0 ? a : b;
    for (const u32 slot : m.written_slots()) {
      // What nobody has written is written before it is read.
      const Term start = m.slot_value(slot);
      if (start == kNoTerm) continue;
      if (is_reference(m.slot_scalar(slot)))
        return fail("a loop that cannot be unrolled moves references");
      // Floats and integers of one width are no group: a group has one type.
      const auto group = std::ranges::find(starts, start);
      const u32 number = static_cast<u32>(group - starts.begin());
      if (group == starts.end()) starts.push_back(start);
      members.push_back({machine, slot,
                         number * kCellTypeCount + static_cast<u32>(m.slot_scalar(slot)), kNoTerm,
                         kNoTerm});
    }
  }
  // Numbers of groups without gaps.
  for (Member& m : members) m.next = terms_.truth(true);
  split(members, &Member::next, live);
  Rounds rounds;
  bool is_stable = false;
  for (u32 turn = 0; turn < kMostSplits && !is_stable; ++turn) {
    if (!run_round(a, b, members, rounds)) return false;
    const Term goes_on = terms_.both(live, terms_.both(rounds.a.goes_on, rounds.b.goes_on));
    is_stable = terms_.is_false(goes_on) || !split(members, &Member::next, goes_on);
  }
  if (!is_stable) return fail("too little is equal in the rounds of a loop");
  // Both loops may stand in functions that give different types: what one returns is then no result of the other.
  const auto is_alike = [&](Term x, Term y) {
    if (x == kNoTerm || y == kNoTerm) return x == y;
    return terms_.row(x).width == terms_.row(y).width &&
           terms_.row(x).is_canonical == terms_.row(y).is_canonical;
  };
  if (!terms_.is_false(rounds.a.returns) || !terms_.is_false(rounds.b.returns))
    if (!std::ranges::equal(rounds.a.results, rounds.b.results, is_alike))
      return fail("the loops return from functions with different results");
  if (!is_same_round(rounds, live)) return false;

  SymbolicMachine::Passed passed[2];
  const Term leaves = terms_.both(live, rounds.a.leaves);
  split(members, &Member::left, leaves);
  std::vector<Term> variables;
  for (const Member& m : members) {
    const Scalar type = (m.machine == 0 ? a : b).slot_scalar(m.slot);
    if (m.group >= variables.size()) variables.resize(m.group + 1, kNoTerm);
    Term& variable = variables[m.group];
    if (variable == kNoTerm) variable = terms_.variable(cell_bits(type), is_float(type));
    passed[m.machine].slots.push_back({m.slot, variable});
  }
  passed[0].is_left = !terms_.is_false(rounds.a.leaves);
  for (u32 t = 1; t < kTrapCount; ++t)
    if (!terms_.is_false(rounds.a.traps[t]) || !terms_.is_false(rounds.b.traps[t]))
      passed[0].traps[t] = terms_.variable(1, false);
  if (!terms_.is_false(rounds.a.returns) || !terms_.is_false(rounds.b.returns)) {
    passed[0].returns = terms_.variable(1, false);
    for (const Term t : rounds.a.results)
      passed[0].results.push_back(terms_.variable(terms_.row(t).width, terms_.row(t).is_canonical));
  }
  if (counts_ticks_) passed[0].ticks = terms_.variable(64, false);
  passed[1].is_left = passed[0].is_left;
  passed[1].traps = passed[0].traps;
  passed[1].returns = passed[0].returns;
  passed[1].results = passed[0].results;
  passed[1].ticks = passed[0].ticks;
  a.pass_loop(passed[0]);
  b.pass_loop(passed[1]);
  return true;
}

}  // namespace komuz::neural

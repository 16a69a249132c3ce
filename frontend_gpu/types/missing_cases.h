// SPDX-License-Identifier: Apache-2.0
// Checks that a match has an arm for every value, and that every arm gets one. Values differ by the cells that
// patterns test. A case fixes some of these cells. It is split by the first cell that an arm asks for and that the
// case leaves open, into one case for each interval of values that all tests of that cell treat alike. A case is
// done when an arm takes all of it. When the last case is done, all values are covered.
#pragma once
#include "frontend_gpu/types/check_patterns.h"
#include "lang/missing_case.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How a pattern and a case meet. Perhaps: only a run can tell, as with a guard or a constant.
enum class Fit : u8 { No, Perhaps, Open, Yes };

template <class G>
class FindMissingCases {
 public:
  HD FindMissingCases(G& g, Columns& c, Index match) : g_(g), c_(c), match_(match) {}

  // Checks a match whose patterns are sound.
  HD_COLD void operator()() {
    Arms arms(c_, match_);
    for (Index arm = arms.next(); arm != kNone; arm = arms.next()) c_.given[arm] = kUnreached;
    bool open = true;
    while (open) {
      switch (meet_arms()) {
        case Fit::Open:
          if (known_ == kMaxKnown) return too_complex();
          fixed_[known_] = {split_, domain(split_).first};
          ++known_;
          break;
        case Fit::Yes: open = next_case(); break;
        case Fit::Perhaps:
        case Fit::No: return report_missing();
      }
      if (steps_ > kMaxSteps) return too_complex();
    }
    note_unreached();
  }

 private:
  static constexpr u32 kMaxKnown = 64, kMaxSteps = 1u << 18, kMaxPending = 260;
  static constexpr TypeId kUnreached = 0, kReached = 1;
  struct Fixed {
    Index node;  // a pattern that tests the cell
    u64 value;   // mapped by ordered()
  };
  struct Domain {
    u64 first, last;
  };
  struct Met {
    Fit fit;
    Index node;  // Open: the pattern whose cell is not fixed
  };

  HD void take_steps(u32 steps) {
    steps_ += steps;
    count_work(c_, steps);
  }
  // A last arm that takes all that is left shows that none is missing.
  HD void too_complex() {
    Arms arms(c_, match_);
    Index last = kNone;
    for (Index arm = arms.next(); arm != kNone; arm = arms.next()) last = arm;
    if (is_pattern_name(c_, pattern_of(c_, last)) && guard_of(c_, last) == kNone) return;
    report(g_, c_, match_, DiagnosticCode::MatchTooComplex);
  }

  // Marks the arms that get values of the case. Yes: an arm takes all of it.
  HD Fit meet_arms() {
    Arms arms(c_, match_);
    for (Index arm = arms.next(); arm != kNone; arm = arms.next()) {
      take_steps(c_.end[c_.left[arm]] - c_.begin[c_.left[arm]] + known_);
      const Met met = meet(pattern_of(c_, arm));
      if (met.fit == Fit::No) continue;
      if (met.fit == Fit::Open) {
        split_ = met.node;
        return Fit::Open;
      }
      c_.given[arm] = kReached;
      if (met.fit == Fit::Yes && guard_of(c_, arm) == kNone) return Fit::Yes;
    }
    return Fit::No;
  }
  // Goes in post-order; an operand that waits lies on a stack.
  HD Met meet(Index root) {
    Met pending[kMaxPending];
    u32 n = 0;
    const u32 last = c_.rank[root], size = c_.end[root] - c_.begin[root];
    for (u32 r = last + 1 - size; r <= last; ++r) {
      const Index i = c_.order[r];
      const Context context = node_context(c_, i);
      if (!is_in_arm(context) && context != Context::PatternUse &&
          !(context == Context::PatternOpen && c_.right[i] == kNone))
        continue;
      switch (node_kind(c_, i)) {
        case Node::Comma:
          if (c_.right[i] != kNone) --n, pending[n - 1] = both(pending[n - 1], pending[n]);
          break;
        case Node::BitOr: --n, pending[n - 1] = either(pending[n - 1], pending[n]); break;
        case Node::Call: pending[n - 1] = both(test(i), pending[n - 1]); break;
        case Node::Paren:
          if (c_.right[i] == kNone) pending[n++] = {Fit::Yes, kNone};
          break;
        case Node::LeadingOr:
        case Node::Colon: break;
        default: pending[n++] = test(i); break;
      }
      if (n == kMaxPending) break;
    }
    return pending[0];
  }
  HD static Met both(Met a, Met b) {
    if (a.fit == Fit::No || b.fit == Fit::Open)
      return a.fit == Fit::Open ? a : a.fit == Fit::No ? a : b;
    if (b.fit == Fit::No) return b;
    if (a.fit == Fit::Open) return a;
    return a.fit == Fit::Yes ? b : a;
  }
  HD static Met either(Met a, Met b) {
    if (a.fit == Fit::Yes || b.fit == Fit::Yes) return {Fit::Yes, kNone};
    if (a.fit == Fit::Open) return a;
    if (b.fit == Fit::Open) return b;
    return a.fit == Fit::Perhaps ? a : b;
  }

  [[nodiscard]] HD bool is_constructor(Index i) const {
    const Node kind = node_kind(c_, i);
    const Index name = kind == Node::Call ? Index{c_.left[i]} : i;
    if (kind != Node::Call && node_context(c_, i) != Context::PatternUse) return false;
    const Index ref = c_.ref[name];
    return is_option_constructor(ref) ||
           (ref < kBuiltinRef && c_.bind_kind[ref] == BindKind::Constructor);
  }
  [[nodiscard]] HD Scalar scalar_of(Index i) const {
    return is_scalar(c_.type[i]) ? as_scalar(c_.type[i]) : Scalar::None;
  }
  // The values for which the test of a node holds.
  [[nodiscard]] HD Domain taken(Index i) const {
    const Node kind = node_kind(c_, i);
    if (is_constructor(i)) return {c_.cell[i], c_.cell[i]};
    const Scalar type = scalar_of(i);
    if (kind == Node::Range || kind == Node::RangeInclusive)
      return {ordered(type, c_.cell[c_.left[i]]),
              ordered(type, c_.cell[c_.right[i]]) - (kind == Node::Range)};
    const u64 value = ordered(type, c_.cell[i]);
    return {value, value};
  }
  // All values that the cell of a node's test can have.
  [[nodiscard]] HD Domain domain(Index i) const {
    if (is_constructor(i))
      return {0, is_option(c_, c_.type[i]) ? 1 : count_alternatives(c_, c_.type[i]) - 1u};
    const Scalar type = scalar_of(i);
    if (type == Scalar::Bool) return {0, 1};
    const u32 bits = scalar_bits(type);
    if (bits == 64) return {0, ~0ull};
    const u64 size = 1ull << bits;
    return is_signed(type) ? Domain{(1ull << 63) - size / 2, (1ull << 63) + size / 2 - 1}
                           : Domain{0, size - 1};
  }
  HD Met test(Index i) const {
    const Node kind = node_kind(c_, i);
    const bool free = kind == Node::Spread || is_pattern_name(c_, i) ||
                      (is_constructor(i) && !has_alternatives(c_, c_.type[i]));
    if (free) return {Fit::Yes, kNone};
    if ((kind == Node::Name && !is_constructor(i)) || kind == Node::String ||
        is_float(scalar_of(i)))
      return {Fit::Perhaps, kNone};
    for (u32 k = 0; k < known_; ++k) {
      if (c_.given[fixed_[k].node] != c_.given[i]) continue;
      const Domain own = taken(i);
      const bool fits = own.first <= fixed_[k].value && fixed_[k].value <= own.last;
      return {fits ? Fit::Yes : Fit::No, kNone};
    }
    return {Fit::Open, i};
  }

  // Goes to the next case in order; the interval of the cell that was fixed last changes fastest.
  HD bool next_case() {
    for (; known_ != 0; --known_) {
      Fixed& last = fixed_[known_ - 1];
      const Domain all = domain(last.node);
      if (last.value == all.last) continue;
      const u64 next = next_stretch(last);
      if (next > all.last || next <= last.value) continue;
      last.value = next;
      return true;
    }
    return false;
  }
  // The start of the next interval; ~0: there is none.
  HD u64 next_stretch(const Fixed& fixed) {
    u64 next = ~0ull;
    const auto consider = [&](u64 value) {
      if (value > fixed.value && value < next) next = value;
    };
    Arms arms(c_, match_);
    for (Index arm = arms.next(); arm != kNone; arm = arms.next()) {
      const Index root = pattern_of(c_, arm);
      take_steps(c_.end[c_.left[arm]] - c_.begin[c_.left[arm]]);
      for (Index i = c_.begin[root]; i < c_.end[root]; ++i) {
        const Context context = node_context(c_, i);
        if ((!is_in_arm(context) && context != Context::PatternUse) ||
            c_.given[i] != c_.given[fixed.node] || !tests_values(i))
          continue;
        const Domain own = taken(i);
        consider(own.first);
        if (own.last != ~0ull) consider(own.last + 1);
      }
    }
    return next;
  }
  [[nodiscard]] HD bool tests_values(Index i) const {
    switch (node_kind(c_, i)) {
      case Node::Comma:
      case Node::Colon:
      case Node::BitOr:
      case Node::LeadingOr:
      case Node::Paren:
      case Node::Spread: return false;
      default: return test(i).fit == Fit::Yes ? is_fixed_test(i) : test(i).fit != Fit::Perhaps;
    }
  }
  [[nodiscard]] HD bool is_fixed_test(Index i) const {
    return !is_pattern_name(c_, i) && !(is_constructor(i) && !has_alternatives(c_, c_.type[i]));
  }

  // Names each value of a flat tuple; otherwise the outermost and the innermost cell.
  HD void report_missing() {
    TupleCase values;
    if (find_values(values))
      return report(g_, c_, match_, DiagnosticCode::MissingCase, values.a(), values.b());
    const u32 outer = known_ == 0 ? 0 : word_of(fixed_[0]);
    const u32 inner = known_ < 2 ? 0 : word_of(fixed_[known_ - 1]);
    report(g_, c_, match_, DiagnosticCode::MissingCase, outer, inner);
  }
  // Finds the values of a tuple that is matched as a whole. Returns false if something is known of a cell deeper
  // than an element holds, or the words do not hold all that is known.
  HD bool find_values(TupleCase& out) const {
    bool says_something = false;
    for (u32 k = 0; k < known_; ++k) {
      Index element = kNone;
      Index paren = tuple_around(fixed_[k].node, element);
      const bool is_held = paren == kNone;
      if (is_held) paren = tuple_around_holder(fixed_[k].node, element);
      const u32 most = is_held ? TupleCase::kMostHolders : TupleCase::kMostValues;
      const u32 count = paren == kNone ? 0 : count_parts(c_, c_.type[paren], most + 1);
      const u32 word = word_of(fixed_[k]);
      if (count == 0 || count > most || !TupleCase::has_room_for(word)) return false;
      for (u32 e = 0; e < count; ++e)
        if (out.words[e] == 0) out.words[e] = case_word(CaseWord::Any, 0);
      if (word == 0) continue;
      const u32 number =
          tuple_pattern(c_, paren).part_of(element_number(c_, paren, element), count);
      if (is_held && (is_any(out.words[number]) || out.held[number] != 0)) return false;
      (is_held ? out.held : out.words)[number] = word;
      says_something = true;
    }
    return says_something;
  }
  [[nodiscard]] HD static bool is_any(u32 word) { return case_kind(word) == CaseWord::Any; }
  // The parentheses of a tuple one of whose elements holds the node alone: `Some(true)`.
  HD Index tuple_around_holder(Index node, Index& element) const {
    Index above = parent_of(c_, node);
    while (node_kind(c_, above) == Node::BitOr) above = parent_of(c_, above);
    const bool is_alone = node_kind(c_, above) == Node::Paren && !has_comma(c_, above);
    const Index call = is_alone ? parent_of(c_, above) : kNone;
    if (call == kNone || node_kind(c_, call) != Node::Call) return kNone;
    return tuple_around(call, element);
  }
  // The parentheses of a whole pattern one of whose elements, or alternatives of an element, is the node.
  HD Index tuple_around(Index node, Index& element) const {
    element = node;
    Index above = parent_of(c_, node);
    for (; node_kind(c_, above) == Node::BitOr; above = parent_of(c_, above)) element = above;
    while (node_kind(c_, above) == Node::Comma) above = parent_of(c_, above);
    if (node_kind(c_, above) != Node::Paren || !has_comma(c_, above)) return kNone;
    const Index paren = above;
    Index whole = paren;
    for (above = parent_of(c_, whole);
         node_kind(c_, above) == Node::BitOr || node_kind(c_, above) == Node::LeadingOr;
         above = parent_of(c_, whole))
      whole = above;
    const Index arm = node_kind(c_, above) == Node::Guard ? parent_of(c_, above) : above;
    return node_kind(c_, arm) == Node::Lambda && pattern_of(c_, arm) == whole ? paren : kNone;
  }
  [[nodiscard]] HD u32 word_of(const Fixed& fixed) const {
    if (is_constructor(fixed.node) && is_option(c_, c_.type[fixed.node]))
      return case_word(CaseWord::Option, static_cast<u32>(fixed.value));
    if (is_constructor(fixed.node)) {
      Alternatives alternatives(c_, c_.type[fixed.node]);
      Index name = alternatives.next();
      for (u64 k = 0; k < fixed.value; ++k) name = alternatives.next();
      return case_word(CaseWord::Constructor, c_.token_start[c_.token[name]]);
    }
    const Scalar type = scalar_of(fixed.node);
    if (type == Scalar::Bool) return case_word(CaseWord::Bool, static_cast<u32>(fixed.value));
    const u64 value = is_signed(type) ? fixed.value ^ 1ull << 63 : fixed.value;
    return value < 1u << 28 ? case_word(CaseWord::Number, static_cast<u32>(value)) : 0;
  }
  HD void note_unreached() {
    Arms arms(c_, match_);
    for (Index arm = arms.next(); arm != kNone; arm = arms.next()) {
      const Index root = pattern_of(c_, arm);
      if (c_.given[arm] == kUnreached) report_note(g_, c_, root, DiagnosticCode::UnreachableArm);
    }
  }

  G& g_;
  Columns& c_;
  Index match_;
  Index split_ = kNone;
  u32 known_ = 0, steps_ = 0;
  Fixed fixed_[kMaxKnown];
};

// One lane takes a whole match. Other lanes take the matches inside of it.
template <class G>
HD_COLD void check_match(G& g, Columns& c, Index match) {
  const TypeId type = c.type[match];
  if (type == kTypeError || node_context(c, match) == Context::Skipped) return;
  bool sound = true;
  const Index block = block_of_match(c, match);
  for (Index i = block + 1; i < c.end[block]; ++i)
    sound &= c.owner[i] != block || node_context(c, i) != Context::Skipped;
  Arms arms(c, match);
  for (Index arm = arms.next(); arm != kNone; arm = arms.next()) {
    const Index root = pattern_of(c, arm);
    if (node_context(c, root) == Context::Skipped) {
      sound = false;
      continue;
    }
    sound &= CheckPattern<G>(g, c, root, type)();
  }
  if (sound) FindMissingCases<G>(g, c, match)();
}
template <class G>
HD_COLD void check_all_matches(G& g, Columns& c) {
  g.for_each(c.binds, [&](u32 b) {
    if (c.bind_kind[b] == BindKind::Match) check_match(g, c, c.bind_node[b]);
  });
}
template <class G>
HD void check_matches(G& g, Columns& c) {
  if (c.flags[kMatches] != 0) check_all_matches(g, c);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES

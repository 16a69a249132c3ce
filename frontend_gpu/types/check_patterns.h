// SPDX-License-Identifier: Apache-2.0
// Checks that patterns fit what they are compared with, and keeps for later passes what each of their nodes tests.
#pragma once
#include "frontend_gpu/questions/field_patterns.h"
#include "frontend_gpu/questions/type_brief.h"
#include "frontend_gpu/text/literal.h"
#include "frontend_gpu/types/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The most instructions of one arm's pattern. There is room beyond it for those that join the tests.
inline constexpr u32 kMaxPatternCode = 960;
static_assert(kMaxPatternCode + 64 <= kMaxOwnCode);

template <class G>
class CheckPattern {
 public:
  HD CheckPattern(G& g, Columns& c, Index root, TypeId type)
      : g_(g), c_(c), root_(root), type_(type) {}

  // Returns true if the tests of all nodes are known.
  HD_COLD bool operator()() {
    u32 code = 0;  // at most
    for (Index i = c_.begin[root_]; i < c_.end[root_]; ++i) {
      c_.given[i] = 0;
      if (code > kMaxPatternCode) continue;
      sound_ &= node_context(c_, i) != Context::Skipped && c_.error[i] == 0;
      if (node_context(c_, i) == Context::Skipped) continue;
      if (is_part(i)) check(i);
      code += node_code(i);
      if (is_pattern_name(c_, i)) code += name_code(i);
    }
    if (code > kMaxPatternCode) fail(root_, DiagnosticCode::PatternTooLarge);
    return sound_;
  }

 private:
  // True if the node stands for a part of the value, and tests or binds it.
  [[nodiscard]] HD bool is_part(Index i) const {
    const Context context = node_context(c_, i);
    const Node kind = node_kind(c_, i);
    if (!is_in_arm(context) && context != Context::PatternUse) return false;
    return kind != Node::Comma && kind != Node::Colon;
  }
  // The instructions that copy a name's cells, and that test from which side of each `|` they come.
  HD u32 name_code(Index i) {
    if (is_blank(c_, i) || place_.type == kTypeError) return 0;
    const u32 b = c_.ref[i];
    bool alone = true;
    for (u32 k = b; k-- > 0 && c_.bind_node[k] >= c_.begin[root_];)
      alone &= !same_text(c_, c_.bind_node[k], i);
    alone &= last_of_name(c_, b) == b;
    if (!alone) c_.given[i] = 0;
    u32 code = lies_together(c_, i) ? 0 : 2 * count_blocks(c_, place_.type);
    for (Index at = i; !alone && at != root_; at = parent_of(c_, at))
      if (node_kind(c_, parent_of(c_, at)) == Node::BitOr) code += tests_of(at);
    return code;
  }
  // The most instructions that test a node. A string tests its length and each byte.
  [[nodiscard]] HD u32 node_code(Index i) const {
    const Node kind = node_kind(c_, i);
    if (kind == Node::String) return 4 + 4 * node_length(c_, i);
    return kind == Node::Comma ? 1 : 4;
  }
  [[nodiscard]] HD u32 tests_of(Index side) const {
    u32 code = 0;
    for (Index i = c_.begin[side]; i < c_.end[side]; ++i) code += node_code(i);
    return code;
  }
  // Checks that both sides of a `|` bind the same names, to values of one type.
  HD void sides(Index i) {
    const Index left = c_.left[i], right = c_.right[i];
    same_names(left, right);
    same_names(right, left);
  }
  HD void same_names(Index side, Index other) {
    for (Index a = c_.begin[side]; a < c_.end[side]; ++a) {
      if (!is_pattern_name(c_, a) || is_blank(c_, a)) continue;
      Index same = kNone;
      for (Index b = c_.begin[other]; b < c_.end[other]; ++b)
        if (is_pattern_name(c_, b) && same_text(c_, a, b)) same = b;
      if (same == kNone) {
        fail(a, DiagnosticCode::BoundOnOneSide);
        continue;
      }
      const TypeId own = c_.bind_type[c_.ref[a]], its = c_.bind_type[c_.ref[same]];
      if (a < same && own != kTypeError && its != kTypeError && !passes_for(c_, own, its))
        fail(a, DiagnosticCode::BranchTypes, type_brief(c_, own), type_brief(c_, its));
    }
  }
  HD void fail(Index i, DiagnosticCode code, u32 a = 0, u32 b = 0) {
    report(g_, c_, i, code, a, b);
    sound_ = false;
  }
  HD void mismatch(Index i) {
    fail(i, DiagnosticCode::PatternMismatch, type_brief(c_, place_.type));
  }

  HD void check(Index i) {
    const Node kind = node_kind(c_, i);
    if (kind == Node::Spread) return spread(i);
    if (kind == Node::BitOr) return sides(i);
    if (kind == Node::LeadingOr) return;
    LocatePattern{c_, place_}(root_, i, type_);
    const TypeId type = place_.type;
    sound_ &= type != kTypeError;
    if (type == kTypeError) return;
    c_.type[i] = type;
    c_.given[i] = is_contiguous(c_, place_) ? place_.offset[0] + 1u : 0u;
    switch (kind) {
      case Node::Name:
        if (!is_pattern_name(c_, i)) name(i);
        return;
      case Node::Paren: return parentheses(i);
      case Node::Call: return constructor(i);
      case Node::Range:
      case Node::RangeInclusive: return range(i, kind == Node::RangeInclusive);
      case Node::String: return text(i);
      default: c_.cell[i] = literal(i); return;
    }
  }
  // `..` stands between parentheses. Their check reports a wrong place.
  HD void spread(Index i) {
    Index above = parent_of(c_, i);
    while (node_kind(c_, above) == Node::Comma) above = parent_of(c_, above);
    if (node_kind(c_, above) != Node::Paren) fail(i, DiagnosticCode::RestPlace);
  }
  // Takes a constructor without fields, or a constant.
  HD void name(Index i) {
    const Index ref = c_.ref[i];
    if (ref == kNone) return;
    if (ref < kBuiltinRef && c_.bind_kind[ref] == BindKind::Constructor) {
      const Index fields = fields_of(c_, c_.bind_node[ref]);
      if (!makes(ref)) return mismatch(i);
      if (fields != kNone)
        return fail(i, DiagnosticCode::ConstructorFields, count_elements(c_, fields));
      tag(i, ref);
      return;
    }
    if (is_option_constructor(ref)) {
      if (!is_option(c_, place_.type)) return mismatch(i);
      if (names_collection(ref, Collection::Some))
        return fail(i, DiagnosticCode::ConstructorFields, 1);
      return number(i, 0);
    }
    const TypeId type = ref < kBuiltinRef ? TypeId{c_.bind_type[ref]} : builtin_type(ref);
    const bool fits =
        is_scalar(place_.type) && (type == place_.type || literal_takes(type, place_.type));
    if (type != kTypeError && !fits) mismatch(i);
  }
  HD static TypeId builtin_type(Index ref) {
    const Scalar type = builtin_constant(ref - kBuiltinRef - kBuiltinCount).type;
    return type == Scalar::None ? kTypeFloatLiteral : type_of(type);
  }
  [[nodiscard]] HD bool makes(u32 constructor) const {
    const TypeId type = constructed_type(c_, constructor);
    return is_tuple(type) && is_tuple(place_.type) && tuple_node(type) == tuple_node(place_.type);
  }
  // Keeps the number of a sum's alternative, which is in the first cell whether or not the other cells lie behind
  // it.
  HD void tag(Index i, u32 constructor) {
    number(i, is_sum(c_, place_.type)
                  ? alternative_number(c_, place_.type, c_.bind_node[constructor])
                  : 0);
  }
  HD void number(Index i, u32 alternative) {
    c_.given[i] = place_.offset[0] + 1u;
    c_.cell[i] = alternative;
  }
  HD void parentheses(Index i) {
    if (node_context(c_, i) == Context::PatternOpen) return;
    if (const Index label = field_label(i); label != kNone)
      return fail(label, DiagnosticCode::NamedArgument);
    if (c_.right[i] == kNone) {
      if (place_.type != kTypeUnit) mismatch(i);
      return;
    }
    const TuplePattern own = tuple_pattern(c_, i);
    if (own.misplaced != kNone) return fail(own.misplaced, DiagnosticCode::RestPlace);
    if (!has_comma(c_, i)) return;
    const bool fits = is_plain_tuple(c_, place_.type) && own.fits(count_parts(c_, place_.type));
    if (!fits) mismatch(i);
  }
  // The label before a `:` between the parentheses; kNone: there is none.
  [[nodiscard]] HD Index field_label(Index paren) const {
    ElementsBackwards elements(c_, paren);
    for (Index e = elements.next(); e != kNone; e = elements.next())
      if (names_field(c_, e) && node_context(c_, e) != Context::Skipped) return c_.left[e];
    return kNone;
  }
  HD void constructor(Index i) {
    const Index name = c_.left[i], paren = c_.right[i], ref = constructor_of(c_, i);
    if (node_context(c_, paren) == Context::Skipped) return;
    if (is_option_constructor(ref)) return option(i, ref);
    if (ref >= kBuiltinRef) return;
    if (!makes(ref)) return mismatch(i);
    const Index fields = fields_of(c_, c_.bind_node[ref]);
    if (fields == kNone) return fail(name, DiagnosticCode::ConstructorBare);
    tag(i, ref);
    check_given_fields(c_, i, fields,
                       [&](Index at, DiagnosticCode code, u32 x, u32 y) { fail(at, code, x, y); });
  }
  // Takes `Some(p)`.
  HD void option(Index i, Index ref) {
    if (!is_option(c_, place_.type)) return mismatch(i);
    if (names_collection(ref, Collection::None))
      return fail(c_.left[i], DiagnosticCode::ConstructorBare);
    number(i, 1);
    if (const Index label = field_label(c_.right[i]); label != kNone)
      return fail(label, DiagnosticCode::NamedArgument);
    const u32 given = count_elements(c_, c_.right[i]);
    if (given != 1) fail(i, DiagnosticCode::PatternFields, 1, given);
  }
  // Takes a string: the value is a slice, or a list of bytes that has room for it.
  HD void text(Index i) {
    const u32 count = string_bytes(node_text(c_, i), node_length(c_, i), [](u8) {});
    if (count == kBadText)
      return fail(
          i, is_closed_string(c_, i) ? DiagnosticCode::BadText : DiagnosticCode::UnclosedString);
    const bool slice = is_slice(c_, place_.type);
    const bool fits = (slice || has_form(c_, place_.type, TypeForm::List)) &&
                      held_type(c_, place_.type) == type_of(Scalar::U8) &&
                      (slice || count <= container_of(c_, place_.type).count);
    if (!fits) mismatch(i);
  }
  HD void range(Index i, bool inclusive) {
    const Index low = c_.left[i], high = c_.right[i];
    if (node_context(c_, low) == Context::Skipped || node_context(c_, high) == Context::Skipped)
      return;
    const u64 from = literal(low), to = literal(high);
    c_.cell[low] = from;
    c_.cell[high] = to;
    if (c_.error[low] != 0 || c_.error[high] != 0 || !is_scalar(place_.type)) return;
    const u64 first = ordered(as_scalar(place_.type), from),
              last = ordered(as_scalar(place_.type), to);
    if (first > last || (first == last && !inclusive)) fail(i, DiagnosticCode::EmptyRange);
  }
  // The value of a literal, which may have a `-` before it.
  HD u64 literal(Index i) {
    const bool negative = node_kind(c_, i) == Node::Neg;
    const Index number = negative ? Index{c_.right[i]} : i;
    if (number == kNone || node_context(c_, number) == Context::Skipped) return 0;
    const Scalar type = is_scalar(place_.type) ? as_scalar(place_.type) : Scalar::None;
    const u8* const text = node_text(c_, number);
    const u32 length = node_length(c_, number);
    Literal value;
    switch (node_kind(c_, number)) {
      case Node::Int:
      case Node::Float: {
        const Node kind = node_kind(c_, number);
        if (!is_float(type) && (kind == Node::Float || !is_integer(type))) break;
        value = number_literal(kind, text, length, type, negative);
        if (negative && !is_float(type) && !is_signed(type)) break;
        return said(number, value);
      }
      case Node::Char:
        if (type != Scalar::U8 || negative) break;
        return said(number, character_literal(text, length));
      case Node::True:
      case Node::False:
        if (type != Scalar::Bool || negative) break;
        return node_kind(c_, number) == Node::True;
      default: break;
    }
    mismatch(i);
    return 0;
  }
  HD u64 said(Index number, const Literal& value) {
    if (value.error != DiagnosticCode::None) fail(number, value.error, type_brief(c_, place_.type));
    return value.cell;
  }

  G& g_;
  Columns& c_;
  Index root_;
  TypeId type_;
  PatternPlace place_;
  bool sound_ = true;
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

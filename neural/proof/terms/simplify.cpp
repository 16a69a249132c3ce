// SPDX-License-Identifier: Apache-2.0
// How terms are simplified as they are made: constants are computed, neutral operands go, what is known twice is known
// once. No rule makes more than a few terms. A rule that holds by arithmetic at large is the solver's business.
#include <utility>

#include "neural/proof/terms/terms.h"

namespace komuz::neural {
namespace {

// How far a rule looks into a chain of one operation.
constexpr u32 kLook = 4;

bool is_power_of_two(u64 x) { return x != 0 && (x & (x - 1)) == 0; }

}  // namespace

bool Terms::is_known(Term t, u64& value) const {
  value = rows_[t].value;
  return is_constant(t);
}

bool Terms::is_opposite(Term a, Term b) const {
  return (rows_[a].op == TermOp::Not && rows_[a].a == b) ||
         (rows_[b].op == TermOp::Not && rows_[b].a == a);
}

bool Terms::has_part(TermOp op, Term whole, Term part, u32 depth) const {
  if (whole == part) return true;
  const TermRow& r = rows_[whole];
  if (r.op != op || depth == 0) return false;
  return has_part(op, r.a, part, depth - 1) || has_part(op, r.b, part, depth - 1);
}

Term Terms::simplified(TermOp op, u32 width, Term a, Term b, Term c) {
  u64 x = 0, y = 0;
  if (op == TermOp::Select) return simplified_select(width, a, b, c);
  if (is_known(a, x) && (b == kNoTerm || is_known(b, y)))
    return constant(width, term_value(op, width, rows_[a].width, x, y));
  switch (op) {
    case TermOp::None:
    case TermOp::Constant:
    case TermOp::Variable:
    case TermOp::Function:
    case TermOp::Select: return kNoTerm;
    case TermOp::Not: return rows_[a].op == TermOp::Not ? rows_[a].a : kNoTerm;
    case TermOp::And:
    case TermOp::Or:
      return width == 1 ? simplified_bool(op, a, b) : simplified_bits(op, width, a, b);
    case TermOp::Xor: return simplified_bits(op, width, a, b);
    case TermOp::Add:
    case TermOp::Subtract: return simplified_sum(op, width, a, b);
    case TermOp::Multiply: return simplified_product(width, a, b);
    case TermOp::DivideUnsigned:
      if (!is_known(b, y)) return kNoTerm;
      if (is_power_of_two(y))
        return make(TermOp::ShiftRight, width, a, constant(width, __builtin_ctzll(y)));
      return kNoTerm;
    case TermOp::DivideSigned: return simplified_quotient(width, a, b);
    case TermOp::ShiftLeft:
    case TermOp::ShiftRight:
    case TermOp::ShiftRightSigned:
      if (is_known(b, y) && y == 0) return a;
      if (is_known(b, y) && y >= width && op != TermOp::ShiftRightSigned) return constant(width, 0);
      if (is_known(a, x) && x == 0) return a;
      return kNoTerm;
    case TermOp::Equal: return simplified_equal(a, b);
    case TermOp::LessUnsigned:
    case TermOp::LessSigned: return simplified_order(op, a, b);
    case TermOp::OverflowsUnsigned:
    case TermOp::OverflowsSigned: return simplified_overflow(op, a, b);
    case TermOp::Truncate:
    case TermOp::ExtendZero:
    case TermOp::ExtendSign: return simplified_resize(op, width, a);
  }
  return kNoTerm;
}

Term Terms::simplified_bool(TermOp op, Term a, Term b) {
  // The rules for And; those for Or are the same with both truths exchanged.
  const bool is_and = op == TermOp::And;
  const TermOp other = is_and ? TermOp::Or : TermOp::And;
  const Term neutral = truth(is_and), last = truth(!is_and);
  if (a == last || b == last) return last;
  if (a == neutral) return b;
  if (b == neutral || a == b) return a;
  if (is_opposite(a, b)) return last;
  for (u32 turn = 0; turn < 2; ++turn, std::swap(a, b)) {
    if (has_part(op, b, a, kLook)) return b;
    const Term opposite = rows_[a].op == TermOp::Not ? rows_[a].a : kNoTerm;
    if (opposite != kNoTerm && has_part(op, b, opposite, kLook)) return last;
    if (has_part(other, b, a, kLook)) return a;
    const TermRow r = rows_[b];
    // a and (x or y): x is the opposite of a, or is so but for a part.
    if (r.op == other) {
      if (is_opposite(a, r.a)) return make(op, 1, a, r.b);
      if (is_opposite(a, r.b)) return make(op, 1, a, r.a);
      for (u32 side = 0; side < 2; ++side) {
        const Term part = side == 0 ? r.a : r.b, rest = side == 0 ? r.b : r.a;
        if (rows_[part].op != TermOp::Not) continue;
        const TermRow inner = rows_[rows_[part].a];
        if (inner.op != op) continue;
        if (inner.a == a) return make(op, 1, a, make(other, 1, no(inner.b), rest));
        if (inner.b == a) return make(op, 1, a, make(other, 1, no(inner.a), rest));
      }
    }
    if (r.op == TermOp::Not && rows_[r.a].op == op) {
      // a and not (x and y), where a says that x holds
      const TermRow inner = rows_[r.a];
      if (inner.a == a) return make(op, 1, a, no(inner.b));
      if (inner.b == a) return make(op, 1, a, no(inner.a));
    }
    // a and not (x or y), where a is the opposite of x
    if (r.op == TermOp::Not && rows_[r.a].op == other) {
      const TermRow inner = rows_[r.a];
      if (is_opposite(a, inner.a)) return make(op, 1, a, no(inner.b));
      if (is_opposite(a, inner.b)) return make(op, 1, a, no(inner.a));
    }
  }
  if (rows_[a].op == TermOp::Not && rows_[b].op == TermOp::Not)
    return no(make(other, 1, rows_[a].a, rows_[b].a));
  return kNoTerm;
}

Term Terms::simplified_bits(TermOp op, u32 width, Term a, Term b) {
  if (is_constant(a)) std::swap(a, b);
  u64 y = 0, inner = 0;
  const u64 ones = low_bits(width);
  if (is_known(b, y)) {
    if (op == TermOp::And && y == 0) return b;
    if (op == TermOp::And && y == ones) return a;
    if (op == TermOp::Or && y == 0) return a;
    if (op == TermOp::Or && y == ones) return b;
    if (op == TermOp::Xor && y == 0) return a;
    if (op == TermOp::Xor && y == ones) return make(TermOp::Not, width, a);
    const TermRow r = rows_[a];
    // The low bits of what has others behind it, as references have.
    if (op == TermOp::And && r.op == TermOp::Or && is_power_of_two(y + 1)) {
      const TermRow high = rows_[r.a], other = rows_[r.b];
      const u64 places = __builtin_ctzll(y + 1);
      if (high.op == TermOp::ShiftLeft && is_known(high.b, inner) && inner >= places)
        return make(op, width, r.b, b);
      if (other.op == TermOp::ShiftLeft && is_known(other.b, inner) && inner >= places)
        return make(op, width, r.a, b);
    }
    if (r.op == op && is_known(r.b, inner))
      return make(op, width, r.a, constant(width, term_value(op, width, width, inner, y)));
  }
  if (a == b) return op == TermOp::Xor ? constant(width, 0) : a;
  if (is_opposite(a, b)) return constant(width, op == TermOp::And ? 0 : ones);
  // Bools as numbers.
  const TermRow l = rows_[a], r = rows_[b];
  u64 l1 = 0, l0 = 0, r1 = 0, r0 = 0;
  const bool is_choice = l.op == TermOp::Select && is_known(l.b, l1) && is_known(l.c, l0);
  if (is_choice && is_constant(b))
    return select(l.a, make(op, width, l.b, b), make(op, width, l.c, b));
  if (is_choice && width > 1 && r.op == TermOp::Select && is_known(r.b, r1) && is_known(r.c, r0) &&
      l1 == 1 && l0 == 0 && r1 == 1 && r0 == 0)
    return select(make(op, 1, l.a, r.a), l.b, l.c);
  return kNoTerm;
}

Term Terms::simplified_sum(TermOp op, u32 width, Term a, Term b) {
  u64 x = 0, y = 0;
  if (op == TermOp::Subtract) {
    if (a == b) return constant(width, 0);
    if (is_known(b, y)) return make(TermOp::Add, width, a, constant(width, u64{0} - y));
    const TermRow l = rows_[a], r = rows_[b];
    if (l.op == TermOp::Add && l.a == b) return l.b;
    if (l.op == TermOp::Add && l.b == b) return l.a;
    if (is_known(a, x) && x == 0 && r.op == TermOp::Subtract)
      return make(TermOp::Subtract, width, r.b, r.a);
    return kNoTerm;
  }
  if (is_constant(a)) std::swap(a, b);
  const TermRow l = rows_[a], r = rows_[b];
  if (is_known(b, y)) {
    if (y == 0) return a;
    if (l.op == TermOp::Add && is_known(l.b, x))
      return make(op, width, l.a, constant(width, x + y));
    u64 first = 0, second = 0;
    if (l.op == TermOp::Select && is_known(l.b, first) && is_known(l.c, second))
      return select(l.a, constant(width, first + y), constant(width, second + y));
    return kNoTerm;
  }
  if (a == b) return make(TermOp::Multiply, width, a, constant(width, 2));
  if (l.op == TermOp::Subtract && l.b == b) return l.a;
  if (r.op == TermOp::Subtract && r.b == a) return r.a;
  if (r.op == TermOp::Subtract && is_known(r.a, x) && x == 0)
    return make(TermOp::Subtract, width, a, r.b);
  if (l.op == TermOp::Subtract && is_known(l.a, x) && x == 0)
    return make(TermOp::Subtract, width, b, l.b);
  return kNoTerm;
}

Term Terms::simplified_product(u32 width, Term a, Term b) {
  if (is_constant(a)) std::swap(a, b);
  u64 y = 0, x = 0;
  if (!is_known(b, y)) return kNoTerm;
  if (y == 0) return b;
  if (y == 1) return a;
  if (y == low_bits(width)) return make(TermOp::Subtract, width, constant(width, 0), a);
  const TermRow l = rows_[a];
  if (l.op == TermOp::Multiply && is_known(l.b, x))
    return make(TermOp::Multiply, width, l.a, constant(width, x * y));
  return kNoTerm;
}

Term Terms::simplified_quotient(u32 width, Term a, Term b) {
  u64 y = 0;
  if (!is_known(b, y)) return kNoTerm;
  if (y == 1) return a;
  if (y == low_bits(width)) return make(TermOp::Subtract, width, constant(width, 0), a);
  if (!is_power_of_two(y) || y >> (width - 1) != 0) return kNoTerm;
  // Negative dividends are rounded up.
  const Term sign = make(TermOp::ShiftRightSigned, width, a, constant(width, width - 1));
  const Term bias = make(TermOp::And, width, sign, constant(width, y - 1));
  return make(TermOp::ShiftRightSigned, width, make(TermOp::Add, width, a, bias),
              constant(width, __builtin_ctzll(y)));
}

Term Terms::simplified_overflow(TermOp op, Term a, Term b) {
  if (is_constant(a)) std::swap(a, b);
  u64 y = 0;
  if (!is_known(b, y)) return kNoTerm;
  const u32 width = rows_[a].width;
  if (y == 0 || y == 1) return false_;
  if (op == TermOp::OverflowsUnsigned)
    return make(TermOp::LessUnsigned, 1, constant(width, low_bits(width) / y), a);
  const i64 factor = signed_bits(y, width);
  const i64 largest = static_cast<i64>(low_bits(width) >> 1), least = -largest - 1;
  if (factor == -1) return equal(a, constant(width, static_cast<u64>(least)));
  const i64 above = factor > 0 ? largest / factor : least / factor;
  const i64 below = factor > 0 ? least / factor : largest / factor;
  const Term high = make(TermOp::LessSigned, 1, constant(width, static_cast<u64>(above)), a);
  const Term low = make(TermOp::LessSigned, 1, a, constant(width, static_cast<u64>(below)));
  return either(high, low);
}

Term Terms::simplified_resize(TermOp op, u32 width, Term a) {
  const TermRow r = rows_[a];
  if (r.width == width) return a;
  if (r.op == TermOp::Select && is_constant(r.b) && is_constant(r.c))
    return select(r.a, make(op, width, r.b), make(op, width, r.c));
  if (op == TermOp::Truncate) {
    if (r.op == TermOp::Truncate) return make(op, width, r.a);
    if (r.op == TermOp::ExtendZero || r.op == TermOp::ExtendSign) {
      const u32 inner = rows_[r.a].width;
      return make(width <= inner ? TermOp::Truncate : r.op, width, r.a);
    }
    return kNoTerm;
  }
  // What was extended by zeros has no sign.
  if (r.op == TermOp::ExtendZero) return make(TermOp::ExtendZero, width, r.a);
  if (r.op == TermOp::ExtendSign && op == TermOp::ExtendSign) return make(op, width, r.a);
  return kNoTerm;
}

Term Terms::simplified_equal(Term a, Term b) {
  if (a == b) return true_;
  if (is_constant(a)) std::swap(a, b);
  const u32 width = rows_[a].width;
  const TermRow l = rows_[a], r = rows_[b];
  u64 y = 0, x = 0, z = 0;
  if (is_opposite(a, b)) return false_;
  if (!is_known(b, y)) {
    if (l.op == TermOp::Add && r.op == TermOp::Add && l.a == r.a && is_known(l.b, x) &&
        is_known(r.b, z))
      return truth(x == z);
    if (l.op == TermOp::Add && l.a == b && is_known(l.b, x)) return truth(x == 0);
    if (r.op == TermOp::Add && r.a == a && is_known(r.b, x)) return truth(x == 0);
    const bool same_size = l.op == r.op && rows_[l.a].width == rows_[r.a].width;
    if (same_size && (l.op == TermOp::ExtendZero || l.op == TermOp::ExtendSign))
      return equal(l.a, r.a);
    return kNoTerm;
  }
  if (width == 1) return y != 0 ? a : no(a);
  switch (l.op) {
    case TermOp::Add:
      if (is_known(l.b, x)) return equal(l.a, constant(width, y - x));
      break;
    case TermOp::Xor:
      if (is_known(l.b, x)) return equal(l.a, constant(width, y ^ x));
      break;
    case TermOp::Not: return equal(l.a, constant(width, ~y));
    case TermOp::Subtract:
      if (y == 0) return equal(l.a, l.b);
      break;
    case TermOp::ExtendZero:
    case TermOp::ExtendSign: {
      const u32 inner = rows_[l.a].width;
      const u64 back = term_value(l.op, width, inner, y & low_bits(inner), 0);
      return back == y ? equal(l.a, constant(inner, y)) : false_;
    }
    case TermOp::Select:
      // Not both: chains of choices would be walked to their ends.
      if (is_known(l.b, x) && is_known(l.c, z))
        return x == y ? (z == y ? true_ : l.a) : (z == y ? no(l.a) : false_);
      break;
    default: break;
  }
  return kNoTerm;
}

Term Terms::simplified_order(TermOp op, Term a, Term b) {
  if (a == b) return false_;
  const bool is_signed = op == TermOp::LessSigned;
  const u32 width = rows_[a].width;
  const u64 least = is_signed ? u64{1} << (width - 1) : 0;
  const u64 largest = is_signed ? low_bits(width) >> 1 : low_bits(width);
  u64 x = 0, y = 0, z = 0;
  const TermRow l = rows_[a], r = rows_[b];
  if (is_known(b, y)) {
    if (y == least) return false_;
    if (y == largest) return no(equal(a, b));
    if (!is_signed && y == 1) return equal(a, constant(width, 0));
    if (l.op == TermOp::Select && is_known(l.b, x) && is_known(l.c, z))
      return select(l.a, make(op, 1, l.b, b), make(op, 1, l.c, b));
  }
  if (is_known(a, x)) {
    if (x == largest) return false_;
    if (x == least) return no(equal(a, b));
    if (r.op == TermOp::Select && is_known(r.b, y) && is_known(r.c, z))
      return select(r.a, make(op, 1, a, r.b), make(op, 1, a, r.c));
    // A known operand stands behind.
    return no(make(op, 1, b, constant(width, x + 1)));
  }
  // What both were extended from.
  const auto inner_of = [&](Term t, TermOp extended, u32& bits) {
    if (rows_[t].op != extended) return false;
    bits = rows_[rows_[t].a].width;
    return true;
  };
  for (const TermOp extended : {TermOp::ExtendZero, TermOp::ExtendSign}) {
    u32 bits = 0, other = 0;
    const bool left = inner_of(a, extended, bits), right = inner_of(b, extended, other);
    if (!left && !right) continue;
    const TermOp inner = extended == TermOp::ExtendZero ? TermOp::LessUnsigned : TermOp::LessSigned;
    if (extended == TermOp::ExtendSign && !is_signed) continue;
    if (left && right) {
      if (bits == other) return make(inner, 1, l.a, r.a);
      continue;
    }
    const Term number = left ? b : a;
    if (!is_known(number, y)) continue;
    const u32 from = left ? bits : other;
    const u64 narrow = y & low_bits(from);
    if (term_value(extended, width, from, narrow, 0) == y)
      return left ? make(inner, 1, l.a, constant(from, narrow))
                  : make(inner, 1, constant(from, narrow), r.a);
    // Beyond all that the narrower one can be.
    const bool is_above = !is_signed || signed_bits(y, width) > 0;
    return truth(is_above == left);
  }
  return kNoTerm;
}

Term Terms::simplified_select(u32 width, Term when, Term a, Term b) {
  if (when == true_ || a == b) return a;
  if (when == false_) return b;
  if (rows_[when].op == TermOp::Not) return make(TermOp::Select, width, rows_[when].a, b, a);
  if (width == 1) {
    if (a == true_ || a == when) return either(when, b);
    if (a == false_) return both(no(when), b);
    if (b == true_) return either(no(when), a);
    if (b == false_ || b == when) return both(when, a);
    if (is_opposite(a, b)) return equal(when, a);
  }
  const TermRow l = rows_[a], r = rows_[b];
  if (l.op == TermOp::Select && l.a == when) return make(TermOp::Select, width, when, l.b, b);
  if (r.op == TermOp::Select && r.a == when) return make(TermOp::Select, width, when, a, r.c);
  if (r.op == TermOp::Select && r.b == a)
    return make(TermOp::Select, width, either(when, r.a), a, r.c);
  if (r.op == TermOp::Select && r.c == a)
    return make(TermOp::Select, width, both(no(when), r.a), r.b, a);
  if (l.op == TermOp::Select && l.c == b)
    return make(TermOp::Select, width, both(when, l.a), l.b, b);
  if (l.op == TermOp::Select && l.b == b)
    return make(TermOp::Select, width, both(when, no(l.a)), l.c, b);
  // What both have added to one term.
  u64 x = 0, y = 0;
  const bool left = l.op == TermOp::Add && is_known(l.b, x);
  const bool right = r.op == TermOp::Add && is_known(r.b, y);
  if (left && right && l.a == r.a)
    return make(TermOp::Add, width, l.a, make(TermOp::Select, width, when, l.b, r.b));
  if (left && l.a == b)
    return make(TermOp::Add, width, b, make(TermOp::Select, width, when, l.b, constant(width, 0)));
  if (right && r.a == a)
    return make(TermOp::Add, width, a, make(TermOp::Select, width, when, constant(width, 0), r.b));
  // x where it is y, else y; and the other way round.
  const TermRow c = rows_[when];
  if (c.op == TermOp::Equal && ((c.a == a && c.b == b) || (c.a == b && c.b == a))) return b;
  return kNoTerm;
}

}  // namespace komuz::neural

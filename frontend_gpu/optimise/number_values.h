// SPDX-License-Identifier: Apache-2.0
// Numbers values, so that equal ones are found (optimise.h). This pass visits every operation when its operands are
// known, so it also folds and reduces them.
#pragma once
#include "frontend_gpu/columns/absent.h"
#include "frontend_gpu/optimise/number_row.h"
#include "frontend_gpu/optimise/scalar_operation.h"
#include "frontend_gpu/questions/evaluate.h"
#include "frontend_gpu/questions/powers.h"
#include "frontend_gpu/tree/lists.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// What is known of a variable, kept in bind_slot: variables have no slots yet.
inline constexpr u32 kChangingVariable = 1, kKnownVariable = 2;

// All bits or none.
HD u32 all_bits(bool condition) { return 0 - static_cast<u32>(condition); }
// The number of a value that follows from the numbers of two operands, the value of a literal, or the variable of a
// name. It is a hash of all that the value follows from, and odd; 0 is no number: the value may differ from one time
// to the next.
HD u32 number_of(const Columns& c, Index i, u64 key) {
  const u64 what = c.kind[i] | u64{c.type[i]} << 8;
  return static_cast<u32>(
             fold_multiply(what ^ 0xA076'1D64'78BD'642Fu, key ^ 0xE703'7ED1'A0B4'28DBu)) |
         1;
}

// Numbers leaves side by side: literals, whose values are known, and names of variables. A variable whose value turns
// out to be known is looked at once more, by the node above it (NumberValue::refresh).
struct NumberLeaf {
  Columns& c;

  HD void literal(Index i) const {
    const u32 counts = all_bits(((c.tails[i] & ~kLazyLeft) == 0) & is_scalar(c.type[i]));
    c.number[i] = number_of(c, i, kNoOperands ^ c.cell[i]) & counts;
    marks_of(c, i) = (kKnownValue | u32{neutral_bits_of(c, i)}) & counts;
  }
  HD void name(Index i) const {
    const u32 local = number_row(c.role[i]).local;
    const Index ref = c.ref[i] & local;
    const bool stays = (c.bind_slot[ref] & kChangingVariable) == 0;
    c.number[i] =
        number_of(c, i, kNoOperands ^ ref) & local & all_bits(stays & is_scalar(c.type[i]));
    marks_of(c, i) = 0;
  }

 private:
  static constexpr u64 kNoOperands = u64{1} << 32 | 1;  // the numbers of absent operands
};

// Gives a node with operands its number, after folding or reducing it if its operands allow that.
template <class G>
struct NumberValue {
  G& g;
  Columns& c;
  u32 asserted;  // NumberRow::kAssertions if there are some

  HD void operator()(Index i) const {
    // Another lane may be about to raise the flag; but this node has waited for its variables.
    if (!G::kSerial || c.flags[kKnownVariables] != 0) {
      refresh(c.left[i]);
      refresh(c.right[i]);
    }
    const NumberRow& row = number_row(c.role[i]);
    // Only rare cases are branches here. An absent operand is known and has a number.
    const Index left = or_absent(c, c.left[i] | row.no_left);
    const Index right = or_absent(c, c.right[i] | row.no_right);
    const u32 a = c.number[left], b = c.number[right];
    const u32 of_left = marks_of(c, left), of_right = marks_of(c, right);
    const u32 neutral = (of_left & row.neutral_left) | (of_right & row.neutral_right);
    static_assert((Neutral::kAny & (2 * kStandsForParts - 1)) == 0);
    static_assert(kKnownValue == NumberRow::kLeft && NumberRow::kRight == 2 * kKnownValue);
    const u32 found = (of_left & kKnownValue) + 2 * (of_right & kKnownValue) + asserted;
    const u32 look = row.unusual_if >> found & 1;
    if ((look | neutral) != 0) return unusual(i);
    const u32 scalar = mask(is_scalar(c.type[i]));
    const u32 operates = row.operation & is_numbered(a & b);
    const u32 own = number_of(i, u64{a} << 32 | b) & operates;
    const u32 number = (own | (b & row.group)) & scalar;
    finish(i, number, operates & mask(is_expensive(i, row)), 0);
  }

  // The name of a variable becomes its value, if that is known by now.
  HD void refresh(Index i) const {
    // Only what is rare is a branch here. An absent operand is no name.
    const Index at = or_absent(c, i);
    const u32 local = number_row(c.role[at]).local;
    const Index ref = g.where(local, [&] { return Index{c.ref[at]}; });
    const u32 variable = g.where(local, [&] { return u32{c.bind_slot[ref]}; });
    if ((variable & kKnownVariable) != 0 && (marks_of(c, at) & kChanged) == 0)
      use_known_variable(at);
  }

 private:
  HD static u32 mask(bool condition) { return all_bits(condition); }
  // All bits or none. A number is odd (number_of), or 0.
  HD static u32 is_numbered(u32 number) { return 0 - (number & 1); }
  HD u32 number_of(Index i, u64 key) const { return KOMUZ_PASSES::number_of(c, i, key); }
  HD bool is_expensive(Index i, const NumberRow& row) const {
    return c.end[i] - c.begin[i] >= row.expensive_nodes;
  }
  // An operation may have become a cheaper one than its role says.
  HD u32 is_expensive_now(Index i) const {
    return mask(is_expensive(i, number_row(role_of(node_kind(c, i)))));
  }
  // `expensive`: all bits or none. `known`: kKnownValue and the bits of Neutral, or 0 if the value is not known.
  HD void finish(Index i, u32 number, u32 expensive, u32 known) const {
    const u32 may = expensive & is_numbered(number);
    c.number[i] = number;
    marks_of(c, i) = (may & kMayBeShared) | known;
  }

  // Takes calls, comparisons, bindings, and operations with known operands.
  HD_COLD void unusual(Index i) const {
    c.number[i] = 0;
    marks_of(c, i) = 0;
    if (c.role[i] == Role::Binding) return know_variable(i);
    if (c.role[i] == Role::Group) return know_group(i);
    const NodeClass node_class = node_row(node_kind(c, i)).node_class;
    if (node_class == NodeClass::Lazy) return decide(i);
    if (node_class == NodeClass::Compare && is_asserted(c, i))
      return;  // left as it is, as it shows its values where it fails
    if (!is_own_operation(c, i)) return;
    if (is_product(c, i)) return number_product(i);
    const ScalarOperation operation = scalar_operation(c, i);
    const u32 n = operation.operands;
    if (n == 0) return;
    if (node_row(node_kind(c, i)).op == Op::Neg && is_negated(c, i + 1))
      return become_value(i, c.cell[i + 1]);
    bool known = true;
    for (u32 k = 0; k < n; ++k) known = known && is_known_now(operand_of(c, i, k, n));
    if (known && try_fold(i, operation)) return;
    if (n == 2 && become_operand(i)) return;
    if (n == 2 && is_known_now(operand_of(c, i, 1, 2))) reduce(i, operation.instruction.type);
    const u32 changed = marks_of(c, i) & kChanged;
    const bool is_call = node_kind(c, i) == Node::Call;
    finish(i, number(i, n),
           is_expensive_now(i) | mask(is_call && takes_long(operation.instruction.op)), 0);
    marks_of(c, i) = marks_of(c, i) | changed;
  }
  HD bool is_known_now(Index i) const { return (marks_of(c, i) & kKnownValue) != 0; }
  HD void become_value(Index i, u64 cell) const {
    c.cell[i] = cell;
    c.number[i] = number_of(i, cell);
    marks_of(c, i) = kKnownValue | kChanged | neutral_bits(as_scalar(c.type[i]), cell);
    g.raise(c.flags[kFolded]);
  }
  // Parentheses around a known value, or around nothing.
  HD void know_group(Index i) const {
    if (c.right[i] == kNone) return;
    c.cell[i] = c.cell[c.right[i]];
    finish(i, c.number[c.right[i]], 0, marks_of(c, c.right[i]) & (kKnownValue | Neutral::kAny));
  }
  // The `=` of a statement whose value is known.
  HD_COLD void know_variable(Index assign) const {
    const Index name = name_bound_by(c, assign), value = value_of(assign);
    if (name == kNone || !is_known_now(value) || !is_scalar(c.type[value])) return;
    const Index b = c.ref[name];
    if (b >= kBuiltinRef || c.bind_kind[b] != BindKind::Let) return;
    c.bind_slot[b] = kKnownVariable;
    g.raise(c.flags[kKnownVariables]);
  }
  HD Index value_of(Index assign) const { return inside_parentheses(c, c.right[assign]); }
  // A `match` looks at the variable itself, because names of its patterns may have the variable's slots.
  HD_COLD void use_known_variable(Index i) const {
    const Index above = parent_of(c, i);
    if (above != kNone && node_kind(c, above) == Node::Match)
      return finish(i, number_of(i, c.ref[i]), 0, 0);
    become_value(i, c.cell[value_of(assign_of(c, c.ref[i]))]);
  }
  HD bool try_fold(Index i, const ScalarOperation& operation) const {
    u64 operands[3] = {};
    for (u32 k = 0; k < operation.operands; ++k)
      operands[k] = c.cell[operand_of(c, i, k, operation.operands)];
    const EvaluatedCell result = evaluate_operation(operation.instruction, operands);
    if (result.trap != Trap::None) return false;
    become_value(i, result.value);
    return true;
  }

  HD void number_product(Index i) const {
    const Index factor = operand_of(c, i, 0, 2);
    const u32 factors = written_factors(c, i), of_factor = c.number[factor];
    const Scalar type = as_scalar(c.type[i]);
    if (is_known_now(factor)) return become_value(i, product(c.cell[factor], factors, type));
    // A product of few nodes takes no longer than keeping its value.
    const bool is_expensive = c.end[i] - c.begin[i] >= kExpensiveNodes;
    finish(i, of_factor == 0 ? 0 : number_of(i, u64{of_factor} << 32 | factors), mask(is_expensive),
           0);
  }
  HD static u64 product(u64 factor, u32 factors, Scalar type) {
    u64 operands[2] = {factor, factor};
    for (u32 k = 1; k < factors; ++k)
      operands[0] = evaluate_operation({Op::Mul, type, 0, 0}, operands).value;
    return operands[0];
  }

  // `x * 1`, `x - 0.0`, `0 + x` become x.
  HD bool become_operand(Index i) const {
    const NumberRow& row = number_row(c.role[i]);
    if ((row.neutral_left | row.neutral_right) == 0) return false;
    const Index left = c.left[i], right = c.right[i];
    if ((marks_of(c, right) & row.neutral_right) != 0) return leave_out(i, right, left);
    return (marks_of(c, left) & row.neutral_left) != 0 && leave_out(i, left, right);
  }
  HD bool leave_out(Index i, Index operand, Index other) const {
    marks_of(c, operand) = marks_of(c, operand) | kLeftOut;
    c.number[i] = c.number[other];
    marks_of(c, i) = kChanged | kIsOperand;
    g.raise(c.flags[kFolded]);
    return true;
  }
  // Handles `true && x` and `x || false`. `false && x` stays: x, which would make no code then, may be anything.
  HD_COLD void decide(Index i) const {
    if (asserted != 0 && is_asserted(c, i)) return;
    const Index left = c.left[i], right = c.right[i];
    const bool is_and = node_kind(c, i) == Node::AndThen;
    const u64 neutral = is_and ? 1 : 0;
    if (is_known_now(left) && is_known_now(right))
      return become_value(i, is_and ? c.cell[left] & c.cell[right] : c.cell[left] | c.cell[right]);
    const Index known = is_known_now(left) ? left : right;
    if (c.cell[known] != neutral) return;
    c.tails[left] = static_cast<u8>(c.tails[left] & ~kLazyLeft);
    leave_out(i, known, known == left ? right : left);
  }

  // Replaces an operation whose right operand is known.
  HD void reduce(Index i, Scalar type) const {
    const Node kind = node_kind(c, i);
    const Index right = operand_of(c, i, 1, 2);
    const u64 cell = c.cell[right];
    if (kind == Node::Eq || kind == Node::Ne)
      return reduce_remainder(operand_of(c, i, 0, 2), right, type);
    if (kind != Node::Div && kind != Node::Rem) return;
    if (is_float(type)) {
      if (kind == Node::Div) divide_by_power(i, right, type);
      return;
    }
    if (is_signed(type) || !std::has_single_bit(cell)) return;
    if (kind == Node::Div)
      become(i, Node::Shr, right, static_cast<u64>(std::countr_zero(cell)));
    else
      become(i, Node::BitAnd, right, cell - 1);
  }
  // Divides by a power of two whose reciprocal is a power of two, too, and no subnormal number.
  HD void divide_by_power(Index i, Index right, Scalar type) const {
    const u32 mantissa = type == Scalar::F64 ? 52 : 23, bias = type == Scalar::F64 ? 1023 : 127;
    const u64 cell = c.cell[right], sign = u64{1} << (scalar_bits(type) - 1);
    const u64 exponent = (cell & (sign - 1)) >> mantissa;
    const bool power = (cell & ((u64{1} << mantissa) - 1)) == 0;
    if (!power || exponent == 0 || exponent >= 2 * bias) return;
    become(i, Node::Mul, right, (cell & sign) | (2 * bias - exponent) << mantissa);
  }
  // `x % 4 == 1`: the low bits and the sign of a signed x decide it.
  HD void reduce_remainder(Index remainder, Index compared, Scalar type) const {
    if (node_kind(c, remainder) != Node::Rem || !is_own_operation(c, remainder)) return;
    if ((marks_of(c, remainder) & kChanged) != 0) return;
    if (!is_signed(type) || c.tails[remainder] != 0) return;
    const Index by = operand_of(c, remainder, 1, 2);
    if (!is_known_now(by) || !std::has_single_bit(u64{c.cell[by]})) return;
    const u64 divisor = c.cell[by], wanted = c.cell[compared];
    if (wanted >= divisor) return;
    const u64 sign = ~u64{0} << (scalar_bits(type) - 1);
    become(remainder, Node::BitAnd, by, wanted == 0 ? divisor - 1 : sign | (divisor - 1));
    finish(remainder, number(remainder, 2), is_expensive_now(remainder), 0);
    marks_of(c, remainder) = marks_of(c, remainder) | kChanged;
  }
  HD void become(Index i, Node kind, Index right, u64 cell) const {
    c.kind[i] = static_cast<u8>(kind);
    marks_of(c, i) = kChanged;
    c.cell[right] = cell;
    c.number[right] = number_of(right, cell);
    marks_of(c, right) = kKnownValue | kChanged;
    g.raise(c.flags[kFolded]);
  }
  HD u32 number(Index i, u32 n) const {
    u64 key = node_kind(c, i) == Node::Call ? u64{c.ref[call_name(c, i)]} : 0;
    for (u32 k = 0; k < n; ++k) {
      const u32 operand = c.number[operand_of(c, i, k, n)];
      if (operand == 0) return 0;
      key = number_of(i, key << 32 | operand);
    }
    return static_cast<u32>(key);
  }
};

// An operation waits for its operands; for the name of a variable, it waits for the value to which that is bound. The
// kinds of other nodes may change meanwhile.
struct NeedsValues {
  const Columns& c;
  HD Needs operator()(Index i) const {
    return {{operand(c.left[i]), operand(c.right[i]), kNoElement}};
  }

 private:
  HD Index operand(Index i) const {
    if (i == kNone) return kNoElement;
    if (c.role[i] == Role::Local) return bound(i);
    return visits_of(c.role[i]) == 0 ? i : kNoElement;
  }
  HD Index bound(Index i) const {
    const Index ref = c.ref[i];
    if (ref >= kBuiltinRef || c.bind_kind[ref] != BindKind::Let) return kNoElement;
    const Index assign = assign_of(c, ref);
    return assign == kNone ? kNoElement : assign;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES

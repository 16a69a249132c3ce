// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/terms/terms.h"

#include <algorithm>

#include "lang/cases.h"

namespace komuz::neural {
namespace {

constexpr size_t kFirstTable = 1024;  // a power of two

u64 mixed(u64 hash, u64 word) { return (hash ^ word) * 0x9E37'79B9'7F4A'7C15u + (hash >> 29); }

u64 hash_of(const TermRow& row, std::span<const Term> arguments) {
  u64 hash = mixed(static_cast<u64>(row.op) << 8 | row.width, row.number);
  if (row.op == TermOp::Function) {
    for (const Term t : arguments) hash = mixed(hash, t);
  } else {
    hash = mixed(mixed(mixed(hash, row.a), row.b), row.c);
  }
  return mixed(hash, row.value);
}

// A float of that many bits is a NaN, but not the canonical one.
bool is_odd_nan(u32 width, u64 bits) {
  if (width == 32) return (bits & 0x7FFF'FFFFu) > 0x7F80'0000u && bits != kCanonicalNan32;
  return width == 64 && (bits & (~u64{0} >> 1)) > 0x7FF0'0000'0000'0000u && bits != kCanonicalNan64;
}

// Operations on floats whose first two operands may change places, to the bit: all NaNs become the canonical one.
bool is_commutative(Instruction meaning) {
  return meaning.op == Op::Add || meaning.op == Op::Mul || meaning.op == Op::Fma;
}

}  // namespace

Terms::Terms() {
  rows_.push_back({});
  table_.assign(kFirstTable, kNoTerm);
  false_ = constant(1, 0);
  true_ = constant(1, 1);
}

Term Terms::find(const TermRow& wanted, std::span<const Term> arguments) {
  const auto is_it = [&](const TermRow& r) {
    if (r.op != wanted.op || r.width != wanted.width || r.number != wanted.number ||
        r.value != wanted.value)
      return false;
    if (r.op != TermOp::Function) return r.a == wanted.a && r.b == wanted.b && r.c == wanted.c;
    return std::ranges::equal(std::span(arguments_).subspan(r.a, r.b), arguments);
  };
  if (rows_.size() * 2 > table_.size()) grow();
  const size_t mask = table_.size() - 1;
  size_t at = hash_of(wanted, arguments) & mask;
  while (table_[at] != kNoTerm && !is_it(rows_[table_[at]])) at = (at + 1) & mask;
  if (table_[at] != kNoTerm) return table_[at];
  TermRow row = wanted;
  if (row.op == TermOp::Function) {
    row.a = static_cast<Term>(arguments_.size());
    row.b = static_cast<u32>(arguments.size());
    arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  }
  const Term found = static_cast<Term>(rows_.size());
  rows_.push_back(row);
  table_[at] = found;
  return found;
}
Term Terms::row_of(const TermRow& row) { return find(row, {}); }

void Terms::grow() {
  std::vector<Term> larger(table_.size() * 2, kNoTerm);
  const size_t mask = larger.size() - 1;
  for (Term t = 1; t < rows_.size(); ++t) {
    const TermRow& r = rows_[t];
    if (r.op == TermOp::Variable) continue;
    const auto arguments =
        r.op == TermOp::Function ? std::span(arguments_).subspan(r.a, r.b) : std::span<Term>();
    size_t at = hash_of(r, arguments) & mask;
    while (larger[at] != kNoTerm) at = (at + 1) & mask;
    larger[at] = t;
  }
  table_.swap(larger);
}

Term Terms::constant(u32 width, u64 value) {
  TermRow row;
  row.op = TermOp::Constant;
  row.width = static_cast<u8>(width);
  row.value = value & low_bits(width);
  row.is_canonical = !is_odd_nan(width, row.value);
  return row_of(row);
}

Term Terms::variable(u32 width, bool is_canonical) {
  TermRow row;
  row.op = TermOp::Variable;
  row.width = static_cast<u8>(width);
  row.is_canonical = is_canonical;
  row.number = static_cast<u32>(variables_.size());
  variables_.push_back(static_cast<Term>(rows_.size()));
  rows_.push_back(row);
  return variables_.back();
}

Term Terms::function(const FunctionRow& meant, std::span<const Term> given) {
  std::vector<Term> arguments(given.begin(), given.end());
  if (meant.has_meaning()) {
    if (std::ranges::all_of(arguments, [&](Term t) { return is_constant(t); })) {
      std::vector<u64> values;
      for (const Term t : arguments) values.push_back(rows_[t].value);
      return constant(meant.width, function_value(meant, values));
    }
    if (const Term same = simplified_float(meant, arguments); same != kNoTerm) return same;
    if (is_commutative(meant.meaning) && arguments[0] > arguments[1])
      std::swap(arguments[0], arguments[1]);
  }
  const auto known = std::ranges::find(functions_, meant);
  TermRow row;
  row.op = TermOp::Function;
  row.width = meant.width;
  row.is_canonical = meant.is_canonical;
  row.number = static_cast<u32>(known - functions_.begin());
  if (known == functions_.end()) functions_.push_back(meant);
  return find(row, arguments);
}

Term Terms::as_canonical(Term t) {
  rows_[t].is_canonical = true;
  return t;
}

Term Terms::make(TermOp op, u32 width, Term a, Term b, Term c) {
  if (const Term found = simplified(op, width, a, b, c); found != kNoTerm) return found;
  const bool commutes = op == TermOp::And || op == TermOp::Or || op == TermOp::Xor ||
                        op == TermOp::Add || op == TermOp::Multiply || op == TermOp::Equal ||
                        op == TermOp::OverflowsSigned || op == TermOp::OverflowsUnsigned;
  // A constant stands behind.
  if (commutes && (is_constant(a) || (!is_constant(b) && a > b))) std::swap(a, b);
  TermRow row;
  row.op = op;
  row.width = static_cast<u8>(width);
  row.a = a;
  row.b = b;
  row.c = c;
  row.is_canonical = op == TermOp::Select && rows_[b].is_canonical && rows_[c].is_canonical;
  return row_of(row);
}

}  // namespace komuz::neural

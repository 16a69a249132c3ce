// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/made_constant.h"

#include <span>

#include "lang/ops/eval_cells.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

// Operations that make constants of constants, in the order in which they are tried.
constexpr Op kOfOne[] = {Op::Neg, Op::Not, Op::Convert, Op::Wrap, Op::Bits, Op::FromBits};
constexpr Op kOfTwo[] = {Op::Mul, Op::Div, Op::Add, Op::Sub,      Op::Shl,     Op::Shr,
                         Op::And, Op::Or,  Op::Xor, Op::MulWrap,  Op::AddWrap, Op::SubWrap,
                         Op::Rem, Op::Min, Op::Max, Op::DivFloor, Op::ModFloor};

struct Leaf {
  u8 word = 0;
  TypedCell value;
};

bool makes(Instruction i, const u64* operands, u64 cell) {
  const EvaluatedConstant made = evaluate_constants(i, operands);
  return !made.has_trapped && made.cell == cell;
}
bool takes(Op op, Scalar type) { return (op_row(op).types & type_bit(type)) != 0; }

// The operation on a constant of `type` and one of another type, which only shifts take. Of no type: it takes no such.
Instruction on_types(Op op, Scalar type, Scalar second) {
  const bool shifts = op_row(op).form == OpForm::Shift;
  if (shifts ? !is_integer(second) : second != type) return {op, Scalar::None, 0, 0};
  return {op, type, static_cast<u16>(shifts ? static_cast<u16>(second) : 0), 0};
}

// Three constants of the source, and one of its operations twice: x + a + b + c.
MadeConstant join_three(const TypedCell& constant, const Source& source,
                        std::span<const Leaf> leaves) {
  const Scalar type = constant.type;
  for (const Op op : kOfTwo) {
    const Instruction i = on_types(op, type, type);
    const u8 word = takes(op, type) ? operation_word(i) : kPad;
    if (!source.operations().has(word)) continue;
    for (const Leaf& a : leaves)
      for (const Leaf& b : leaves) {
        if (a.value.type != type || b.value.type != type) continue;
        const u64 cells[] = {a.value.cell, b.value.cell};
        const EvaluatedConstant both = evaluate_constants(i, cells);
        for (const Leaf& c : leaves) {
          const u64 next[] = {both.cell, c.value.cell};
          if (!both.has_trapped && c.value.type == type && makes(i, next, constant.cell))
            return {5, {a.word, b.word, word, c.word, word}, {type, type, type, type, type}};
        }
      }
  }
  return {};
}

}  // namespace

EvaluatedConstant evaluate_constants(Instruction operation, const u64* operands) {
  const EvaluatedCell made = eval_cells(operation, operands);
  return {made.value, made.trap != Trap::None};
}

MadeConstant make_constant(const TypedCell& constant, const Source& source) {
  const Scalar type = constant.type;
  if (const auto literal = literal_word(type, constant.cell)) return {1, {*literal}, {type}};
  Leaf leaves[kMostWords];
  u32 count = 0;
  for (u32 k = 0; k < source.constants().size(); ++k) {
    if (source.constants()[k] == constant) return {1, {word_of(WordKind::Constant, k)}, {type}};
    leaves[count++] = {word_of(WordKind::Constant, k), source.constants()[k]};
  }
  const u32 own = count;
  for (u32 w = word_of(WordKind::Literal); w < word_of(WordKind::Operation); ++w)
    leaves[count++] = {static_cast<u8>(w),
                       {word_row(static_cast<u8>(w)).type, word_row(static_cast<u8>(w)).cell}};

  for (const Op op : kOfOne) {
    if (!takes(op, type)) continue;
    const bool converts = op_row(op).form == OpForm::Convert;
    for (u32 a = 0; a < own; ++a) {
      const Scalar from = leaves[a].value.type;
      if (converts ? from == type || !(convertible_types(op, type) & type_bit(from)) : from != type)
        continue;
      const Instruction i{op, type, static_cast<u16>(converts ? static_cast<u16>(from) : 0), 0};
      if (makes(i, &leaves[a].value.cell, constant.cell))
        return {2, {leaves[a].word, operation_word(i)}, {from, type}};
    }
  }
  // By what the source does with its constants, as rules that join two of them do; then by anything.
  for (const bool is_known : {true, false})
    for (const Op op : kOfTwo)
      if (takes(op, type) && source.operations().has(operation_word({op, type, 0, 0})) == is_known)
        for (u32 a = 0; a < count; ++a) {
          if (leaves[a].value.type != type) continue;
          for (u32 b = 0; b < count; ++b) {
            const Instruction i = on_types(op, type, leaves[b].value.type);
            if (i.type == Scalar::None) continue;
            const u64 cells[] = {leaves[a].value.cell, leaves[b].value.cell};
            if (makes(i, cells, constant.cell))
              return {3,
                      {leaves[a].word, leaves[b].word, operation_word(i)},
                      {type, leaves[b].value.type, type}};
          }
        }
  return join_three(constant, source, {leaves, own});
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
#include "neural/corpus/skeleton.h"

#include <algorithm>

#include "base/hash.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

u64 mixed(u64 a, u64 b) {
  Hash128 hash;
  hash.add(a);
  hash.add(b);
  return hash.low;
}

}  // namespace

bool is_commutative(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Mul:
    case Op::AddWrap:
    case Op::MulWrap:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Min:
    case Op::Max:
    case Op::Hypot:
    case Op::Eq:
    case Op::Ne: return true;
    default: return false;
  }
}

Op mirrored(Op op) {
  switch (op) {
    case Op::Lt: return Op::Gt;
    case Op::Le: return Op::Ge;
    case Op::Gt: return Op::Lt;
    case Op::Ge: return Op::Le;
    default: return op;
  }
}

u64 skeleton_hash(const WordLine& source) {
  // A hash for each cell of the stack, as the words make them. What is stored and what arms are add to a hash of all that
  // is no cell, in order.
  u64 cells[kMostSourceWords + 1] = {}, around = 0;
  u32 height = 0;
  for (u32 at = 0; at < source.count; ++at) {
    const Word& row = word_row(source.words[at]);
    const u64 type = static_cast<u64>(source.types[at]);
    switch (row.kind) {
      case WordKind::Input: cells[height++] = mixed(1, type); break;
      case WordKind::Load: cells[height++] = mixed(2 + row.number, type); break;
      case WordKind::Constant:
      case WordKind::Literal: cells[height++] = mixed(64, type); break;
      case WordKind::Store: around = mixed(around, mixed(cells[--height], 80 + row.number)); break;
      case WordKind::Operation: {
        const u32 count = operand_count(op_row(row.op).form);
        height -= count;
        const Op mirror = mirrored(row.op);
        const bool turns = mirror != row.op && mirror < row.op;
        u64 operands[3] = {};
        std::copy_n(cells + height, count, operands);
        if (turns || (is_commutative(row.op) && operands[0] > operands[1]))
          std::swap(operands[0], operands[1]);
        u64 hash = mixed(128 + static_cast<u64>(turns ? mirror : row.op), type);
        for (u32 k = 0; k < count; ++k) hash = mixed(hash, operands[k]);
        cells[height++] = hash;
        break;
      }
      // The condition, the value of a first arm, and what is open: popped as the checker does.
      case WordKind::If:
      case WordKind::Else:
      case WordKind::And:
      case WordKind::Or: around = mixed(around, mixed(cells[--height], source.words[at])); break;
      case WordKind::EndIf:
      case WordKind::EndLazy:
        cells[height - 1] = mixed(mixed(around, cells[height - 1]), source.words[at]);
        break;
      default: break;
    }
  }
  return mixed(around, cells[0]);
}

u64 line_hash(const WordLine& source) {
  Hash128 hash;
  for (u32 at = 0; at < source.count; ++at)
    hash.add(u64{source.words[at]} << 8 | static_cast<u64>(source.types[at]));
  return hash.low;
}

}  // namespace komuz::neural

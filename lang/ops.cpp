// SPDX-License-Identifier: Apache-2.0
#include "lang/ops.h"

namespace komuz {
namespace {

using namespace type_set;

constexpr u16 trap_bit(Trap t) { return static_cast<u16>(1u << static_cast<u8>(t)); }

#define T(Name) trap_bit(Trap::Name)
constexpr OpRow kRows[kOpCount] = {
#define OP(Name, mnemonic, form, types, traps, meaning) \
  {mnemonic, OpForm::form, types, static_cast<u16>(traps), meaning},
#include "lang/ops.def"
};
#undef T

constexpr OpRow kNoRow = {"?", OpForm::Plain, kNone, 0, "no operation"};

}  // namespace

const OpRow& op_row(Op op) {
  const u32 number = static_cast<u8>(op);
  return number < kOpCount ? kRows[number] : kNoRow;
}

}  // namespace komuz

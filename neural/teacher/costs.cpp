// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/costs.h"

namespace komuz::neural {
namespace {

constexpr u32 kScalars = 9;  // with None

struct CostRow {
  u16 tenths[kScalars] = {};
};
// The conversions that have a figure for each type that they take.
constexpr u32 kConversions = 3;
constexpr u32 conversion(Op op) {
  switch (op) {
    case Op::Convert: return 0;
    case Op::Wrap: return 1;
    case Op::Exact: return 2;
    default: return kConversions;
  }
}
struct CostTable {
  CostRow rows[kOpCount];
  CostRow by_power;
  CostRow from[kConversions][kScalars];  // by the type that is converted
};
constexpr CostTable make_table() {
  CostTable table;
#define OTHER(...)
#define COST(Name, ...) table.rows[static_cast<u32>(Op::Name)] = {{0, __VA_ARGS__}};
#define BY_POWER(...) table.by_power = {{0, __VA_ARGS__}};
#define FROM(Name, Source, ...) \
  table.from[conversion(Op::Name)][static_cast<u32>(Scalar::Source)] = {{0, __VA_ARGS__}};
#include "neural/teacher/costs.def"
  return table;
}
constexpr CostTable kCosts = make_table();

// Each operation has a figure for each type that it takes, and for no other.
constexpr bool is_complete() {
  for (u32 op = 0; op < kOpCount; ++op)
    for (u32 type = 1; type < kScalars; ++type) {
      const OpRow& row = op_row(static_cast<Op>(op));
      const bool is_taken =
          is_pure_form(row.form) && (row.types & type_bit(static_cast<Scalar>(type))) != 0;
      if (is_taken != (kCosts.rows[op].tenths[type] != 0)) return false;
    }
  return true;
}
static_assert(is_complete());

}  // namespace

u32 cost_of_operation(Instruction i, const u64* second) {
  const bool is_short = second != nullptr && is_division_by_power(i, *second);
  const CostRow& row = is_short ? kCosts.by_power : kCosts.rows[static_cast<u32>(i.op)];
  u32 cost = row.tenths[static_cast<u32>(i.type)];
  // From a type to itself there is none, which has the mean.
  if (const u32 number = conversion(i.op); number < kConversions)
    if (const u32 from = kCosts.from[number][i.a % kScalars].tenths[static_cast<u32>(i.type)];
        from != 0)
      cost = from;
  return cost_of(OtherCost::Instruction) + cost;
}

u64 cost_of_code(const CodeView& code, u32 function) {
  const Function& f = code.functions[function];
  u64 sum = 0;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    const Instruction i = code.instructions[at];
    switch (i.op) {
      case Op::StoreVar: sum += cost_of(OtherCost::Instruction) + cost_of(OtherCost::Store); break;
      case Op::JumpIfFalse:
        sum += cost_of(OtherCost::Instruction) + cost_of(OtherCost::Branch);
        break;
      case Op::JumpIfFalseOrPop:
      case Op::JumpIfTrueOrPop:
        sum += cost_of(OtherCost::Instruction) + cost_of(OtherCost::Lazy);
        break;
      default: {
        if (!is_pure_form(op_row(i.op).form)) {
          sum += cost_of(OtherCost::Instruction);
          break;
        }
        const bool is_constant = at > f.code_begin && code.instructions[at - 1].op == Op::LoadConst;
        sum += cost_of_operation(
            i, is_constant ? &code.constants[code.instructions[at - 1].b] : nullptr);
      }
    }
  }
  return sum;
}

}  // namespace komuz::neural

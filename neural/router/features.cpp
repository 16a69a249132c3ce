// SPDX-License-Identifier: Apache-2.0
#include "neural/router/features.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>

namespace komuz::neural {
namespace {

// Stands for no instruction.
constexpr Instruction kNothing{Op::Return, Scalar::None, 0, 0};
// Functions above it are taken for unreached.
constexpr u32 kMostFunctionNumber = 1'024;

bool is_neutral(Scalar type, u64 cell) {
  if (type == Scalar::F64)
    return cell == 0 || cell == std::bit_cast<u64>(1.0) || cell == std::bit_cast<u64>(2.0) ||
           cell == std::bit_cast<u64>(-1.0);
  if (type == Scalar::F32) {
    const u32 bits = static_cast<u32>(cell);
    return bits == 0 || bits == std::bit_cast<u32>(1.0f) || bits == std::bit_cast<u32>(2.0f) ||
           bits == std::bit_cast<u32>(-1.0f);
  }
  return cell <= 2 || cell == ~u64{0};
}

// What a pure operation counts as.
constexpr Feature kind_of(Op op, Scalar type) {
  switch (op_row(op).form) {
    case OpForm::Convert: return Feature::Conversions;
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Near: return type == Scalar::Bool ? Feature::Bools : Feature::Comparisons;
    default: break;
  }
  switch (op) {
    case Op::Min:
    case Op::Max:
    case Op::Clamp:
    case Op::Sign: return Feature::Choices;
    case Op::CheckIndex: return Feature::Checks;
    default: break;
  }
  if (type == Scalar::Bool) return Feature::Bools;
  if (!is_integer(type)) switch (op) {
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
      case Op::Div:
      case Op::Div0:
      case Op::Neg:
      case Op::Abs:
      case Op::Fma:
      case Op::Aq: return Feature::Floats;
      default: return Feature::Functions;
    }
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg:
    case Op::Abs:
    case Op::Pow: return Feature::TrappingIntegers;
    case Op::Div:
    case Op::Rem:
    case Op::DivFloor:
    case Op::ModFloor:
    case Op::Div0: return Feature::Divisions;
    default: return Feature::WrappingIntegers;
  }
}

// The kinds of all, once: a look-up for each instruction.
constexpr u32 kTypes = 9;  // with None
struct KindTable {
  Feature kinds[kOpCount][kTypes] = {};
};
constexpr KindTable make_kinds() {
  KindTable table;
  for (u32 op = 0; op < kOpCount; ++op)
    for (u32 type = 0; type < kTypes; ++type)
      table.kinds[op][type] = kind_of(static_cast<Op>(op), static_cast<Scalar>(type));
  return table;
}
constexpr KindTable kKinds = make_kinds();

// Logarithms of small counts, which are nearly all.
constexpr u32 kLogs = 256;
f32 log_of(u32 count) {
  static const std::array<f32, kLogs> logs = [] {
    std::array<f32, kLogs> out;
    for (u32 k = 0; k < kLogs; ++k) out[k] = std::log1p(static_cast<f32>(k));
    return out;
  }();
  return count < kLogs ? logs[count] : std::log1p(static_cast<f32>(count));
}

class Counter {
 public:
  explicit Counter(const CodeView& code) : code_(code) {}

  RouterFeatures count(u32 entry) {
    reach(entry);
    for (u32 k = 0; k < reached_count_ && left_ > 0; ++k) read(code_.functions[reached_[k]]);
    RouterFeatures out;
    for (u32 k = 0; k < kFeatures; ++k) out.values[k] = log_of(counts_[k]);
    return out;
  }

 private:
  void add(Feature feature) { ++counts_[static_cast<u32>(feature)]; }
  void reach(u32 function) {
    if (function >= kMostFunctionNumber || is_reached_[function] ||
        reached_count_ == kMostRoutedFunctions)
      return;
    is_reached_.set(function);
    reached_[reached_count_++] = static_cast<u16>(function);
  }

  void read(const Function& f) {
    counts_[static_cast<u32>(Feature::Slots)] += f.slots;
    const u32 end = f.code_begin + std::min(left_, f.code_end - f.code_begin);
    left_ -= end - f.code_begin;
    loop_depth_ = stretch_ = 0;
    before_ = operation_before_ = kNothing;
    for (u32 at = f.code_begin; at < end; ++at) {
      const Instruction i = code_.instructions[at];
      add(Feature::Instructions);
      stretch_ = is_of_stretch(i) ? stretch_ + 1 : 0;
      u32& longest = counts_[static_cast<u32>(Feature::LongestStretch)];
      longest = std::max(longest, stretch_);
      if (is_pure_form(op_row(i.op).form))
        read_pure(i);
      else
        read_other(i);
    }
  }

  // As neural/windows has it, but for what a window must not touch.
  static bool is_of_stretch(Instruction i) {
    switch (op_row(i.op).form) {
      case OpForm::Const:
      case OpForm::Load:
      case OpForm::Store: return !is_reference(i.type);
      case OpForm::Branch:
      case OpForm::Jump:
      case OpForm::ShortCircuit: return true;
      default: return is_pure_form(op_row(i.op).form);
    }
  }

  void read_other(Instruction i) {
    switch (op_row(i.op).form) {
      case OpForm::Const:
      case OpForm::Hole:
        add(Feature::Constants);
        if (i.op == Op::LoadConst && is_neutral(i.type, code_.constants[i.b]))
          add(Feature::NeutralConstants);
        break;
      case OpForm::Load:
        if (before_.op == Op::LoadVar && before_.a == i.a) add(Feature::EqualOperands);
        if (before_.op == Op::StoreVar && before_.a == i.a) add(Feature::Reloads);
        break;
      case OpForm::Store: add(Feature::Stores); break;
      case OpForm::Branch: add(Feature::Branches); break;
      case OpForm::ShortCircuit: add(Feature::Lazy); break;
      case OpForm::Loop:
        add(Feature::Loops);
        ++loop_depth_;
        break;
      case OpForm::End: loop_depth_ -= loop_depth_ > 0 ? 1 : 0; break;
      case OpForm::Call:
        add(Feature::Calls);
        reach(i.a);
        break;
      case OpForm::Slot:
      case OpForm::Assert:
      case OpForm::Require: add(Feature::Checks); break;
      case OpForm::LoadSlots:
      case OpForm::StoreSlots:
      case OpForm::LoadAt:
      case OpForm::StoreAt:
      case OpForm::Ref:
      case OpForm::RefPart:
      case OpForm::LoadRef:
      case OpForm::Project:
      case OpForm::Copy:
      case OpForm::Repeat:
      case OpForm::Consts:
      case OpForm::EqCells: add(Feature::Elements); break;
      default: break;
    }
    if (i.op != Op::LoadConst) operation_before_ = kNothing;
    before_ = i;
  }

  void read_pure(Instruction i) {
    add(Feature::Computing);
    if (loop_depth_ > 0) add(Feature::InLoops);
    add(kKinds.kinds[static_cast<u32>(i.op)][static_cast<u32>(i.type) % kTypes]);
    if (before_.op == Op::LoadConst && operand_count(op_row(i.op).form) == 2) {
      add(Feature::ConstantOperands);
      if (operation_before_.op == i.op && operation_before_.type == i.type)
        add(Feature::ConstantChains);
    }
    if (operand_count(op_row(i.op).form) == 1 && is_pure_form(op_row(before_.op).form) &&
        operand_count(op_row(before_.op).form) == 1)
      add(Feature::DoubleUnary);
    operation_before_ = before_ = i;
  }

  const CodeView& code_;
  std::array<u32, kFeatures> counts_{};
  std::bitset<kMostFunctionNumber> is_reached_;
  std::array<u16, kMostRoutedFunctions> reached_;
  u32 reached_count_ = 0;
  u32 left_ = kMostRoutedInstructions;
  u32 loop_depth_ = 0, stretch_ = 0;
  Instruction before_ = kNothing;  // the one before
  Instruction operation_before_ =
      kNothing;  // the last operation, if nothing but constants came since
};

}  // namespace

RouterFeatures features_of(const CodeView& code, u32 function) {
  return Counter(code).count(function);
}

}  // namespace komuz::neural

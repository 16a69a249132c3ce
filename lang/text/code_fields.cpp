// SPDX-License-Identifier: Apache-2.0
#include "lang/text/code_fields.h"

namespace komuz {
namespace {

using enum CodeField;

constexpr CodeField kType[] = {Type};
constexpr CodeField kConstant[] = {Type, ConstantB};
constexpr CodeField kConstants[] = {Type, NumberA, ConstantB};
constexpr CodeField kVariable[] = {Type, NumberA};
constexpr CodeField kProject[] = {NumberA, HighAndLowB};
constexpr CodeField kNumbers[] = {NumberA, NumberB};
constexpr CodeField kTypeAndThree[] = {Type, NumberA, LowAndHighB};
constexpr CodeField kBranch[] = {NumberA, TargetB};
constexpr CodeField kTarget[] = {TargetB};
constexpr CodeField kTypeAndBoth[] = {Type, NumberA, NumberB};
constexpr CodeField kNumber[] = {NumberA};
constexpr CodeField kTrap[] = {TrapA};
constexpr CodeField kTwoTypes[] = {Type, TypeA};

}  // namespace

std::span<const CodeField> code_fields(OpForm form) {
  switch (form) {
    case OpForm::Const: return kConstant;
    case OpForm::Consts:
    case OpForm::Hole: return kConstants;
    case OpForm::Load:
    case OpForm::Store:
    case OpForm::LoadRef: return kVariable;
    case OpForm::LoadSlots:
    case OpForm::StoreSlots:
    case OpForm::Repeat: return kNumbers;
    case OpForm::Ref:
    case OpForm::Copy:
    case OpForm::ForNext: return kTypeAndBoth;
    case OpForm::LoadAt:
    case OpForm::StoreAt:
    case OpForm::EqCells: return kTypeAndThree;
    case OpForm::Project: return kProject;
    case OpForm::Branch:
    case OpForm::Jump: return kBranch;
    case OpForm::ShortCircuit:
    case OpForm::Loop:
    case OpForm::End: return kTarget;
    case OpForm::LoopExit:
    case OpForm::Slot:
    case OpForm::Call: return kNumber;
    case OpForm::BreakIf:
    case OpForm::Plain:
    case OpForm::Ticks:
    case OpForm::Return:
    case OpForm::Assert: return {};
    case OpForm::Require:
    case OpForm::TrapNow: return kTrap;
    case OpForm::Shift:
    case OpForm::Convert: return kTwoTypes;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::RefPart:
    case OpForm::Near: return kType;
  }
  return {};
}

std::string_view function_word(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::Function: return "fn";
    case FunctionKind::Test: return "test";
    case FunctionKind::Traps: return "traps";
    case FunctionKind::Example: return "example";
    case FunctionKind::Prop: return "prop";
    case FunctionKind::Ranges: return "ranges";
    case FunctionKind::Open: return "open";
  }
  return "";
}
std::optional<FunctionKind> function_kind(std::string_view word) {
  for (u8 kind = 0; kind <= static_cast<u8>(FunctionKind::Open); ++kind)
    if (function_word(static_cast<FunctionKind>(kind)) == word)
      return static_cast<FunctionKind>(kind);
  return std::nullopt;
}

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// What staged values (ir_values.h) are made of: functions that write one instruction, or a few, where the IrWriter of this
// thread stands. All that knows LLVM is behind them.
#pragma once
#include <span>
#include <type_traits>

#include "base/ints.h"
// Code that writes code gains nothing from being inlined, but takes the compiler minutes.
#undef HD
#define HD inline
#include "lang/ops/op_eval.h"

namespace llvm {
class BasicBlock;
class Value;
}  // namespace llvm

namespace komuz {
namespace backend::ir {

enum class Type : u8 { Bool, I8, I16, I32, I64, F32, F64 };

enum class Binary : u8 {
  Add,
  Subtract,
  Multiply,
  DivideSigned,
  DivideUnsigned,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRightSigned,
  ShiftRightUnsigned,
  AddFloat,
  SubtractFloat,
  MultiplyFloat,
  DivideFloat,
};
enum class Relation : u8 { Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual };
enum class Count : u8 { Ones, LeadingZeros, TrailingZeros };
enum class Checked : u8 { Add, Subtract, Multiply };

// An operation on integers with its overflow.
struct CheckedValue {
  llvm::Value* value;
  llvm::Value* overflow;
};

[[nodiscard]] llvm::Value* constant(Type type, u64 bits);
[[nodiscard]] llvm::Value* binary(Binary op, llvm::Value* a, llvm::Value* b);
[[nodiscard]] llvm::Value* relation(Relation r, bool is_signed, llvm::Value* a, llvm::Value* b);
[[nodiscard]] llvm::Value* negative(llvm::Value* x);  // of a float
[[nodiscard]] llvm::Value* select(llvm::Value* mask, llvm::Value* a, llvm::Value* b);
// As by static_cast between numbers.
[[nodiscard]] llvm::Value* converted(llvm::Value* x, bool is_signed, Type to, bool to_signed);
[[nodiscard]] llvm::Value* same_bits(llvm::Value* x, Type to);
[[nodiscard]] llvm::Value* square_root(llvm::Value* x);
[[nodiscard]] llvm::Value* fused(llvm::Value* a, llvm::Value* b, llvm::Value* c);
[[nodiscard]] llvm::Value* rounded(Rounding rounding, llvm::Value* x);
[[nodiscard]] llvm::Value* count(Count kind, llvm::Value* x);
[[nodiscard]] CheckedValue checked(Checked op, bool is_signed, llvm::Value* a, llvm::Value* b);
// A row of a constant table, which keeps its address.
[[nodiscard]] llvm::Value* look_up(std::span<const u64> table, llvm::Value* index);

// Does the target have instructions for fma, and for rounding to integral values?
[[nodiscard]] bool target_fuses();
[[nodiscard]] bool target_rounds();
// Is it known as code is written?
[[nodiscard]] bool is_constant(llvm::Value* x);
// An integer that is, extended by its sign; false if it is not known.
[[nodiscard]] bool known_integer(llvm::Value* x, i64& number);
// Is code for many cases at a time? Does the target have instructions between 64-bit integers and floats for them?
[[nodiscard]] bool in_lanes();
[[nodiscard]] bool target_converts();

// A branch that code may pass by. Between open and close the values of `changed` may be replaced.
class Step {
 public:
  Step(llvm::Value* mask, std::span<llvm::Value** const> changed);
  void close();

 private:
  std::span<llvm::Value** const> changed_;
  llvm::Value* before_[4];
  llvm::BasicBlock *from_, *end_;
};
// A loop: what is written first is the condition, then `test`, then the body.
class Loop {
 public:
  explicit Loop(std::span<llvm::Value** const> changed);
  void test(llvm::Value* mask);
  void close();

 private:
  std::span<llvm::Value** const> changed_;
  llvm::Value* phis_[4];
  llvm::BasicBlock *head_, *end_ = nullptr;
};
inline constexpr size_t kMostChanged = 4;

template <class T>
consteval Type type_of() {
  if (std::is_same_v<T, bool>) return Type::Bool;
  if (std::is_same_v<T, f32>) return Type::F32;
  if (std::is_same_v<T, f64>) return Type::F64;
  switch (sizeof(T)) {
    case 1: return Type::I8;
    case 2: return Type::I16;
    case 4: return Type::I32;
    default: return Type::I64;
  }
}
template <class T>
u64 bits_of(T x) {
  if constexpr (std::is_same_v<T, f32>)
    return __builtin_bit_cast(u32, x);
  else if constexpr (std::is_same_v<T, f64>)
    return __builtin_bit_cast(u64, x);
  else
    return static_cast<u64>(x);
}

}  // namespace backend::ir

}  // namespace komuz

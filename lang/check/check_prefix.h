// SPDX-License-Identifier: Apache-2.0
// Checks code while it is written: an instruction at a time, before the targets of its jumps are known. Regions close
// when whoever writes says so. The rules are those of FunctionChecker, which does the work; nothing here says what is
// sound.
//
// The state has no memory of its own, so it is copied like a number: a search keeps many beginnings of one function.
// It holds short functions alone; what does not fit is refused.
#pragma once
#include <type_traits>

#include "lang/check/check_function.h"

namespace komuz {

// A list inside of the object.
template <class T, u32 kCapacity>
class InlineRows {
 public:
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] static constexpr size_t capacity() { return kCapacity; }
  [[nodiscard]] T* data() { return rows_; }
  [[nodiscard]] const T* data() const { return rows_; }
  // gcc 12 sees loops of the checker up to any size, but not that they end before (-Wstringop-overflow): it is not told
  // what the place is in.
  [[nodiscard]] T& operator[](size_t at) {
    T* rows = rows_;
    asm("" : "+r"(rows));
    return rows[at];
  }
  [[nodiscard]] const T& operator[](size_t at) const { return rows_[at]; }
  [[nodiscard]] T& back() { return rows_[size_ - 1]; }
  [[nodiscard]] const T& back() const { return rows_[size_ - 1]; }

  void clear() { size_ = 0; }
  void pop_back() { --size_; }
  void push_back(const T& row) { rows_[size_++] = row; }
  void resize(size_t size) {
    while (size_ < size) push_back(T{});
    size_ = static_cast<u32>(size);
  }

 private:
  u32 size_ = 0;
  T rows_[kCapacity] = {};
};
template <class T, u32 kCapacity>
[[nodiscard]] bool has_room(const InlineRows<T, kCapacity>& rows, size_t more) {
  return rows.capacity() - rows.size() >= more;
}

struct Inline {
  // Lists of slots, of regions, and of cells (which the checker keeps a few more of), told apart by what they hold.
  template <class T>
  static constexpr u32 capacity() {
    if (std::is_same_v<T, Scalar>) return 80;
    if (std::is_same_v<T, CodeRegion>) return 36;
    return sizeof(T) >= sizeof(u32) ? 1 : 20;
  }
  template <class T>
  using List = InlineRows<T, capacity<T>()>;
};

template <>
class CheckWords<Inline> : public CheckWords<Bounded> {
 public:
  void note_stack(const CodeView&, const CallGraph<Inline>&, u32, u64, u32) {}
};

class PrefixChecker {
 public:
  using Program = FunctionChecker<Inline>::Program;
  static constexpr u32 kMostSlots = 16;

  PrefixChecker() = default;
  // Starts before the first instruction of a function of at most kMostSlots slots. The program lives longer than the checker and
  // its copies. Slots of type None are declared later.
  PrefixChecker(const Program& program, u32 function) {
    if (program.code.functions[function].slots > kMostSlots) return;
    is_sound_ = checker_.start(program, function);
  }

  // Each takes the next step, and returns whether the code is still sound. After a refusal nothing but copying an
  // earlier state over it is defined.
  //
  // An instruction that is no jump and no RETURN.
  [[nodiscard]] bool take(Instruction i) {
    aim(i);
    return checker_.walk_straight(0, 1) == 1 || checker_.step(0, no_calls_);
  }
  // JUMP_IF_FALSE 1, JUMP 1, a lazy operator.
  [[nodiscard]] bool open_first_arm() {
    aim({Op::JumpIfFalse, Scalar::None, 1, 0});
    return checker_.pop(0, Scalar::Bool) && checker_.open(Kind::FirstArm, kLater, 0);
  }
  [[nodiscard]] bool open_second_arm() {
    aim({Op::Jump, Scalar::None, 1, 0});
    return checker_.regions_.back().kind == Kind::FirstArm && checker_.first_arm_leaves(0, 1) &&
           checker_.enter_second_arm(0, 1, kLater);
  }
  [[nodiscard]] bool open_lazy(Op op) {
    aim({op, Scalar::None, 0, 0});
    return checker_.pop(0, Scalar::Bool) && checker_.enter_lazy(0, kLater);
  }
  // The place where a second arm or a lazy operand ends.
  [[nodiscard]] bool close() {
    aim({Op::Jump, Scalar::None, 1, 0});
    return checker_.regions_.back().kind == Kind::Merging && checker_.merge(0);
  }
  // The RETURN at the end of the function.
  [[nodiscard]] bool finish() {
    aim({Op::Return, Scalar::None, 0, 0});
    return checker_.regions_.back().kind == Kind::Function && checker_.step(0, no_calls_);
  }
  // Gives a slot without one its type.
  void declare(u32 slot, Scalar type) {
    checker_.slots_[slot] = static_cast<u8>(static_cast<u8>(type) | Checker::kUnwritten);
  }

  [[nodiscard]] bool is_sound() const { return is_sound_; }
  // The cells of the stack, and those of the innermost region.
  [[nodiscard]] u32 height() const { return checker_.height_; }
  [[nodiscard]] u32 cells() const { return checker_.height_ - checker_.base_; }
  // The type of the k-th cell from the top; None: the region has no such cell.
  [[nodiscard]] Scalar cell(u32 k) const {
    return k < cells() ? checker_.cell_memory_[Checker::kCellsBelow + checker_.height_ - 1 - k]
                       : Scalar::None;
  }
  [[nodiscard]] Scalar slot_type(u32 slot) const { return checker_.slot_type(slot); }
  // True if every way here has written the slot.
  [[nodiscard]] bool is_written(u32 slot) const {
    return checker_.slots_[slot] < Checker::kUnwritten;
  }

 private:
  using Checker = FunctionChecker<Inline>;
  using Kind = CodeRegion::Kind;
  static constexpr u32 kLater = ~u32{1};  // the end of a region that is still being written

  // The checker looks at an instruction of its code, and at its own cells: both may have moved since the last one.
  void aim(Instruction i) {
    next_ = i;
    checker_.code_ = &next_;
    checker_.count_ = 1;
    checker_.cells_ = checker_.cell_memory_.data() + Checker::kCellsBelow;
  }

  Checker checker_;
  Instruction next_ = {};
  Inline::List<u32> no_calls_;
  bool is_sound_ = false;
};
static_assert(std::is_trivially_copyable_v<PrefixChecker>);

}  // namespace komuz

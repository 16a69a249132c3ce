// SPDX-License-Identifier: Apache-2.0
// A pointer to a column whose every access the race detector sees. It has the size of a pointer, so structures of
// columns have the same layout with and without checks.
#pragma once
#include <type_traits>

#include "base/group/race.h"

namespace komuz {

// The type as which a cell reads: its own, or the one that it names.
template <class T>
struct CellValue {
  using Type = T;
};
template <class T>
requires requires { typename T::Value; }
struct CellValue<T> {
  using Type = typename T::Value;
};

// The result of c[i].
template <class T>
class CheckedCell {
 public:
  using Value = typename CellValue<T>::Type;

  CheckedCell(T* base, i64 index) : base_(base), index_(index) {}
  CheckedCell(const CheckedCell&) = default;

  operator Value() const {
    RaceDetector::current->read(base_, index_);
    return base_[index_];
  }
  template <class Enum>
  requires(std::is_enum_v<Enum>&& std::is_integral_v<Value>) explicit operator Enum() const {
    return static_cast<Enum>(static_cast<Value>(*this));
  }
  Value operator=(Value value) const {
    RaceDetector::current->write(base_, index_);
    base_[index_] = value;
    return value;
  }
  Value operator=(const CheckedCell& other) const { return *this = static_cast<Value>(other); }
  Value operator+=(Value value) const {
    return *this = static_cast<Value>(static_cast<Value>(*this) + value);
  }
  Value operator-=(Value value) const {
    return *this = static_cast<Value>(static_cast<Value>(*this) - value);
  }

  friend T& atomic_cell(CheckedCell& cell) {
    RaceDetector::current->atomic(cell.base_, cell.index_);
    return cell.base_[cell.index_];
  }

 private:
  T* base_;
  i64 index_;
};

template <class T>
class CheckedPointer {
 public:
  CheckedPointer() = default;
  explicit CheckedPointer(T* at) : at_(at) {}

  template <class Index>
  CheckedCell<T> operator[](Index i) const {
    return {at_, static_cast<i64>(i)};
  }
  [[nodiscard]] T* unchecked() const { return at_; }

 private:
  T* at_;
};

}  // namespace komuz

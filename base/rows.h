// SPDX-License-Identifier: Apache-2.0
// Lists for code that also runs where nothing can be allocated, as on a device. Rows is a list of bounded length in
// memory that belongs to somebody else. It has the members of a std::vector that such code uses. Code that is
// written over a Storage works on either, and asks has_room() before it makes a list longer; a vector always has
// room.
#pragma once
#include <cassert>
#include <vector>

#include "base/ints.h"

namespace komuz {

template <class T>
class Rows {
 public:
  Rows() = default;
  HD Rows(T* data, u32 capacity, u32 size = 0) : data_(data), size_(size), capacity_(capacity) {}

  [[nodiscard]] HD size_t size() const { return size_; }
  [[nodiscard]] HD bool empty() const { return size_ == 0; }
  [[nodiscard]] HD size_t capacity() const { return capacity_; }
  [[nodiscard]] HD T* data() { return data_; }
  [[nodiscard]] HD const T* data() const { return data_; }
  [[nodiscard]] HD T& operator[](size_t at) { return data_[at]; }
  [[nodiscard]] HD const T& operator[](size_t at) const { return data_[at]; }
  [[nodiscard]] HD T& back() { return data_[size_ - 1]; }

  HD void clear() { size_ = 0; }
  HD void pop_back() { --size_; }
  HD void push_back(const T& row) {
#ifndef __CUDA_ARCH__
    assert(size_ < capacity_);
#endif
    data_[size_++] = row;
  }
  HD void resize(size_t size) {
    while (size_ < size) push_back(T{});
    size_ = static_cast<u32>(size);
  }
  HD void assign(size_t size, const T& row) {
    for (size_ = 0; size_ < size;) push_back(row);
  }

 private:
  T* data_ = nullptr;
  u32 size_ = 0, capacity_ = 0;
};

// True if the list may get `more` further elements.
template <class T>
[[nodiscard]] HD bool has_room(const Rows<T>& rows, size_t more) {
  return rows.capacity() - rows.size() >= more;
}
template <class T>
[[nodiscard]] bool has_room(const std::vector<T>&, size_t) {
  return true;
}

// Makes a list at least `size` long, and keeps its elements; false: there is no room.
template <class List>
[[nodiscard]] HD bool make_long(List& list, size_t size) {
  if (list.size() < size && !has_room(list, size - list.size())) return false;
  list.resize(size);
  return true;
}

// Chooses the type of lists.
struct Growing {
  template <class T>
  using List = std::vector<T>;
};
struct Bounded {
  template <class T>
  using List = Rows<T>;
};

// Hands out parts of a block of memory, which starts at a multiple of 16 bytes. `gap`: behind each list come so
// many bytes kMark, a multiple of 16. A test checks that they stay unchanged.
class RowsMemory {
 public:
  static constexpr u8 kMark = 0xA5;

  HD explicit RowsMemory(u8* memory, u32 gap = 0) : next_(memory), gap_(gap) {}
  template <class T>
  HD Rows<T> take(u32 capacity) {
    Rows<T> rows(reinterpret_cast<T*>(next_), capacity);
    next_ += bytes<T>(capacity);
    for (u32 k = 0; k < gap_; ++k) *next_++ = kMark;
    return rows;
  }
  template <class T>
  [[nodiscard]] HD static size_t bytes(u32 capacity) {
    static_assert(alignof(T) <= kAlignment);
    return (capacity * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  }

 private:
  static constexpr size_t kAlignment = 16;
  u8* next_;
  u32 gap_;
};

}  // namespace komuz

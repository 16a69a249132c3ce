// SPDX-License-Identifier: Apache-2.0
// A vector that never moves its elements. It grows block by block, so the old elements and their copies are never in
// memory at the same time. A few elements take a few pages.
#pragma once
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/machine/memory.h"
#include "engine/support/large_memory.h"

namespace komuz::engine {

// Elements are plain rows of numbers.
template <class T>
class BlockVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  template <class Vector, class Element>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;
    Iterator() = default;
    Iterator(Vector* vector, size_t at) : vector_(vector), at_(at) {}
    Element& operator*() const { return (*vector_)[at_]; }
    Element* operator->() const { return &(*vector_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {vector_, at_++}; }
    bool operator==(const Iterator&) const = default;

   private:
    Vector* vector_ = nullptr;
    size_t at_ = 0;
  };

  BlockVector() = default;
  BlockVector(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }
  ~BlockVector() { machine::uncount_pages(counted_ * sizeof(T)); }
  BlockVector(const BlockVector& other) { *this = other; }
  BlockVector(BlockVector&& other) noexcept { *this = std::move(other); }
  BlockVector& operator=(const BlockVector& other) {
    if (this == &other) return *this;
    clear();
    for (const T& element : other) push_back(element);
    return *this;
  }
  BlockVector& operator=(BlockVector&& other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(size_, other.size_);
    std::swap(counted_, other.counted_);
    return *this;
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T& operator[](size_t i) { return blocks_[i / kBlock].data()[i % kBlock]; }
  [[nodiscard]] const T& operator[](size_t i) const {
    return blocks_[i / kBlock].data()[i % kBlock];
  }
  [[nodiscard]] T& back() { return (*this)[size_ - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[size_ - 1]; }
  auto begin() { return Iterator<BlockVector, T>(this, 0); }
  auto end() { return Iterator<BlockVector, T>(this, size_); }
  auto begin() const { return Iterator<const BlockVector, const T>(this, 0); }
  auto end() const { return Iterator<const BlockVector, const T>(this, size_); }

  // Allocates, so that the next push_back() takes no memory.
  void make_room() {
    if (size_ == counted_) grow();
  }
  T& push_back(const T& element) {
    make_room();
    T* const place = blocks_[size_ / kBlock].data() + size_ % kBlock;
    ++size_;
    return *std::construct_at(place, element);
  }
  T& emplace_back() { return push_back(T()); }
  // Keeps the first `size` elements; there are at least as many.
  void cut(size_t size) { size_ = size; }
  // Frees the memory, except that of the first elements.
  void clear() {
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin() + 1, blocks_.end());
    size_ = 0;
    if (counted_ <= kBlock) return;
    machine::uncount_pages((counted_ - kBlock) * sizeof(T));
    counted_ = kBlock;
  }

 private:
  static constexpr size_t kBlock = std::bit_floor(kLargePage / sizeof(T));
  // Elements that count as memory in use before they are written: some 64 KiB at a time.
  static constexpr size_t kStep = kBlock / 32;

  void grow() {
    machine::count_pages(kStep * sizeof(T));
    try {
      if (counted_ == blocks_.size() * kBlock)
        blocks_.emplace_back(kBlock, blocks_.empty() ? Pages::Small : Pages::Large,
                             Counted::ByOwner);
    } catch (const std::bad_alloc&) {
      machine::uncount_pages(kStep * sizeof(T));
      throw;
    }
    // The first step may be all that is ever written of a vector, and most of it may not.
    if (counted_ != 0) blocks_.back().make_pages(counted_ % kBlock, kStep);
    counted_ += kStep;
  }

  std::vector<LargeArray<T>> blocks_;
  size_t size_ = 0;
  size_t counted_ = 0;  // elements with counted memory
};

}  // namespace komuz::engine

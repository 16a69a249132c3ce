// SPDX-License-Identifier: Apache-2.0
// Memory of tables that may become large, directly from the system. Memory that is not written yet takes no room, and
// freed memory goes back at once. Large pages are faster to make, to look up and to free.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace komuz::engine {

inline constexpr size_t kLargePage = size_t{1} << 21;  // bytes

// If large pages are not available, small ones are used.
enum class Pages { Small, Large };
// What counts as memory in use (base/machine/memory.h): all of it, or as much as its owner says, who knows how much
// is written.
enum class Counted { Whole, ByOwner };
[[nodiscard]] void* take_memory(size_t bytes, Pages pages, Counted counted);
void give_memory_back(void* memory, size_t bytes, Counted counted);
// Has the system make the pages of these bytes, which are about to be written. A page that is made at its first write
// takes a trap of the processor, several times as long as the page itself, and most of all in a virtual machine. Where
// the system cannot, pages are made at their first writes.
void make_pages(void* memory, size_t bytes);

// Elements are zero bytes until they are written.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(size_t size, Pages pages, Counted counted = Counted::Whole)
      : data_(static_cast<T*>(take_memory(size * sizeof(T), pages, counted))),
        size_(size),
        counted_(counted) {}
  ~LargeArray() {
    if (data_ != nullptr) give_memory_back(data_, size_ * sizeof(T), counted_);
  }
  LargeArray(LargeArray&& other) noexcept { *this = std::move(other); }
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(counted_, other.counted_);
    return *this;
  }

  // Of elements that are about to be written.
  void make_pages(size_t begin, size_t size) {
    engine::make_pages(data_ + begin, size * sizeof(T));
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T& operator[](size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  Counted counted_ = Counted::Whole;
};

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// Memory of tables that may become large, straight from the system: what is not written yet takes no room, and it goes back at
// once. Large pages are quicker to make, to look things up in and to give back.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace komuz::engine {

inline constexpr size_t kLargePage = size_t{1} << 21;  // bytes

// Where large pages are not to be had they are small ones.
enum class Pages { Small, Large };
[[nodiscard]] void* take_memory(size_t bytes, Pages pages);
void give_memory_back(void* memory, size_t bytes);

// Elements of zero bytes, until they are written.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(size_t size, Pages pages)
      : data_(static_cast<T*>(take_memory(size * sizeof(T), pages))), size_(size) {}
  ~LargeArray() {
    if (data_ != nullptr) give_memory_back(data_, size_ * sizeof(T));
  }
  LargeArray(LargeArray&& other) noexcept { *this = std::move(other); }
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T& operator[](size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// Memory for columns. It grows to the largest request, then never allocates again. Columns are aligned to 64 bytes.
#pragma once
#include <memory>

#include "base/ints.h"

namespace komuz {

class Arena {
 public:
  static constexpr size_t kAlignment = 64;
  static constexpr size_t rounded(size_t bytes) {
    return (bytes + kAlignment - 1) & ~(kAlignment - 1);
  }

  // At least `bytes` of uninitialised memory. The old contents are lost if the memory has to grow.
  u8* reserve(size_t bytes) {
    if (bytes > capacity_) {
      const size_t wanted = rounded(bytes + bytes / 2);
      memory_.reset(static_cast<u8*>(::operator new (wanted, std::align_val_t{kAlignment})));
      capacity_ = wanted;
    }
    return memory_.get();
  }
  [[nodiscard]] size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(u8* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };
  std::unique_ptr<u8, Free> memory_;
  size_t capacity_ = 0;
};

}  // namespace komuz

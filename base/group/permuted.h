// SPDX-License-Identifier: Apache-2.0
// The serial group, but for_each visits its elements in an order drawn from a seed. It reveals passes that rely on
// an order that the vocabulary does not promise. Everything else is as in the serial group.
#pragma once
#include <utility>
#include <vector>

#include "base/group/serial.h"
#include "base/random.h"

namespace komuz {

class PermutedGroup : public SerialGroup {
 public:
  static constexpr bool kShortcuts = false;
  explicit PermutedGroup(u64 seed) : random_(seed) {}

  template <class F>
  HD void for_each(u32 n, F f) {
    draw(n);
    for (u32 k = 0; k < n; ++k) f(order_[k]);
  }
  // Compaction stores only where the condition holds, because a slot may belong to another element.
  template <class T>
  HD void store_if(bool condition, T& slot, T value) {
    if (condition) slot = value;
  }
  template <class Yes, class No>
  HD auto select(bool condition, Yes yes, No no) {
    return condition ? yes() : no();
  }
  template <class Read>
  HD auto where(u32 mask, Read read) {
    return mask != 0 ? read() : decltype(read()){0};
  }

 private:
  void draw(u32 n) {
    order_.resize(n);
    for (u32 i = 0; i < n; ++i) {
      const u32 j = random_.below(i + 1);
      order_[i] = order_[j];
      order_[j] = i;
    }
  }

  Random random_;
  std::vector<u32> order_;
};

}  // namespace komuz

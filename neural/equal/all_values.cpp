// SPDX-License-Identifier: Apache-2.0
#include "neural/equal/all_values.h"

#include <algorithm>

namespace komuz::neural {
namespace {

using engine::ShapeField;
using engine::ShapeNode;
using engine::ValueShape;

// Numbers up to a limit, which stands for itself and all above.
class Counter {
 public:
  Counter(const ValueShape& shape, u64 limit) : shape_(shape), limit_(limit) {}

  [[nodiscard]] u64 of(u32 node) const {
    const ShapeNode& n = shape_.nodes[node];
    if (n.is_scalar()) return scalars(n.scalar());
    if (n.code == kTupleCode) {
      u64 count = 1;
      u32 part = node + 1;
      for (u32 k = 0; k < n.count; ++k, part = shape_.nodes[part].next)
        count = product(count, of(part));
      return count;
    }
    if (n.code == kArrayCode) return power(n.count == 0 ? 1 : of(node + 1), n.count);
    if (n.code == kListCode) return lists(n.count == 0 ? 1 : of(node + 1), n.count);
    u64 count = 0;
    const u32 alternatives = n.code == kRecordCode ? 1 : n.count;
    for (u32 k = 0; k < alternatives; ++k) {
      u64 fields = 1;
      for (const ShapeField& field : shape_.fields_of(shape_.constructors[n.first_constructor + k]))
        fields = product(fields, of(field.node));
      count = std::min(count + fields, limit_);
    }
    return count;
  }

 private:
  [[nodiscard]] u64 scalars(Scalar type) const {
    if (type == Scalar::Bool) return std::min<u64>(2, limit_);
    const u32 bits = scalar_bits(type);
    return is_float(type) || bits >= 63 ? limit_ : std::min(u64{1} << bits, limit_);
  }
  [[nodiscard]] u64 product(u64 a, u64 b) const {
    return b != 0 && a > limit_ / b ? limit_ : std::min(a * b, limit_);
  }
  [[nodiscard]] u64 power(u64 base, u32 exponent) const {
    u64 count = 1;
    for (u32 k = 0; k < exponent && count < limit_ && base != 1; ++k) count = product(count, base);
    return count;
  }
  [[nodiscard]] u64 lists(u64 elements, u32 most) const {
    u64 count = 0, of_length = 1;
    for (u32 length = 0; length <= most && count < limit_; ++length) {
      count = std::min(count + of_length, limit_);
      of_length = product(of_length, elements);
    }
    return count;
  }

  const ValueShape& shape_;
  const u64 limit_;
};

}  // namespace

u64 count_values(const ValueShape& shape, u64 limit) { return Counter(shape, limit).of(0); }

// Of the last choice that has a successor the successor; all behind it are the simplest again. A choice has one if
// the sampler takes it as it is.
bool AllValues::next(std::span<u64> cells) {
  if (!has_begun_) {
    has_begun_ = true;
    sampler_.replay({}, cells);
    numbers_ = sampler_.choices().numbers;
    return true;
  }
  while (!numbers_.empty()) {
    const u64 wanted = ++numbers_.back();
    sampler_.replay(numbers_, cells);
    const std::vector<u64>& made = sampler_.choices().numbers;
    if (made.size() >= numbers_.size() && made[numbers_.size() - 1] == wanted) {
      numbers_ = made;
      return true;
    }
    numbers_.pop_back();
  }
  return false;
}

}  // namespace komuz::neural

// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/natural.h"

#include <bit>

namespace komuz::engine {

Natural::Natural(u64 value) : words_{static_cast<u32>(value), static_cast<u32>(value >> 32)} {
  trim();
}

void Natural::trim() {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

i32 Natural::bits() const {
  if (is_zero()) return 0;
  return static_cast<i32>(words_.size() * 32) - std::countl_zero(words_.back());
}

void Natural::multiply(u32 factor) {
  u64 carry = 0;
  for (u32& word : words_) {
    carry += u64{word} * factor;
    word = static_cast<u32>(carry);
    carry >>= 32;
  }
  if (carry != 0) words_.push_back(static_cast<u32>(carry));
  trim();
}

void Natural::multiply_by_power_of_ten(i32 power) {
  for (; power >= 9; power -= 9) multiply(1'000'000'000);
  for (; power > 0; --power) multiply(10);
}

void Natural::shift_left(i32 bits) {
  if (is_zero()) return;
  multiply(u32{1} << (bits % 32));
  words_.insert(words_.begin(), static_cast<size_t>(bits / 32), 0);
}

void Natural::add(const Natural& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
  u64 carry = 0;
  for (size_t k = 0; k < words_.size(); ++k) {
    carry += u64{words_[k]} + (k < other.words_.size() ? other.words_[k] : 0);
    words_[k] = static_cast<u32>(carry);
    carry >>= 32;
  }
  if (carry != 0) words_.push_back(static_cast<u32>(carry));
}

void Natural::subtract(const Natural& other) {
  u64 borrow = 0;
  for (size_t k = 0; k < words_.size(); ++k) {
    const u64 taken = borrow + (k < other.words_.size() ? other.words_[k] : 0);
    borrow = words_[k] < taken;
    words_[k] = static_cast<u32>(words_[k] - taken);
  }
  trim();
}

std::strong_ordering Natural::operator<=>(const Natural& other) const {
  if (words_.size() != other.words_.size()) return words_.size() <=> other.words_.size();
  for (size_t k = words_.size(); k-- > 0;)
    if (words_[k] != other.words_[k]) return words_[k] <=> other.words_[k];
  return std::strong_ordering::equal;
}

}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/values/case_cells.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace komuz::engine {
namespace {

constexpr size_t kAlignment = 64;

constexpr size_t round_up(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Columns may be read up to the next multiple of 64 bytes behind the last value.
constexpr size_t column_bytes(Scalar type, u32 cases) {
  return round_up(size_t{cases} * scalar_bytes(type)) + kAlignment;
}

CellBlock allocate(size_t bytes) {
  return CellBlock(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kAlignment})));
}
CellBlock make_block(size_t bytes) {
  CellBlock block = allocate(bytes);
  std::memset(block.get(), 0, bytes);
  return block;
}

}  // namespace

std::shared_ptr<const std::byte> make_zeros(u32 cases) {
  std::shared_ptr<std::byte[]> block = make_block(column_bytes(Scalar::I64, cases));
  return {block, block.get()};
}

void CaseCells::add(std::span<const u64> cells) {
  size_t length = cells.size();
  while (length > 0 && cells[length - 1] == 0) --length;
  for (size_t i = 0; i < length; ++i) is_used_[i] = is_used_[i] || cells[i] != 0;
  cells_.insert(cells_.end(), cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(length));
  lengths_.push_back(static_cast<u32>(length));
}

size_t CaseCells::bytes() const {
  size_t bytes = 0;
  for (size_t i = 0; i < size(); ++i) bytes += is_used_[i] ? column_bytes(types_[i], cases()) : 0;
  return bytes;
}

CellColumn::CellColumn(Scalar type, u32 cases)
    : block_(allocate(column_bytes(type, cases))),
      used_(size_t{cases} * scalar_bytes(type)),
      bytes_(column_bytes(type, cases)) {
  std::memset(block_.get() + used_, 0, bytes_ - used_);
}

CellBlock CellColumn::take(const std::byte* zeros, std::vector<const std::byte*>& columns) {
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (std::all_of(block_.get(), block_.get() + used_, is_zero)) {
    bytes_ = 0;
    block_ = make_block(bytes_);
    columns.push_back(zeros);
  } else {
    columns.push_back(block_.get());
  }
  return std::move(block_);
}

CellBlock CaseCells::write(const std::byte* zeros, std::vector<const std::byte*>& columns) const {
  CellBlock out = make_block(bytes());
  std::byte* block = out.get();
  std::vector<std::byte*> own;
  for (size_t i = 0; i < size(); ++i) {
    own.push_back(block);
    columns.push_back(is_used_[i] ? block : zeros);
    if (is_used_[i]) block += column_bytes(types_[i], cases());
  }
  const u64* cell = cells_.data();
  for (u32 row = 0; row < cases(); ++row)
    for (u32 i = 0; i < lengths_[row]; ++i, ++cell) {
      const u32 bytes = scalar_bytes(types_[i]);
      // On a little-endian machine, the low bytes of a canonical cell are the value.
      if (*cell != 0) std::memcpy(own[i] + size_t{row} * bytes, cell, bytes);
    }
  return out;
}

}  // namespace komuz::engine

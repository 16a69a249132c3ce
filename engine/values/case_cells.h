// SPDX-License-Identifier: Apache-2.0
// Columns of memory for the cells of cases, each aligned to 64 bytes. A list's type has room for the longest possible
// list, but most lists are shorter: cells that are zero in every case share one column. Not part of the engine's
// door.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/ints.h"
#include "lang/cases.h"

namespace komuz::engine {

struct ReleaseBlock {
  void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
};
using CellBlock = std::unique_ptr<std::byte[], ReleaseBlock>;

// The shared column of cells that are zero in all of so many cases.
[[nodiscard]] std::shared_ptr<const std::byte> make_zeros(u32 cases);

// The cells of one parameter or of the expected value, case after case. Each case is stored without its trailing
// zeros until it is known which cells are ever used.
class CaseCells {
 public:
  // The types, one for each cell, outlive it.
  explicit CaseCells(std::span<const Scalar> types) : types_(types), is_used_(types.size()) {}

  [[nodiscard]] size_t size() const { return types_.size(); }
  void add(std::span<const u64> cells);
  // Bytes of the columns that are not zero.
  [[nodiscard]] size_t bytes() const;
  // Writes those columns. Appends the beginning of each cell's column, including zero columns.
  [[nodiscard]] CellBlock write(const std::byte* zeros,
                                std::vector<const std::byte*>& columns) const;

 private:
  [[nodiscard]] u32 cases() const { return static_cast<u32>(lengths_.size()); }

  std::span<const Scalar> types_;
  std::vector<bool> is_used_;
  std::vector<u64> cells_;
  std::vector<u32> lengths_;  // of each case
};

// One such column, which is written in place.
class CellColumn {
 public:
  // The bytes behind the last value are zero, the others are nothing yet.
  CellColumn(Scalar type, u32 cases);

  [[nodiscard]] std::byte* data() { return block_.get(); }
  // Gives the memory away, and appends where the column begins. If all is zero, that is `zeros`, and little memory is left.
  [[nodiscard]] CellBlock take(const std::byte* zeros, std::vector<const std::byte*>& columns);
  // Of what was taken.
  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  CellBlock block_;
  size_t used_, bytes_;
};

}  // namespace komuz::engine

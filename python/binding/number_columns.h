// SPDX-License-Identifier: Apache-2.0
// Columns of numbers in memory of Python, read where they lie: of NumPy's arrays, frames, and whatever else has the buffer protocol.
#pragma once
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::python {

namespace py = pybind11;

// The numbers of arrays. The language has some of them as types.
enum class NumberKind : u8 { Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64 };
[[nodiscard]] constexpr bool is_float(NumberKind kind) { return kind >= NumberKind::F32; }
[[nodiscard]] constexpr bool is_signed(NumberKind kind) {
  return kind >= NumberKind::I8 && kind <= NumberKind::I64;
}
// "float64", as NumPy calls it.
[[nodiscard]] std::string_view kind_name(NumberKind kind);

// An element is a number of this kind; a Bool is a byte.
struct NumberColumn {
  std::string name;
  NumberKind kind = NumberKind::F64;
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;  // bytes; 0: one number for all rows
  size_t rows = 0;

  [[nodiscard]] const std::byte* at(size_t row) const {
    return data + static_cast<std::ptrdiff_t>(row) * stride;
  }
  // Bool is 0 or 1. Integers of more than 53 bits are rounded.
  [[nodiscard]] f64 number(size_t row) const;
  // Of a column that holds no floats: Bool is 0 or 1, and the others are extended by their sign or by zeros.
  [[nodiscard]] u64 whole(size_t row) const;
};

// Holds the memory; it is made and destroyed with the interpreter's lock.
class NumberColumns {
 public:
  // Adds the columns of an array of one dimension, or of two with a name for each column. Raises InputError, which names `what`.
  void add(const std::string& what, const std::vector<std::string>& names, const py::buffer& array);
  // Columns of one row stand for as many as the others have.
  void spread(size_t rows);
  [[nodiscard]] const std::vector<NumberColumn>& columns() const { return columns_; }
  [[nodiscard]] size_t rows() const { return columns_.empty() ? 0 : columns_.front().rows; }

 private:
  std::vector<py::buffer_info> buffers_;
  std::vector<NumberColumn> columns_;
};

}  // namespace komuz::python

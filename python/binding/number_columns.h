// SPDX-License-Identifier: Apache-2.0
// Columns in memory of Python, read where they lie: of NumPy's arrays, frames, and whatever else has the buffer protocol.
#pragma once
#include <pybind11/pybind11.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/ints.h"
#include "engine/cases/given_columns.h"

namespace komuz::python {

namespace py = pybind11;

using engine::NumberColumn;
using engine::NumberKind;

// Holds the memory; it is made and destroyed with the interpreter's lock.
class NumberColumns {
 public:
  // Adds the columns of an array of one dimension, or of two with a name for each column. Raises InputError, which names `what`.
  void add(const std::string& what, const std::vector<std::string>& names, const py::buffer& array);
  // Adds a column of texts: a number of one of the texts for each row, below 0 where there is none. `are_texts`: also where they look like
  // numbers.
  void add_texts(const std::string& name, const py::buffer& numbers, std::vector<std::string> texts,
                 bool are_texts);
  // Columns of one row stand for as many as the others have.
  void spread(size_t rows);
  [[nodiscard]] const std::vector<NumberColumn>& columns() const { return columns_; }
  [[nodiscard]] size_t rows() const { return columns_.empty() ? 0 : columns_.front().rows; }
  // The columns as a table, which refers to the memory of this object. Columns of the same name that stand side by side are one, of
  // tuples.
  [[nodiscard]] engine::GivenColumns given() const;
  // The table as the file of CSV that means the same.
  [[nodiscard]] std::string csv_text() const;
  // Raises InputError for a NaN. `what` the user calls the columns: "X and y".
  void refuse_nan(const std::string& what) const;

 private:
  std::vector<py::buffer_info> buffers_;
  std::vector<NumberColumn> columns_;
  std::map<size_t, std::pair<std::vector<std::string>, bool>>
      texts_;  // of columns; are they never numbers?
};

}  // namespace komuz::python

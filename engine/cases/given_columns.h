// SPDX-License-Identifier: Apache-2.0
// Columns in memory of whoever gives them: numbers of any kind, with any distance from one to the next, and texts of few
// values. A table of cases may consist of them (CasesTable::given), so that no number is written as digits to be read again.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"
#include "lang/types.h"

namespace komuz::engine {

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

struct GivenColumn {
  std::string name;
  // One column; several: a cell is a tuple of their numbers.
  std::vector<NumberColumn> parts;
  // A cell is one of these texts: the only part has its number, below 0 where there is none.
  std::optional<std::vector<std::string>> texts = std::nullopt;
  // Of these: they are texts also where they look like numbers, truth values or words for what is missing.
  bool are_texts = false;

  [[nodiscard]] bool is_of_numbers() const { return !texts && parts.size() == 1; }
  // A NaN is no value.
  [[nodiscard]] bool has_value(size_t row) const;
  // The cell as a file of CSV has it, but for quotes; nothing where it has no value. A float32 is the float64 of the same value.
  void append_text(std::string& out, size_t row) const;
};

struct GivenColumns {
  std::vector<GivenColumn> columns;  // equally long
  size_t rows = 0;
  std::shared_ptr<const void> memory = nullptr;  // holds what they refer to, or null

  // Appends the table, or one line of it, as the file of CSV that means the same: the header is line 1, and row 0 line 2.
  void append_header(std::string& out) const;
  void append_line(std::string& out, size_t row) const;
  // The byte of the row's line, from 1, where the cell begins, with its quotes; and where its value does.
  [[nodiscard]] u32 place_in_line(size_t row, size_t column) const;
  [[nodiscard]] u32 value_place_in_line(size_t row, size_t column) const;

 private:
  // The first cells of the line.
  void append_cells(std::string& out, size_t row, size_t count) const;
};

// The same columns in memory of their own.
[[nodiscard]] std::shared_ptr<const GivenColumns> copy_of(const GivenColumns& columns);

// The first row with a NaN in a column of numbers, and the first such column; none: there is no NaN.
struct GivenPlace {
  size_t row = 0, column = 0;
};
[[nodiscard]] std::optional<GivenPlace> find_nan(const GivenColumns& columns);

// Cells of given columns: `rows` are numbers of their rows; empty: all of them.
struct GivenCells {
  std::shared_ptr<const GivenColumns> source;  // null: there are none
  std::vector<size_t> columns;                 // of the source: of each parameter
  std::optional<size_t> expected = std::nullopt;
  std::vector<u32> rows = {};

  [[nodiscard]] size_t row_of(size_t row) const { return rows.empty() ? row : rows[row]; }
  [[nodiscard]] const GivenColumn& column(size_t of) const { return source->columns[of]; }
};

// The numbers of a part as f64; a Bool is 0 or 1.
void read_numbers(const NumberColumn& column, std::span<const u32> rows, std::span<f64> out);

// How memory of the machines has numbers: each as wide as its type, or canonical cells (lang/cases.h).
enum class CellWidth : u8 { OfType, Canonical };
struct NumbersAs {
  Scalar type = Scalar::F64;
  CellWidth width = CellWidth::OfType;
  bool takes_bools = false;  // as numbers
};
// The numbers as memory of the machines. False where the type does not hold them as they are, or another rounding than that of the
// digits would be needed: then their texts are read.
[[nodiscard]] bool take_numbers(const NumberColumn& column, std::span<const u32> rows,
                                const NumbersAs& as, std::byte* out);

}  // namespace komuz::engine

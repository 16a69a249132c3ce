// SPDX-License-Identifier: Apache-2.0
// Values as text and back: a value of a type is its canonical cells (lang/cases.h, OutcomesView), one a scalar.
// Integers are exact to 64 bits; floats are printed with the fewest digits that read back to the same bits.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/type_codes.h"

namespace komuz::engine {

// How a value is written.
//          special floats             tuples      records
//   Text   NaN Infinity -Infinity     (1, 2.0)    Vec2(x: 1.0, y: 2.0)     command lines, CSV cells, printing for people
//   Json   "NaN" "Infinity" …         [1, 2.0]    {"x": 1.0, "y": 2.0}     JSON, where a bare NaN does not exist
// Text reads the forms of Json, too, records without the names of their fields, and literals as the language spells
// them: 0xFF, 1_000, 'a'. Named fields come in any order.
enum class ValueStyle : u8 { Text, Json };

// What is wrong with a value's text. `at` is a byte of the text.
struct ValueError {
  size_t at = 0;
  std::string message;
  std::string remedy;
};

// The scalar types of a type's cells, in order.
void append_cell_types(std::string_view type_code, std::vector<Scalar>& out);

// Reads one value of the type; `cells` has count_cells(type_code) elements.
[[nodiscard]] std::optional<ValueError> parse_value(std::string_view type_code,
                                                    std::string_view text, ValueStyle style,
                                                    std::span<u64> cells);

// Appends the value's text. A float always shows that it is one: `2.0`, `1e+30`.
void print_value(std::string& out, std::string_view type_code, std::span<const u64> cells,
                 ValueStyle style);

// The same for one cell.
[[nodiscard]] std::optional<ValueError> parse_scalar(Scalar type, std::string_view text,
                                                     ValueStyle style, u64& cell);
void print_scalar(std::string& out, Scalar type, u64 cell, ValueStyle style);

// The number that a cell of the type stands for; integers of more than 53 bits are rounded.
[[nodiscard]] f64 cell_as_f64(Scalar type, u64 cell);

}  // namespace komuz::engine

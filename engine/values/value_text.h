// SPDX-License-Identifier: Apache-2.0
// Values as text, and back. A value of a type is its canonical cells (lang/cases.h, OutcomesView), one for each
// scalar. Integers are exact to 64 bits. Floats are printed with the fewest digits that read back to the same bits.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/type_codes.h"

namespace komuz::engine {

// The forms of a written value:
//
//                       Text                                  Json
//   special floats      NaN Infinity -Infinity                "NaN" "Infinity" "-Infinity"
//   tuple               (1, 2.0)                              [1, 2.0]
//   array, list         [1, 2]                                [1, 2]
//   Bytes               "a\n\xFF"                             "a\n", or [97, 10, 255] if they are not UTF-8
//   record              Vec2(x: 1.0, y: 2.0)                  {"x": 1.0, "y": 2.0}
//   sum                 Circle(r: 1.0), Empty                 {"Circle": {"r": 1.0}}, "Empty"
//   Option              Some(1), None                         1, null
//
// Text is for command lines, CSV cells and people. It also reads the forms of Json, records and alternatives without
// the names of their fields, literals as the language spells them (0xFF, 1_000, 'a', INF), and numbers and truth
// values as C, NumPy, pandas and spreadsheets write them (+1, .5, 1.e+05, True, TRUE). If the whole value is Bytes,
// or an Option of them, and begins with neither `"` nor `[`, its bytes are those of the text. Named fields come in
// any order.
//
// CommaText is Text in which a number, where it is the whole value, has a comma for the decimal point (decimal_commas.h);
// it is only read.
//
// Json cannot tell the values of an Option of an Option apart: it reads none, and writes Some as {"Some": …} there.
// Source is Text as a program spells it, with NAN, INF and -INF; it is only written.
enum class ValueStyle : u8 { Text, Json, Source, CommaText };

// The fault of a value's text. `at` is a byte of the text.
struct ValueError {
  size_t at = 0;
  std::string message;
  std::string remedy;
  bool has_decimal_comma = false;  // CommaText may read it
};

// Appends the scalar types of a type's cells, in order.
void append_cell_types(std::string_view type_code, std::vector<Scalar>& out);

// A type taken apart once, to read and write many of its values. Its codes are sound, and outlive it.
class ValueFormat {
 public:
  explicit ValueFormat(std::string_view type_code);
  ~ValueFormat();
  ValueFormat(ValueFormat&&) noexcept;
  ValueFormat& operator=(ValueFormat&&) noexcept;

  // Reads one value of the type; `cells` has count_cells(type_code) elements. Unused cells become zero.
  [[nodiscard]] std::optional<ValueError> parse(std::string_view text, ValueStyle style,
                                                std::span<u64> cells);
  // Appends the value's text. A float always shows that it is one: `2.0`, `1e+30`. Cells that are no value of the
  // type, which only code that was not compiled leaves, are shown as far as possible.
  void print(std::string& out, std::span<const u64> cells, ValueStyle style) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The same for one value.
[[nodiscard]] std::optional<ValueError> parse_value(std::string_view type_code,
                                                    std::string_view text, ValueStyle style,
                                                    std::span<u64> cells);
void print_value(std::string& out, std::string_view type_code, std::span<const u64> cells,
                 ValueStyle style);

// The same for one cell.
[[nodiscard]] std::optional<ValueError> parse_scalar(Scalar type, std::string_view text,
                                                     ValueStyle style, u64& cell);
void print_scalar(std::string& out, Scalar type, u64 cell, ValueStyle style);

// NaN or an infinity, as people and programs write them: `NaN`, `nan`, `NAN`, `Infinity`, `inf`, `-INF`, `+inf`.
[[nodiscard]] std::optional<f64> special_float(std::string_view text);

// The number that a cell of the type represents. Integers of more than 53 bits are rounded.
[[nodiscard]] f64 cell_as_f64(Scalar type, u64 cell);

}  // namespace komuz::engine

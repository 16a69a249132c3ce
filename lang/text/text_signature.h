// SPDX-License-Identifier: Apache-2.0
// Signatures in assembly text: name(a: i64, b: (f64, bool)) -> i64. Types are spelled as type_text() spells them.
#pragma once
#include <string>
#include <vector>

#include "lang/text/text_line.h"
#include "lang/type_codes.h"

namespace komuz {

struct Signature {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<u8> types;  // the parameters as a tuple, then the result
  size_t result_at = 0;   // in `types`

  [[nodiscard]] u16 parameter_slots() const;
  [[nodiscard]] u16 result_cells() const;
};

// Scalar::None if there is none of that name.
[[nodiscard]] Scalar scalar_from_name(std::string_view name);

// Takes the type of a cell from the line, "i64" or "&i64"; Scalar::None if there is none.
[[nodiscard]] Scalar take_cell_type(TextLine& line);

// Takes a signature from the line. Returns the fault; empty if there is none.
[[nodiscard]] std::string read_signature(TextLine& line, Signature& out);

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// The door to types in bytecode: their codes (type_heads.h), walks over them (type_walk.h), and their text.
#pragma once
#include <string>
#include <string_view>

#include "lang/type_walk.h"

namespace komuz {

void append_type_name(std::string& codes, std::string_view name);

// How records and sums are written. Whole includes their fields and alternatives.
enum class RecordText : u8 { Whole, Name };
// "i64", "(f64, (bool, u8))", "Vec2(x: f64, y: f64)" or "Vec2", "Shape(Circle(c: Vec2, r: f64) | Empty)",
// "Option[i64]", "[f64; 3]", "List[f64, 32]", "Bytes[16]", "[f64]".
[[nodiscard]] std::string type_text(std::string_view codes, RecordText records = RecordText::Whole);

// The type of a cell: "f64", or "&f64" for a reference.
[[nodiscard]] std::string cell_type_text(Scalar type);

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// Names and types that the passes found, spelt as a program spells them.
#pragma once
#include <string>

#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend {

// The name that a node spells, without the `?` of a hole.
[[nodiscard]] std::string name_text(const Columns& c, Index node);
// A type as it is written: "i64", "Vec2", "()". Empty: no value has this type.
[[nodiscard]] std::string written_type(const Columns& c, TypeId type);

}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
// The records and sums of modules that a type holds, and whether a program knows them by their names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/view.h"

namespace komuz::services {

// The path of a module's number, `std.math`; empty: it has none.
[[nodiscard]] std::string module_path(const frontend::Columns& c, u32 number);

// What its name alone means in the program.
enum class NameMeaning : u8 { Nothing, This, Other };
struct ModuleType {
  std::string module, name;
  NameMeaning meaning = NameMeaning::Nothing;

  // "use std.geom.{Vec2};"
  [[nodiscard]] std::string use() const { return "use " + module + ".{" + name + "};"; }
};
// Adds those of a type, itself included, each once.
void add_module_types(const frontend::Columns& c, frontend::TypeId type,
                      std::vector<ModuleType>& out);

}  // namespace komuz::services

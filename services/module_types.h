// SPDX-License-Identifier: Apache-2.0
// The records and sums of modules in a type, and whether a program knows them by name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/view.h"

namespace komuz::services {

// The path of a module's number, `std.math`; empty: it has none.
[[nodiscard]] std::string module_path(const frontend::Columns& c, u32 number);

// The meaning of the bare name in the program.
enum class NameMeaning : u8 { Nothing, This, Other };
struct ModuleType {
  std::string module, name;
  NameMeaning meaning = NameMeaning::Nothing;

  // "use std.geom.{Vec2};"
  [[nodiscard]] std::string use() const { return "use " + module + ".{" + name + "};"; }
};
// Adds the module types of a type, including itself, each once.
void add_module_types(const frontend::Columns& c, frontend::TypeId type,
                      std::vector<ModuleType>& out);

}  // namespace komuz::services

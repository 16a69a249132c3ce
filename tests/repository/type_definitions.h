// SPDX-License-Identifier: Apache-2.0
// The types that a C++ source defines, by their namespaces. Two files that define different types under one name break
// the rule of one definition: the linker keeps one of each function that both have, and nobody says so.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::arrows {

struct TypeDefinition {
  std::string name;  // whole: `komuz::services::Formula`
  int line = 0;
};
// The classes, structures, unions and enumerations that stand in namespaces with names, outside of types and functions:
// what stands in a namespace without a name, or in a function, is the file's own. Specialisations of templates are left
// out, and so is what a `.def` file or another macro makes.
[[nodiscard]] std::vector<TypeDefinition> type_definitions(std::string_view source);

}  // namespace komuz::arrows

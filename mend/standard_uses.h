// SPDX-License-Identifier: Apache-2.0
// The modules of the standard library with a public function of a name, for programs that call it without its `use`,
// and the edits that add a name to a program's `use` items.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mend/mend.h"

namespace komuz {

// `math` of `lerp`; in the order of their names.
[[nodiscard]] std::vector<std::string_view> standard_modules_with(std::string_view function);
[[nodiscard]] bool is_standard_module(std::string_view name);
[[nodiscard]] bool is_standard_function(std::string_view module, std::string_view function);

// A `use` for each module, in the form of a program.
[[nodiscard]] std::string standard_use_items();
// `; write ` and `use std.list.{take};` or `use std.bytes.{take};`, each in backticks. Of functions that take
// elements of a type, only those that accept it, or `take_f64`, with its `use`; if none does, the types that they
// take. `argument`: the type of the function's first argument; empty: unknown.
[[nodiscard]] std::string standard_uses_text(std::string_view function, std::string_view argument);
// Writes the `use` before the items of a program; nothing if it is there already, or if several modules have the
// function.
[[nodiscard]] std::optional<Edit> function_use_edit(std::string_view function,
                                                    std::string_view argument,
                                                    std::string_view source);
[[nodiscard]] std::optional<Edit> module_use_edit(std::string_view module, std::string_view source);

// `use lib.a.{f};`, or `use lib.a.{g, f};` where the program has `use lib.a.{g};`.
[[nodiscard]] std::string use_with(std::string_view path, std::string_view name,
                                   std::string_view source);
// Puts such a `use`, or that of a whole module, in place of the one that it extends, or before the items.
[[nodiscard]] std::optional<Edit> use_edit(std::string_view use, std::string_view source);

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
// An expression and its parameters → a whole program, with the helper functions that it calls.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "services/import/define_functions.h"

namespace komuz::services {

// A name of a built-in function or constant, of a helper, or of the module of the standard library that programs use.
[[nodiscard]] bool may_be_called(std::string_view name);

// The function is `f`, of f64 parameters, and `pub`.
inline constexpr std::string_view kEntryName = "f";
[[nodiscard]] std::string write_program(std::string_view expression,
                                        std::span<const std::string> parameters,
                                        std::span<const DefinedFunction> defined = {});

}  // namespace komuz::services

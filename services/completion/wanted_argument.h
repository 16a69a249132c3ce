// SPDX-License-Identifier: Apache-2.0
// What an operation on elements wants as an argument where the front end has no type for a hole: a function of
// elements, or an index.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "frontend_gpu/view.h"
#include "lang/builtins.h"

namespace komuz::services {

// A function in place of a lambda: its types as they are written; empty means any.
struct WantedFunction {
  std::vector<std::string> parameters;
  std::string result;

  // "fn(f64) -> bool", without parts that may be any type.
  [[nodiscard]] std::string text() const;
};
// The function wanted in place of the node; nothing if no lambda may stand there.
[[nodiscard]] std::optional<WantedFunction> wanted_function(const frontend::Columns& c,
                                                            frontend::Index node);
// For an argument of a built-in function: the types that it takes, if only the arguments decide the type. None: it is
// no such argument.
[[nodiscard]] TypeSet wanted_scalars(const frontend::Columns& c, frontend::Index node);
// True if that is the name of one of them.
[[nodiscard]] bool has_type(TypeSet types, std::string_view name);
// True if an index is wanted there.
[[nodiscard]] bool wants_index(const frontend::Columns& c, frontend::Index node);

}  // namespace komuz::services

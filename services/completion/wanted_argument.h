// SPDX-License-Identifier: Apache-2.0
// What an operation on elements wants of an argument, where the front end has no type for a hole: a function of elements, or an
// index.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "frontend_gpu/view.h"
#include "lang/builtins.h"

namespace komuz::services {

// In the place of a lambda: types, as they are written; empty: any.
struct WantedFunction {
  std::vector<std::string> parameters;
  std::string result;

  // "fn(f64) -> bool", without what may be any.
  [[nodiscard]] std::string text() const;
};
// What stands where the node does; nothing where no lambda stands.
[[nodiscard]] std::optional<WantedFunction> wanted_function(const frontend::Columns& c,
                                                            frontend::Index node);
// Of an argument of a built-in function: the types that it takes, of which only the arguments say which it is. None: it is no such
// argument.
[[nodiscard]] TypeSet wanted_scalars(const frontend::Columns& c, frontend::Index node);
// Is that the name of one of them?
[[nodiscard]] bool has_type(TypeSet types, std::string_view name);
// Does an index stand there?
[[nodiscard]] bool wants_index(const frontend::Columns& c, frontend::Index node);

}  // namespace komuz::services

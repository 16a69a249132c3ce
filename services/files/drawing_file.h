// SPDX-License-Identifier: Apache-2.0
// The name of a file that a drawing is written to.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"

namespace komuz::services {

// Drawings are SVG: a name that ends like another kind of picture is a mistake. `option`: the one that names it, `--plot`.
Problem find_drawing_problem(std::string_view option, const std::string& path);

}  // namespace komuz::services

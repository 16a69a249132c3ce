// SPDX-License-Identifier: Apache-2.0
// Texts of which the front end can make something: of the same length as those that were given, so that places hold.
#pragma once
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

// Compiles the text. True: it had to be mended, and the columns are those of a text that differs from it.
[[nodiscard]] bool compile_mended(frontend::Compiler& compiler, std::string_view text,
                                  frontend::Compilation& out);

}  // namespace komuz::services

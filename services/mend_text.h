// SPDX-License-Identifier: Apache-2.0
// Changes texts so that the front end can analyse them; the length stays the same, so that places hold.
#pragma once
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

// Compiles the text. True: it had to be mended, and the columns belong to the mended text.
[[nodiscard]] bool compile_mended(frontend::Compiler& compiler, std::string_view text,
                                  frontend::Compilation& out);

}  // namespace komuz::services

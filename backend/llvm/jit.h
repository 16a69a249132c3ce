// SPDX-License-Identifier: Apache-2.0
// Object files as code of this process, by LLVM's ORC. Memory of code is never writable and executable at once.
#pragma once
#include <string>

#include "backend/case_state.h"
#include "backend/llvm/compile.h"

namespace komuz::backend {

// Loads the object file of a module. Empty if all is well; else why not.
[[nodiscard]] std::string load_object(const CompiledModule& compiled, const char* symbol,
                                      CompiledCode& out);
void unload(CompiledCode& code);
// Loads a module that is never unloaded, and gives the address of a function.
[[nodiscard]] std::string load_for_good(const CompiledModule& compiled, const std::string& symbol,
                                        void*& address);

}  // namespace komuz::backend

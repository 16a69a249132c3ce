// SPDX-License-Identifier: Apache-2.0
// LLVM's text of a module with the places of its instructions beside them.
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace komuz::backend {

// As comments: the file and line of a function before it, and line and column behind what stands there, with the name
// of the file if that is not the program's first one, which the text begins with. Debug locations are taken away. A
// module without them is printed as it is.
void print_with_places(llvm::Module& module, llvm::raw_ostream& out);

}  // namespace komuz::backend

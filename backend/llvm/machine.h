// SPDX-License-Identifier: Apache-2.0
// The machine that code is written for.
#pragma once
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <string>
#include <vector>

#include "backend/effort.h"
#include "backend/ir/ir_writer.h"

namespace komuz::backend {

// `processor` as LLVM calls it, such as "x86-64-v3"; "native" for this one. Null, and `why` says the reason, if there
// is none of that name.
[[nodiscard]] std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor,
                                                                Effort effort, std::string& why);
// The GPU "sm_75", with a text that all later ones take, or "sm_90".
[[nodiscard]] std::unique_ptr<llvm::TargetMachine> make_ptx_machine(const std::string& target,
                                                                    Effort effort,
                                                                    std::string& why);
// The names of all x86-64 processors, in order.
[[nodiscard]] std::vector<std::string> processors();
[[nodiscard]] ir::TargetTraits traits_of(const llvm::TargetMachine& machine);

}  // namespace komuz::backend

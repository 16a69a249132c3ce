// SPDX-License-Identifier: Apache-2.0
#include "lang/check/check_code.h"

#include "lang/check/check_program.h"

namespace komuz {

struct CodeChecker::Workspace {
  ProgramChecker<Growing> checker;
};

CodeChecker::CodeChecker() : workspace_(std::make_unique<Workspace>()) {}
CodeChecker::~CodeChecker() = default;
CodeChecker::CodeChecker(CodeChecker&&) noexcept = default;
CodeChecker& CodeChecker::operator=(CodeChecker&&) noexcept = default;

CodeError CodeChecker::check(const CodeView& code, std::span<Function> functions, u32 stack_limit) {
  ProgramChecker<Growing>& checker = workspace_->checker;
  if (checker.check(code, functions, stack_limit) == Checked::Sound) return {};
  return checker.words().take_error();
}

CodeError check_code(const CodeView& code, std::span<Function> functions, u32 stack_limit) {
  return CodeChecker().check(code, functions, stack_limit);
}

}  // namespace komuz

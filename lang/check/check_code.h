// SPDX-License-Identifier: Apache-2.0
// The bytecode checker. No code runs that has not passed it.
#pragma once
#include <memory>
#include <string>

#include "lang/cases.h"
#include "lang/code.h"

namespace komuz {

struct CodeError {
  u32 function = 0;        // functions.size() if it concerns no function
  u32 instruction = 0;     // instructions.size() if it concerns no instruction
  std::string reason;      // empty: no error
  bool is_height = false;  // a frame would take more cells than allowed
  explicit operator bool() const { return !reason.empty(); }
};

// Proves for every function: fields are in range and of the right type; stack height and cell types are static, and
// equal at merges; slots are written before they are read; jumps are structured; a RETURN is at the end; calls are
// within their bounds; every iteration of a loop has a tick, so that fuel bounds the time of a run.
// On success sets max_stack, cycle and stack_bytes of each function. Never throws, and never reads outside the view.
// `functions` are the rows of `code.functions`, and may be the same memory.
[[nodiscard]] CodeError check_code(const CodeView& code, std::span<Function> functions,
                                   u32 stack_limit = kDefaultStackLimit);

// The same with a workspace for one thread. Reused for one code after the other, it stops allocating.
class CodeChecker {
 public:
  CodeChecker();
  ~CodeChecker();
  CodeChecker(CodeChecker&&) noexcept;
  CodeChecker& operator=(CodeChecker&&) noexcept;

  [[nodiscard]] CodeError check(const CodeView& code, std::span<Function> functions,
                                u32 stack_limit = kDefaultStackLimit);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace komuz

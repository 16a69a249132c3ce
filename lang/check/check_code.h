// SPDX-License-Identifier: Apache-2.0
// The bytecode checker. Nothing runs that has not passed it.
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
  bool is_height = false;  // a frame would take more cells than any may
  explicit operator bool() const { return !reason.empty(); }
};

// Proves of every function: fields in range and of the right type; stack height and cell types static and equal at
// merges; slots written before they are read; jumps structured; a RETURN at the end; calls within their bounds; a tick in
// every iteration of a loop, so that fuel bounds the time of a run.
// On success sets max_stack, cycle and stack_bytes of each function. Never throws and never reads outside the view.
// `functions` are the rows of `code.functions`; they may be the same memory.
[[nodiscard]] CodeError check_code(const CodeView& code, std::span<Function> functions,
                                   u32 stack_limit = kDefaultStackLimit);

// The same with a workspace for one thread: reused from code to code, it stops allocating.
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

// SPDX-License-Identifier: Apache-2.0
// Why the checker refuses code. The checker's walks, which also run on devices, state a reason and numbers. Only the
// host makes words of them, at once, while the objects that they mention still exist.
#pragma once
#include <span>

#include "base/rows.h"
#include "lang/check/check_code.h"

namespace komuz {

enum class CheckReason : u8 {
  None,
#define REASON(Name, text) Name,
#include "lang/check/check_reasons.def"
};

// The numbers in the text of a reason.
struct CheckNumbers {
  u64 of[4] = {};
};

template <class Storage>
class CallGraph;

template <class Storage>
class CheckWords;

// A device has no words. To learn why it refused some code, ask the host's checker.
template <>
class CheckWords<Bounded> {
 public:
  HD void note(const CodeView&, u32, u32, CheckReason, const CheckNumbers& = {}) {}
  HD void note_operands(const CodeView&, u32, u32, std::span<const u8>, std::span<const u8>) {}
  HD void note_stack(const CodeView&, const CallGraph<Bounded>&, u32, u64, u32) {}
};

template <>
class CheckWords<Growing> {
 public:
  void note(const CodeView& code, u32 function, u32 instruction, CheckReason reason,
            const CheckNumbers& numbers = {});
  // An instruction takes cells of certain types, and finds others or fewer.
  void note_operands(const CodeView& code, u32 function, u32 instruction,
                     std::span<const u8> wanted, std::span<const u8> found);
  // A call of the function needs too many bytes of stack.
  void note_stack(const CodeView& code, const CallGraph<Growing>& calls, u32 function, u64 bytes,
                  u32 stack_limit);

  [[nodiscard]] CodeError take_error() { return std::move(error_); }

 private:
  CodeError error_;
};

}  // namespace komuz

// SPDX-License-Identifier: Apache-2.0
#include "lang/check/check_words.h"

#include <algorithm>

#include "base/counts.h"
#include "lang/check/call_graph.h"

namespace komuz {
namespace {

// clang-format off
std::string_view reason_text(CheckReason reason) {
  switch (reason) {
    case CheckReason::None: return "";
#define REASON(Name, text) \
  case CheckReason::Name: return text;
#include "lang/check/check_reasons.def"
  }
  return "";
}
// clang-format on

std::string quoted_name(const CodeView& code, u64 function) {
  return "`" + std::string(code.name(code.functions[function])) + "`";
}

// `how`: a form of check_reasons.def.
std::string number_text(const CodeView& code, u64 number, std::string_view how) {
  if (how.empty()) return std::to_string(number);
  if (how == "#") return grouped(number);
  if (how == "type") return cell_type_text(static_cast<Scalar>(number));
  if (how == "fn") return quoted_name(code, number);
  return counted(number, how);
}

std::string sentence(const CodeView& code, u32 instruction, CheckReason reason,
                     const CheckNumbers& numbers) {
  std::string out;
  std::string_view text = reason_text(reason);
  for (;;) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const size_t close = text.find('}', open);
    std::string_view field = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    if (field == "op") {
      out += op_row(code.instructions[instruction].op).mnemonic;
      continue;
    }
    const u64 number = numbers.of[field[0] - '0'];
    field.remove_prefix(std::min<size_t>(field.size(), 2));
    out += number_text(code, number, field);
  }
}

// The topmost cells of a list of types.
std::string cells_text(std::span<const u8> cells) {
  constexpr size_t kMostNamed = 8;
  std::string text = "(";
  for (const u8 cell : cells.last(std::min(cells.size(), kMostNamed))) {
    if (text.size() > 1) text += ", ";
    text += cell_type_text(static_cast<Scalar>(cell));
  }
  return text + ")";
}

// The chain of calls with the largest stack: `f` 48 -> `g` 64 * 96 -> `h` 32.
std::string chain_text(const CodeView& code, const CallGraph<Growing>& calls, u32 function) {
  constexpr u32 kMostNamed = 8;
  std::string text;
  for (u32 link = 0; link < kMostNamed; ++link) {
    const CallGraph<Growing>::Node& node = calls.node(function);
    // In a cycle, the member with the largest frame stands for all. The deepest callee may belong to any member.
    u64 frame = node.frame_bytes, below = 0;
    u32 deepest = function;
    for (u32 member = 0; member < code.functions.size(); ++member) {
      if (calls.node(member).component != node.component) continue;
      frame = std::max<u64>(frame, calls.node(member).frame_bytes);
      for (const u32 callee : calls.calls(member)) {
        const CallGraph<Growing>::Node& called = calls.node(callee);
        if (called.component == node.component || called.stack_bytes <= below) continue;
        below = called.stack_bytes;
        deepest = callee;
      }
    }
    text += quoted_name(code, function) + " ";
    if (node.cycle != 0) text += std::to_string(code.functions[function].rec) + " * ";
    text += std::to_string(frame);
    if (below == 0) return text;
    text += " -> ";
    function = deepest;
  }
  return text + "...";
}

}  // namespace

void CheckWords<Growing>::note(const CodeView& code, u32 function, u32 instruction,
                               CheckReason reason, const CheckNumbers& numbers) {
  error_ = {function, instruction, sentence(code, instruction, reason, numbers),
            reason == CheckReason::StackHeight};
}

void CheckWords<Growing>::note_operands(const CodeView& code, u32 function, u32 instruction,
                                        std::span<const u8> wanted, std::span<const u8> found) {
  error_ = {function, instruction,
            std::string(op_row(code.instructions[instruction].op).mnemonic) + " takes " +
                counted(wanted.size(), "cell") + " " + cells_text(wanted) + ", but finds " +
                cells_text(found)};
}

void CheckWords<Growing>::note_stack(const CodeView& code, const CallGraph<Growing>& calls,
                                     u32 function, u64 bytes, u32 stack_limit) {
  note(code, function, static_cast<u32>(code.instructions.size()), CheckReason::StackLimit,
       {{function, bytes, stack_limit}});
  error_.reason += chain_text(code, calls, function);
}

}  // namespace komuz

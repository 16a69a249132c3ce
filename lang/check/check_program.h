// SPDX-License-Identifier: Apache-2.0
// The order of the checker's work: the columns and the headers of all functions, then the instructions of each
// function, then the call graph. Each step may rely on the proofs of earlier steps.
//
// Written over a Storage (base/rows.h): CodeChecker (check_code.h) is the host's; a device has a checker for each of
// its threads.
#pragma once
#include <algorithm>

#include "lang/check/call_graph.h"
#include "lang/check/check_function.h"
#include "lang/check/check_headers.h"

namespace komuz {

// A workspace for one thread.
template <class Storage>
class ProgramChecker {
 public:
  // Limits on the lengths of its lists.
  struct Room {
    typename FunctionChecker<Storage>::Room function;
    u32 functions = 0, calls = 0;
  };
  ProgramChecker() = default;
  HD ProgramChecker(RowsMemory& memory, const Room& room)
      : function_(memory, room.function),
        calls_(memory, room.functions, room.calls),
        result_types_at_(memory.take<u32>(room.functions)) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return FunctionChecker<Storage>::bytes(room.function) +
           CallGraph<Storage>::bytes(room.functions, room.calls) +
           RowsMemory::bytes<u32>(room.functions);
  }

  // Like CodeChecker::check. For Unsound code the words say why.
  [[nodiscard]] HD_CALL Checked check(const CodeView& code, std::span<Function> functions,
                                      u32 stack_limit) {
    constexpr u32 kCellBytes = 8;
    const u32 max_cells = std::min<u32>(stack_limit / kCellBytes, 0xFFFF);
    if (const Checked headers = check_headers(code, functions.size(), max_cells);
        headers != Checked::Sound)
      return headers;

    calls_.clear();
    const typename FunctionChecker<Storage>::Program program = {
        code, {result_types_at_.data(), result_types_at_.size()}, max_cells, &words_};
    for (u32 f = 0; f < code.functions.size(); ++f) {
      if (!calls_.add_function()) return Checked::NoRoom;
      if (const Checked checked = function_.check(program, f, calls_.callees());
          checked != Checked::Sound)
        return checked;
      calls_.set_frame(kCellBytes * (code.functions[f].slots + function_.max_stack()));
    }
    if (!calls_.solve(code, stack_limit, words_)) return Checked::Unsound;

    for (size_t f = 0; f < functions.size(); ++f) {
      functions[f].max_stack = calls_.max_stack(f, functions[f].slots);
      functions[f].cycle = calls_.cycle(f);
      functions[f].stack_bytes = calls_.stack_bytes(f);
    }
    return Checked::Sound;
  }

  [[nodiscard]] CheckWords<Storage>& words() { return words_; }

 private:
  [[nodiscard]] HD_CALL Checked check_headers(const CodeView& code, size_t function_rows,
                                              u32 max_cells) {
    const auto functions = static_cast<u32>(code.functions.size()),
               no_instruction = static_cast<u32>(code.instructions.size());
    const HeaderChecker checker(code, max_cells);
    const HeaderCheck columns = checker.check_columns(function_rows);
    if (columns.reason != CheckReason::None) return refuse(code, functions, columns);

    u32 code_begin = 0;
    result_types_at_.clear();
    if (!has_room(result_types_at_, functions)) return Checked::NoRoom;
    for (u32 f = 0; f < functions; ++f) {
      const HeaderCheck header = checker.check(code.functions[f], code_begin);
      if (header.reason != CheckReason::None) return refuse(code, f, header);
      result_types_at_.push_back(header.result_types_at);
      code_begin = code.functions[f].code_end;
    }
    if (code_begin == no_instruction) return Checked::Sound;
    words_.note(code, functions, code_begin, CheckReason::OutsideFunctions);
    return Checked::Unsound;
  }
  [[nodiscard]] HD_CALL Checked refuse(const CodeView& code, u32 function,
                                       const HeaderCheck& header) {
    words_.note(code, function, static_cast<u32>(code.instructions.size()), header.reason,
                header.numbers);
    return Checked::Unsound;
  }

  FunctionChecker<Storage> function_;
  CallGraph<Storage> calls_;
  typename Storage::template List<u32> result_types_at_;  // by function
  CheckWords<Storage> words_;
};

}  // namespace komuz

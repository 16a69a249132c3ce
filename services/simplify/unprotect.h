// SPDX-License-Identifier: Apache-2.0
// Writes plain operators in place of protected ones, such as `/` for div0, where no case needs the protection. Unlike what
// simplify() does, that is right on the cases that were asked, and may be wrong elsewhere.
//
// Each protected operation is asked by itself: a program in which it ends in the trap HOLE where its protection is needed
// (protections.def) runs on all cases. What comes of it is simplified, and then runs on all cases, too.
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "lang/library.h"

namespace komuz::services {

struct UnprotectRequest {
  std::string_view entry;  // empty: the only `pub fn`
  std::span<const engine::CasesTable* const> tables;
  const Library* library = nullptr;  // the modules that the program uses; they are loaded before
  u64 fuel = 0;                      // of a case
  std::stop_token stop;
};

// What became of the operations of one kind.
struct UnprotectedKind {
  std::string_view name;   // "div0"
  std::string_view plain;  // "/"
  u32 written = 0, kept = 0;
  u64 needed_by = 0;  // so many cases need one of those that are kept
};
struct Unprotected {
  std::string text;                    // simplified
  std::vector<UnprotectedKind> kinds;  // in the order of the text
  u64 cases = 0;
};

// A problem: the program or its entry is not what the cases fit, or stopped().
[[nodiscard]] Result<Unprotected> unprotect(const std::string& program,
                                            const UnprotectRequest& request);

// "`/` for 2 `div0`: no protection was needed there on 36 cases; `log0` stays, which 3 of 36 cases need"
[[nodiscard]] std::string unprotected_text(const Unprotected& unprotected);

}  // namespace komuz::services

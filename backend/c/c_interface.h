// SPDX-License-Identifier: Apache-2.0
// The functions of a program that C calls, and the header that declares them.
#pragma once
#include <string>
#include <vector>

#include "backend/c/c_types.h"
#include "base/problem.h"
#include "lang/code.h"

namespace komuz::backend {

struct CInterfaceRequest {
  std::string prefix;                   // before all names of C
  u64 fuel = 0;                         // of a call
  std::string header;                   // the file's name, of which the header makes its guard
  std::string about;                    // a line: what made it of what
  std::vector<std::string> files = {};  // SourceMap::files, which traps name
};

// What C sees of some functions of a program. Keeps what `functions()` refers to.
class CInterface {
 public:
  // The problem says which function C cannot have, and why. The functions are no side entries (code.h).
  [[nodiscard]] static Result<CInterface> make(const CodeView& code,
                                               const std::vector<u32>& functions,
                                               const CInterfaceRequest& request);

  [[nodiscard]] const std::vector<CFunction>& functions() const { return functions_; }
  // The text of the header: C99 and C++.
  [[nodiscard]] const std::string& header() const { return header_; }

 private:
  std::vector<CFunction> functions_;
  // Of the functions' pointers: they do not move when the interface does.
  std::vector<std::vector<CObject>> parameters_;
  std::vector<std::vector<CellRun>> runs_;
  std::vector<std::string> symbols_;
  std::string header_;
};

}  // namespace komuz::backend

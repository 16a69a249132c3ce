// SPDX-License-Identifier: Apache-2.0
// `use` items as other languages write them: `use std::math;`, `import std.math;`, `from math import gcd`.
#pragma once
#include <map>
#include <string_view>

#include "frontend_gpu/columns/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

class RefineUses {
 public:
  explicit RefineUses(const Columns& c) : c_(c) {}
  // Takes a row on such a line. Makes it say, for the whole line, which part of the standard library is meant.
  void operator()(Diagnostic& row);

 private:
  // Looks at all tokens of the file, once for each module.
  bool has_builtins_alone(std::string_view module);

  const Columns& c_;
  std::map<std::string_view, bool> builtins_alone_;
};

}  // namespace komuz::frontend

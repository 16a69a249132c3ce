// SPDX-License-Identifier: Apache-2.0
// The file that perf looks into for functions of code that a process has made: /tmp/perf-PID.map, with a line
// `ADDRESS SIZE NAME` for each, in hexadecimal digits.
#pragma once
#include <span>

#include "backend/llvm/code_maps.h"

namespace komuz::backend {

// If it cannot be written, note_problem is told why.
void append_perf_map(std::span<const MappedFunction> functions);

}  // namespace komuz::backend

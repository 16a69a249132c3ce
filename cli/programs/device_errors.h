// SPDX-License-Identifier: Apache-2.0
// Says what is wrong with a GPU.
#pragma once
#include "base/problem.h"
#include "cli/terminal/terminal.h"

namespace komuz::cli {

inline Exit report_device_error(std::string_view message, std::string_view remedy,
                                Terminal& terminal) {
  terminal.error(message, remedy);
  return Exit::Device;
}

// A GPU was asked for.
[[nodiscard]] inline Exit report_no_gpu(const Problem& problem, Terminal& terminal) {
  return report_device_error("`--device` finds no such GPU: " + problem.message(),
                             "use `--device cpu`; `komuz devices` shows what is there", terminal);
}

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
// Handles a lack of memory at the doors of a command (base/machine/memory.h).
#pragma once
#include <new>
#include <string>
#include <string_view>

#include "cli/terminal/terminal.h"

namespace komuz::cli {

// "the memory is full: `ulimit -v` allows no more"; `after`: " after 12 candidates", or nothing.
[[nodiscard]] std::string out_of_memory_text(std::string_view after = {});
// Reports that a command has failed, with whatever memory is left.
void say_out_of_memory(Terminal& terminal);

// Runs a part of a command that others can do without: if there is no memory for it, reports that `what` was not
// done.
template <class Part>
[[nodiscard]] Exit within_memory(std::string_view what, Terminal& terminal, const Part& part) {
  try {
    return part();
  } catch (const std::bad_alloc&) {
  }
  terminal.error(out_of_memory_text() + "; " + std::string(what));
  return Exit::Memory;
}

}  // namespace komuz::cli

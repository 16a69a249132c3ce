// SPDX-License-Identifier: Apache-2.0
// The doors of a command where there is no memory (base/machine/memory.h).
#pragma once
#include <new>
#include <string>
#include <string_view>

#include "cli/terminal/terminal.h"

namespace komuz::cli {

// "the memory is full: `ulimit -v` allows no more"; `after`: " after 12 candidates", or nothing.
[[nodiscard]] std::string out_of_memory_text(std::string_view after = {});
// Says that a command has come to nothing, whatever is left.
void say_out_of_memory(Terminal& terminal);

// A part of a command that the others do without: `what` was not done where there is no memory for it.
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

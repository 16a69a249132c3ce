// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/out_of_memory.h"

#include <unistd.h>

#include "base/machine/memory.h"

namespace komuz::cli {
namespace {

std::string_view bound_text(machine::MemoryBound bound) {
  switch (bound) {
    case machine::MemoryBound::None: return "";
    case machine::MemoryBound::Option: return ": `--memory` allows no more";
    case machine::MemoryBound::AddressSpace: return ": `ulimit -v` allows no more";
    case machine::MemoryBound::DataSize: return ": `ulimit -d` allows no more";
    case machine::MemoryBound::ControlGroup:
      return ": the control group of the process allows no more";
    case machine::MemoryBound::Machine: return ": the machine has no more";
  }
  return "";
}

}  // namespace

std::string out_of_memory_text(std::string_view after) {
  return "the memory is full" + std::string(after) +
         std::string(bound_text(machine::memory_bound()));
}

void say_out_of_memory(Terminal& terminal) {
  try {
    terminal.error(out_of_memory_text(), "give it more, or less to do");
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kMessage = "komuz: error: the memory is full\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  }
}

}  // namespace komuz::cli

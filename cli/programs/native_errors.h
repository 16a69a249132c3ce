// SPDX-License-Identifier: Apache-2.0
// How commands that write native code end where there is none, and what they warn of.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "cli/process/args.h"
#include "cli/terminal/terminal.h"
#include "lang/code.h"

namespace komuz::cli {

class NativeErrors {
 public:
  // `exit` says how the command ends, once something was said.
  NativeErrors(std::string_view command, Terminal& terminal, Exit& exit)
      : command_(command), terminal_(terminal), exit_(exit) {}

  std::nullopt_t usage(const std::string& why);
  // "no WHAT: …"
  std::nullopt_t missing(const std::string& what, const Problem& problem);
  // What `--entry` names; empty if it is not there, nothing if it is wrong.
  [[nodiscard]] std::optional<std::string_view> entry(const Args& args);
  // Calls may end in a hole that nobody has decided.
  void warn_of_holes(const std::string& path, const CodeView& code);

 private:
  std::string_view command_;
  Terminal& terminal_;
  Exit& exit_;
};

// For `--cpu help`: the names that `--cpu` may have, a line each. Device, and nothing on standard output, if there is no
// backend.
[[nodiscard]] Exit list_processors(Terminal& terminal);
[[nodiscard]] inline bool asks_for_processors(const Args& args) {
  return args.value("cpu") == "help";
}

}  // namespace komuz::cli

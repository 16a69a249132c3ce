// SPDX-License-Identifier: Apache-2.0
// Earlier inputs of sessions on this machine: $XDG_STATE_HOME/komuz/history, or ~/.local/state/komuz/history. Several sessions
// may write it at once, and none loses another's inputs.
#pragma once
#include <string>
#include <string_view>

#include "cli/files/files.h"

namespace komuz::cli {

class HistoryFile {
 public:
  // Without a home nothing is kept.
  HistoryFile();

  // What is there: lines, the newest last. Where it has grown too long it loses its first half.
  [[nodiscard]] std::string read();
  // Adds a line, or none of it, and says why.
  Problem append(std::string_view line);

 private:
  std::string path_;  // empty: nowhere
};

}  // namespace komuz::cli

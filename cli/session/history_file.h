// SPDX-License-Identifier: Apache-2.0
// The inputs of earlier sessions on this machine: $XDG_STATE_HOME/komuz/history, or ~/.local/state/komuz/history.
// Several sessions may write it at once without losing inputs.
#pragma once
#include <string>
#include <string_view>

#include "services/files/files.h"

namespace komuz::cli {

class HistoryFile {
 public:
  // Without a home folder nothing is kept.
  HistoryFile();

  // The lines of the file, the newest last. A file that has grown too long loses its first half.
  [[nodiscard]] std::string read();
  // Adds a whole line, or returns why it could not.
  Problem append(std::string_view line);

 private:
  std::string path_;  // empty: no history
};

}  // namespace komuz::cli

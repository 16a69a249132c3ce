// SPDX-License-Identifier: Apache-2.0
// Commands with their output, as text: the format of the golden files and of the console blocks in docs/.
//
//   $ komuz run examples/tour.komuz --entry gcd -- 1071 462
//   21
//   $ komuz run examples/tour.komuz --entry gdc
//   komuz: error: …
//   [exit 2]
//
// A command is followed by its standard output, its standard error, and its exit code if that is not 0. Lines that
// start with `# ` are remarks between commands.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::cli_test {

struct CommandResult {
  std::string out, err;
  int exit = 0;
};
// Runs a command line in `sh`, in the repository's root, with `komuz` in the path and $T naming `scratch`.
[[nodiscard]] CommandResult run_command(const std::string& command, const std::string& scratch);

// The text with every command's output replaced by what it prints now. `$T` stands for the scratch folder in both.
[[nodiscard]] std::string replay(std::string_view transcript, const std::string& scratch);

// A page with the text between each "```console" and its "```" replayed.
[[nodiscard]] std::string replay_page(std::string_view page, const std::string& scratch);

[[nodiscard]] std::string read_text(const std::string& path);
void write_text(const std::string& path, std::string_view text);

// A folder that is removed with its content.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace komuz::cli_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/transcript.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace komuz::cli_test {
namespace {

std::string next_line(std::string_view& text) {
  const std::string line(text.substr(0, text.find('\n')));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// What stands below a command: text that does not end in a line end gets one.
std::string shown(const CommandResult& result, const std::string& scratch) {
  std::string text = result.out;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += result.err;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (result.exit != 0) text += "[exit " + std::to_string(result.exit) + "]\n";
  replace_all(text, scratch, "$T");
  return text;
}

}  // namespace

CommandResult run_command(const std::string& command, const std::string& scratch) {
  const std::string out = scratch + "/.out", err = scratch + "/.err";
  const std::string folder = std::filesystem::path(KOMUZ_EXECUTABLE).parent_path().string();
  const std::string line = "cd '" KOMUZ_SOURCE_DIR "' && export KOMUZ_DEVICE=cpu T='" + scratch +
                           "' PATH='" + folder + "':\"$PATH\"" +
                           " PYTHONPATH='" KOMUZ_PYTHON_FOLDER "' PYTHONDONTWRITEBYTECODE=1 && { " +
                           command + "\n} >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(line.c_str());
  CommandResult result;
  result.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_text(out);
  result.err = read_text(err);
  return result;
}

// A comment stands right above a command. What a command prints may begin with `# `, too.
bool is_above_command(std::string_view rest) {
  while (rest.starts_with("# ")) next_line(rest);
  return rest.starts_with("$ ");
}

std::string replay(std::string_view transcript, const std::string& scratch) {
  std::string text;
  bool below_command = false;
  while (!transcript.empty()) {
    std::string line = next_line(transcript);
    if (line.starts_with("# ") && is_above_command(transcript)) {
      text += (text.empty() || !below_command ? "" : "\n") + line + "\n";
      below_command = false;
    } else if (line.starts_with("$ ")) {
      std::string command = line.substr(2);
      text += line + "\n";
      while (command.ends_with('\\') && !transcript.empty()) {
        line = next_line(transcript);
        text += line + "\n";
        command.back() = ' ';
        command += line;
      }
      text += shown(run_command(command, scratch), scratch);
      below_command = true;
    }
  }
  return text;
}

std::string replay_page(std::string_view page, const std::string& scratch) {
  std::string text;
  while (!page.empty()) {
    const std::string line = next_line(page);
    text += line + "\n";
    if (line != "```console") continue;
    const size_t end = page.find("\n```\n");
    const std::string_view block = page.substr(0, end == std::string_view::npos ? end : end + 1);
    page.remove_prefix(block.size());
    text += replay(block, scratch);
  }
  return text;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "komuz_cli_XXXXXX").string();
  if (const char* made = mkdtemp(name.data())) path_ = made;
}
ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace komuz::cli_test

// SPDX-License-Identifier: Apache-2.0
#include "cli/session/external_editor.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "cli/files/file_writer.h"
#include "services/options/environment.h"

namespace komuz::cli {

namespace {

// A file with an unpredictable name, which is removed in the end.
class PrivateFile {
 public:
  PrivateFile() {
    const std::string_view folder = services::environment_value("TMPDIR");
    path_ = std::string(folder.empty() ? "/tmp" : folder) + "/komuz-XXXXXX.komuz";
    file_ = mkstemps(path_.data(), sizeof ".komuz" - 1);
  }
  ~PrivateFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(path_.c_str());
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  [[nodiscard]] bool is_there() const { return file_ >= 0; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
};

// The shell splits the variable's value, such as `code --wait`. Returns the exit code; negative: it did not run.
int run_editor(std::string_view editor, const std::string& path) {
  const std::string line = std::string(editor) + " \"$1\"";
  const char* const words[] = {"sh", "-c", line.c_str(), "sh", path.c_str(), nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/bin/sh", nullptr, &attributes,
                                 const_cast<char* const*>(words), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Problem edit_outside(std::string& text) {
  std::string_view editor = services::environment_value("VISUAL");
  if (editor.empty()) editor = services::environment_value("EDITOR");
  if (editor.empty()) return input_problem("there is no editor: set VISUAL or EDITOR");
  const PrivateFile file;
  if (!file.is_there()) return services::system_error("write", file.path());
  std::string edited = text.empty() ? text : text + "\n";
  if (Problem error = write_file(file.path(), edited)) return error;
  if (run_editor(editor, file.path()) != 0)
    return input_problem("`" + std::string(editor) + "` failed; the input is as it was");
  if (Problem error = services::read_file(file.path(), edited, services::kMostSourceBytes))
    return error;
  while (edited.ends_with('\n') || edited.ends_with('\r')) edited.pop_back();
  text = std::move(edited);
  return {};
}

}  // namespace komuz::cli

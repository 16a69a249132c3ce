// SPDX-License-Identifier: Apache-2.0
// Commands of a session: a `:`, a word, and what belongs to it on the same line. A row each, which the help reads.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "repl/session.h"
#include "services/doc_finder.h"

namespace komuz::repl {

// What commands need of the world around.
struct Host {
  struct File {
    std::string text;
    std::string problem;  // not empty: there is no text
  };
  std::function<File(const std::string& path)> read_file;
  // Returns what is wrong, or nothing.
  std::function<std::string(const std::string& path, std::string_view text)> write_file;
  services::DocFinder::ReadModule read_module;
};

class Commands {
 public:
  Commands(Session& session, const Host& host)
      : session_(session), host_(host), docs_(host.read_module) {}

  // The input starts with a `:`.
  [[nodiscard]] Answer run(const Input& input, const std::stop_token& stop);
  [[nodiscard]] bool has_quit() const { return has_quit_; }

 private:
  friend struct CommandRow;
  // What belongs to the command, as an input of its own.
  Answer help(const Input& words);
  Answer type(const Input& words);
  Answer doc(const Input& words);
  Answer explain(const Input& words);
  Answer tokens(const Input& words);
  Answer tree(const Input& words);
  Answer code(const Input& words);
  Answer cost(const Input& words);
  Answer list(const Input& words);
  Answer load(const Input& words);
  Answer reload(const Input& words);
  Answer save(const Input& words);
  Answer undo(const Input& words);
  Answer reset(const Input& words);
  Answer fuel(const Input& words);
  Answer quit(const Input& words);

  Answer load_file(const std::string& path);

  Session& session_;
  const Host& host_;
  services::DocFinder docs_;
  std::vector<std::string> loaded_;  // files
  std::stop_token stop_;             // of the command that runs
  bool has_quit_ = false;
};

}  // namespace komuz::repl

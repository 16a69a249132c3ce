// SPDX-License-Identifier: Apache-2.0
// What somebody does at a terminal, and what the screen shows after each step: files of tests/repl/screens.
//
//   # words
//   @ sizes 40x10 80x10     the script is played on a terminal of each of these sizes
//   @ env NO_COLOR=1        for the session
//   @ banner                what a session begins with is not cleared
//   @ styles                screens show colours, too
//   @ hides [0-9]+ ns       what matches this regular expression is shown as `#`, as it differs from run to run
//   @ history 1 + 2         a line of the history that there is
//   @ type 1 + 2            keys that are characters
//   @ keys Enter Ctrl-C     keys by name
//   @ paste a\nb            between the marks of a paste
//   @ bytes \e[200~x        as they are
//   @ resize 60x10
//   @ signal TSTP
//   @ written noise         what another program writes to the terminal, which the session does not know of
//   @ again                 another session, after the end of this one
//   = 40x10                 what a terminal of this size shows then
//   |> 1 + 2
//   cursor 1 8
//
// What no screen follows is one step with what is next. In a new script a `=` alone stands where screens are to be. Each screen has
// to differ from the one before: it is waited for, and what stands there already says nothing of the step.
#pragma once
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace komuz::test {

struct ScreenStep {
  std::vector<std::string> lines;              // as they are in the file: words, and what is done
  std::map<std::string, std::string> screens;  // by size
};
struct ScreenScript {
  std::vector<std::string> sizes, environment, history;
  bool has_styles = false, has_banner = false;
  std::vector<std::regex> hidden;
  std::vector<ScreenStep> steps;
};
[[nodiscard]] ScreenScript read_script(std::string_view text);

// Plays it, and returns what it looks like then: the same text where all is well. `must_wait`: the screens are not known, and
// are taken when nothing changes for a while.
[[nodiscard]] std::string play_script(const ScreenScript& script, const std::string& scratch,
                                      bool must_wait);

// The environment of a session that keeps its history in the folder.
[[nodiscard]] std::vector<std::string> session_environment(const std::string& scratch);

}  // namespace komuz::test

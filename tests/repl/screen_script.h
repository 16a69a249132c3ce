// SPDX-License-Identifier: Apache-2.0
// The actions of a user at a terminal, and the screen after each step: the files of tests/repl/screens.
//
//   # words
//   @ sizes 40x10 80x10     the script is played on a terminal of each of these sizes
//   @ env NO_COLOR=1        for the session
//   @ banner                the session's first lines are not cleared
//   @ styles                screens show colours, too
//   @ hides [0-9]+ ns       text that matches this regular expression is shown as `#`, as it differs between runs
//   @ history 1 + 2         an existing line of the history
//   @ type 1 + 2            keys that are characters
//   @ keys Enter Ctrl-C     keys by name
//   @ paste a\nb            between the marks of a paste
//   @ bytes \e[200~x        as they are
//   @ resize 60x10
//   @ signal TSTP
//   @ written noise         output of another program on the terminal, unknown to the session
//   @ again                 another session, after the end of this one
//   = 40x10                 the screen of a terminal of this size
//   |> 1 + 2
//   cursor 1 8
//
// Actions without a screen behind them form one step with the next action. In a new script, a `=` alone marks the
// place of screens. Each screen has to differ from the one before: the player waits for it, and an unchanged screen
// would tell nothing about the step.
#pragma once
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace komuz::test {

struct ScreenStep {
  std::vector<std::string> lines;              // as in the file: remarks and actions
  std::map<std::string, std::string> screens;  // by size
};
struct ScreenScript {
  std::vector<std::string> sizes, environment, history;
  bool has_styles = false, has_banner = false;
  std::vector<std::regex> hidden;
  std::vector<ScreenStep> steps;
};
[[nodiscard]] ScreenScript read_script(std::string_view text);

// Plays the script, and returns it with the actual screens: the same text if all is well. `is_written`: screens that are
// not as they were are taken when nothing changes for a while.
[[nodiscard]] std::string play_script(const ScreenScript& script, const std::string& scratch,
                                      bool is_written);

// The environment of a session that keeps its history in the folder.
[[nodiscard]] std::vector<std::string> session_environment(const std::string& scratch);

}  // namespace komuz::test

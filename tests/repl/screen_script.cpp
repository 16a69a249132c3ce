// SPDX-License-Identifier: Apache-2.0
#include "tests/repl/screen_script.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "repl/editor/history.h"
#include "tests/repl/pseudo_terminal.h"

namespace komuz::test {

namespace {

constexpr std::chrono::milliseconds kQuiet(1200);  // more than the session waits for anything
constexpr std::chrono::seconds kPatience(20);

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      out += text[k];
      continue;
    }
    switch (text[++k]) {
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'e': out += '\x1b'; break;
      case 'x':
        out += static_cast<char>(std::stoi(std::string(text.substr(k + 1, 2)), nullptr, 16));
        k += 2;
        break;
      default: out += text[k];
    }
  }
  return out;
}

editor::ScreenSize size_of(const std::string& text) {
  return {static_cast<u32>(std::stoul(text)),
          static_cast<u32>(std::stoul(text.substr(text.find('x') + 1)))};
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) words.emplace_back(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return words;
}

int signal_of(std::string_view name) {
  if (name == "TSTP") return SIGTSTP;
  if (name == "CONT") return SIGCONT;
  if (name == "INT") return SIGINT;
  return SIGTERM;
}

class Player {
 public:
  Player(const ScreenScript& script, std::string size, std::string scratch)
      : script_(script), size_(std::move(size)), scratch_(std::move(scratch)) {
    const std::filesystem::path file = scratch_ + "/state/komuz/history";
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    for (const std::string& line : script.history) out << editor::History::to_line(unescaped(line));
    out.close();
    start();
  }

  // The screen after it: `expected` where it comes to be that. Else, if another one is to be written in its place, what there is when
  // it is quiet: so only what is new is waited for, and not each of hundreds of screens.
  std::string play(const ScreenStep& step, const std::string& expected, bool is_written) {
    for (const std::string& line : step.lines)
      if (line.starts_with("@ ")) act(line.substr(2));
    const auto end = std::chrono::steady_clock::now() + kPatience;
    std::string screen = shown();
    auto quiet_since = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < end && screen != expected) {
      const bool has_changed = terminal_->read(5);
      const auto now = std::chrono::steady_clock::now();
      if (has_changed) quiet_since = now;
      screen = shown();
      if (is_written && now - quiet_since > kQuiet) break;
    }
    return screen;
  }

 private:
  void start() {
    std::vector<std::string> environment = session_environment(scratch_);
    environment.insert(environment.end(), script_.environment.begin(), script_.environment.end());
    terminal_ = std::make_unique<PseudoTerminal>(
        size_of(size_), std::vector<std::string>{KOMUZ_EXECUTABLE, "repl"}, environment);
    // Keys that come before it takes them are the terminal's to show.
    const auto end = std::chrono::steady_clock::now() + kPatience;
    const auto wait_for = [&](const auto& is_there) {
      while (!is_there(terminal_->screen(false)) && std::chrono::steady_clock::now() < end)
        static_cast<void>(terminal_->read(5));
    };
    wait_for([](const std::string& screen) { return screen.find("\n|>") != std::string::npos; });
    if (script_.has_banner) return;
    terminal_->send(bytes_of_key("Ctrl-L"));
    wait_for([](const std::string& screen) { return screen.starts_with("|>"); });
  }

  [[nodiscard]] std::string shown() const {
    std::string screen = terminal_->screen(script_.has_styles);
    for (const std::regex& hidden : script_.hidden)
      screen = std::regex_replace(screen, hidden, "#");
    return screen;
  }

  void act(const std::string& line) {
    const std::string word = line.substr(0, line.find(' '));
    const std::string rest = line.size() > word.size() ? line.substr(word.size() + 1) : "";
    if (word == "type") terminal_->send(rest);
    if (word == "keys")
      for (const std::string& key : words_of(rest)) terminal_->send(bytes_of_key(key));
    if (word == "paste") terminal_->send("\x1b[200~" + unescaped(rest) + "\x1b[201~");
    if (word == "bytes") terminal_->send(unescaped(rest));
    if (word == "resize") terminal_->resize(size_of(rest));
    if (word == "signal") terminal_->signal(signal_of(rest));
    if (word == "written") terminal_->show(unescaped(rest));
    if (word == "again") {
      static_cast<void>(terminal_->wait_for_end());
      start();
    }
  }

  const ScreenScript& script_;
  std::string size_, scratch_;
  std::unique_ptr<PseudoTerminal> terminal_;
};

}  // namespace

std::vector<std::string> session_environment(const std::string& scratch) {
  return {"TERM=xterm-256color",
          "LANG=C.UTF-8",
          "KOMUZ_DEVICE=cpu",
          "HOME=" + scratch,
          "PATH=/usr/bin:/bin",
          "TMPDIR=" + scratch,
          "XDG_STATE_HOME=" + scratch + "/state"};
}

ScreenScript read_script(std::string_view text) {
  ScreenScript script;
  script.steps.emplace_back();
  std::string* screen = nullptr;
  while (!text.empty()) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with("=")) {
      screen = &script.steps.back().screens[line.size() > 2 ? line.substr(2) : ""];
      continue;
    }
    const bool is_screen =
        line.starts_with("|") || line.starts_with(":") || line.starts_with("cursor ");
    if (is_screen && screen != nullptr) {
      *screen += line + "\n";
      continue;
    }
    if (screen != nullptr) script.steps.emplace_back();
    screen = nullptr;
    script.steps.back().lines.push_back(line);
    const auto after = [&](std::string_view head) { return line.substr(head.size()); };
    if (line.starts_with("@ sizes ")) script.sizes = words_of(after("@ sizes "));
    if (line.starts_with("@ env ")) script.environment.push_back(after("@ env "));
    if (line.starts_with("@ history ")) script.history.push_back(after("@ history "));
    if (line == "@ styles") script.has_styles = true;
    if (line == "@ banner") script.has_banner = true;
    if (line.starts_with("@ hides ")) script.hidden.emplace_back(after("@ hides "));
  }
  return script;
}

std::string play_script(const ScreenScript& script, const std::string& scratch, bool is_written) {
  std::vector<ScreenStep> steps = script.steps;
  for (ScreenStep& step : steps) step.screens.clear();
  for (const std::string& size : script.sizes) {
    Player player(script, size, scratch + "/" + size);
    bool goes_on = true;
    for (size_t k = 0; k < steps.size(); ++k) {
      const auto known = script.steps[k].screens.find(size);
      const std::string expected = known == script.steps[k].screens.end() ? "" : known->second;
      std::string& screen = steps[k].screens[size];
      screen = goes_on ? player.play(steps[k], expected, is_written) : "not played\n";
      // Behind a screen that is not as it should be the others are not either, and each would be waited for.
      goes_on = is_written || screen == expected;
    }
  }
  std::string text;
  for (const ScreenStep& step : steps) {
    for (const std::string& line : step.lines) text += line + "\n";
    for (const std::string& size : script.sizes) text += "= " + size + "\n" + step.screens.at(size);
  }
  return text;
}

}  // namespace komuz::test

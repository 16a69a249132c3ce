// SPDX-License-Identifier: Apache-2.0
// Sessions at a terminal: the content of the screen (screens/*.txt; KOMUZ_UPDATE=1 writes them), and the state in
// which the terminal is left.
#include <gtest/gtest.h>
#include <termios.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "repl/command_table.h"
#include "tests/repl/pseudo_terminal.h"
#include "tests/repl/screen_script.h"

namespace komuz::test {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "komuz-screen-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> script_names() {
  std::vector<std::string> names;
  for (const auto& entry :
       fs::directory_iterator(fs::path(KOMUZ_SOURCE_DIR) / "tests/repl/screens"))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

fs::path script_path(const std::string& name) {
  return fs::path(KOMUZ_SOURCE_DIR) / "tests/repl/screens" / (name + ".txt");
}

class Screens : public testing::TestWithParam<std::string> {};

TEST_P(Screens, ShowWhatTheyShould) {
  const fs::path path = script_path(GetParam());
  const std::string kept = read_text(path);
  const Scratch scratch;
  const bool updates = std::getenv("KOMUZ_UPDATE") != nullptr;
  const std::string shown = play_script(read_script(kept), scratch.path(), updates);
  if (updates) std::ofstream(path, std::ios::binary) << shown;
  EXPECT_EQ(updates ? shown : kept, shown);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, Screens, testing::ValuesIn(script_names()), test_name);

std::vector<std::string> screens_that_stood_there(const ScreenScript& script) {
  std::vector<std::string> found;
  std::map<std::string, std::string> before;
  for (const ScreenStep& step : script.steps)
    for (const auto& [size, screen] : step.screens) {
      std::string& last = before[size];
      if (screen == last) found.push_back(step.lines.back() + " at " + size);
      last = screen;
    }
  return found;
}
// A screen is waited for: one that stands there before the step is found at once, whatever the step does.
TEST(Scripts, EveryStepBringsAnotherScreen) {
  for (const std::string& name : script_names())
    EXPECT_EQ(screens_that_stood_there(read_script(read_text(script_path(name)))),
              std::vector<std::string>())
        << name;
}

bool shows_command(const ScreenScript& script, std::string_view command) {
  const std::string typed = "@ type :" + std::string(command);
  return std::ranges::any_of(script.steps, [&](const ScreenStep& step) {
    return std::ranges::any_of(step.lines, [&](const std::string& line) {
      return line == typed || line.starts_with(typed + " ");
    });
  });
}
TEST(Scripts, EveryCommandIsShownAtThreeWidths) {
  std::set<std::string> missing;
  for (const repl::CommandRow& row : repl::CommandRow::all())
    for (const std::string_view columns : {"40x", "80x", "200x"})
      missing.insert(std::string(row.name) + " at " + std::string(columns));
  for (const std::string& name : script_names()) {
    const ScreenScript script = read_script(read_text(script_path(name)));
    for (const repl::CommandRow& row : repl::CommandRow::all())
      for (const std::string& size : script.sizes)
        if (shows_command(script, row.name))
          missing.erase(std::string(row.name) + " at " + size.substr(0, size.find('x') + 1));
  }
  EXPECT_EQ(missing, std::set<std::string>());
}

// Until the screen holds the text.
bool wait_for(PseudoTerminal& terminal, std::string_view text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (terminal.screen(false).find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > end) return false;
    static_cast<void>(terminal.read(5));
  }
  return true;
}

std::unique_ptr<PseudoTerminal> start_session(const Scratch& scratch,
                                              std::vector<std::string> words = {"repl"}) {
  words.insert(words.begin(), KOMUZ_EXECUTABLE);
  return std::make_unique<PseudoTerminal>(editor::ScreenSize{80, 24}, words,
                                          session_environment(scratch.path()));
}

bool is_same(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_lflag == b.c_lflag &&
         std::memcmp(a.c_cc, b.c_cc, sizeof a.c_cc) == 0;
}

// The marks of pastes are off again, and the modes what they were.
void expect_left(PseudoTerminal& terminal, const termios& before) {
  EXPECT_TRUE(is_same(terminal.modes(), before));
  const std::string& written = terminal.written();
  EXPECT_NE(written.find("\x1b[?2004h"), std::string::npos);
  EXPECT_GT(written.rfind("\x1b[?2004l"), written.rfind("\x1b[?2004h"));
}

TEST(TerminalSession, LeavesTheTerminalAsItWas) {
  const Scratch scratch;
  for (const std::string_view last : {":quit\r", "\x04"}) {
    const auto terminal = start_session(scratch);
    const termios before = terminal->first_modes();
    ASSERT_TRUE(wait_for(*terminal, "|>"));
    EXPECT_FALSE(is_same(terminal->modes(), before));
    terminal->send("1 + 2\r");
    ASSERT_TRUE(wait_for(*terminal, "|3\n|>"));
    terminal->send(last);
    EXPECT_EQ(terminal->wait_for_end(), 0);
    expect_left(*terminal, before);
  }
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    const auto terminal = start_session(scratch);
    const termios before = terminal->first_modes();
    ASSERT_TRUE(wait_for(*terminal, "|>"));
    terminal->send("1 + ");
    ASSERT_TRUE(wait_for(*terminal, "1 +"));
    terminal->signal(signal);
    EXPECT_NE(terminal->wait_for_end(), -1) << signal;
    expect_left(*terminal, before);
  }
}

TEST(TerminalSession, LeavesTheTerminalAsItWasWhereARunIsEnded) {
  const Scratch scratch;
  for (const int times : {1, 2}) {
    const auto terminal = start_session(scratch);
    const termios before = terminal->first_modes();
    ASSERT_TRUE(wait_for(*terminal, "|>"));
    terminal->send(":fuel 1000000000000\r");
    ASSERT_TRUE(wait_for(*terminal, "0000\n|>"));
    terminal->send("{ var n = 0; while n < 1_000_000_000_000 { n += 1; } n }\r");
    ASSERT_TRUE(wait_for(*terminal, "n }\ncursor"));
    for (int k = 0; k < times; ++k) terminal->signal(SIGTERM);
    EXPECT_NE(terminal->wait_for_end(), -1);
    expect_left(*terminal, before);
  }
}

TEST(TerminalSession, SessionsAtTheSameTimeKeepTheInputsOfBoth) {
  const Scratch scratch;
  const fs::path file = fs::path(scratch.path()) / "state/komuz/history";
  {
    const auto first = start_session(scratch), second = start_session(scratch);
    for (PseudoTerminal* const terminal : {first.get(), second.get()})
      ASSERT_TRUE(wait_for(*terminal, "|>"));
    first->send("10 + 1\r");
    ASSERT_TRUE(wait_for(*first, "|11\n"));
    second->send("20 + 2\r");
    ASSERT_TRUE(wait_for(*second, "|22\n"));
    first->send("(30 +\r3)\r");
    ASSERT_TRUE(wait_for(*first, "|33\n"));
  }
  EXPECT_EQ(read_text(file), "10 + 1\n20 + 2\n(30 +\\n    3)\n");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const auto third = start_session(scratch);
  ASSERT_TRUE(wait_for(*third, "|>"));
  third->send("\x10\x10\x10\x10");  // Ctrl-P: the lines of the newest one first
  EXPECT_TRUE(wait_for(*third, "|> 10 + 1\n")) << third->screen(false);
}

// The terminal shows them where the first prompt is to stand.
TEST(TerminalSession, KeysThatComeBeforeThePromptAreAnInputAllTheSame) {
  const Scratch scratch;
  const auto terminal = start_session(scratch);
  terminal->send("1 + 2");
  ASSERT_TRUE(wait_for(*terminal, "|> 1 + 2\n")) << terminal->screen(false);
  terminal->send("\r");
  EXPECT_TRUE(wait_for(*terminal, "|> 1 + 2\n|3\n|>\n")) << terminal->screen(false);
}

TEST(TerminalSession, ARankingIsAsWideAsTheTerminalIsWhenItIsShown) {
  const Scratch scratch;
  const auto terminal = start_session(scratch);
  ASSERT_TRUE(wait_for(*terminal, "|>"));
  terminal->send(":score maximize\r:top 2\r");
  terminal->send(
      "fn slow(x: f64) -> f64 { var t = x; for i in 0..9999 { t = t * 1.01 - t; } t }\r");
  terminal->send("slow(?a(0.0..=1.0, steps: 999)) + slow(?b(0.0..=1.0, steps: 999)) + 0.125\r");
  ASSERT_TRUE(wait_for(*terminal, ", best ")) << terminal->screen(false);
  terminal->resize({40, 24});
  terminal->send("\x03");
  ASSERT_TRUE(wait_for(*terminal, "candidates on ")) << terminal->screen(false);
  const std::string screen = terminal->screen(false);
  const size_t first = screen.find("|   1  #"), second = screen.find("\n|   2  #");
  ASSERT_NE(second, std::string::npos) << screen;
  EXPECT_EQ(screen.find('\n', first), second) << screen;
  EXPECT_TRUE(screen.substr(0, second).ends_with("…")) << screen;
}

// A history that has grown too long loses its older half, whole lines of it.
TEST(TerminalSession, AHistoryThatIsTooLongIsCut) {
  const Scratch scratch;
  const fs::path file = fs::path(scratch.path()) / "state/komuz/history";
  fs::create_directories(file.parent_path());
  std::string lines;
  for (int k = 0; lines.size() <= size_t{1} << 20; ++k) lines += std::to_string(k) + " + 1000000\n";
  std::ofstream(file, std::ios::binary) << lines;
  const auto terminal = start_session(scratch);
  ASSERT_TRUE(wait_for(*terminal, "|>"));
  const std::string kept = read_text(file);
  EXPECT_LE(kept.size(), size_t{1} << 19);
  EXPECT_GT(kept.size(), size_t{1} << 18);
  EXPECT_TRUE(lines.ends_with("\n" + kept));
}

TEST(TerminalSession, BeginsWhereNoCommandIsNamed) {
  const Scratch scratch;
  const auto terminal = start_session(scratch, {});
  ASSERT_TRUE(wait_for(*terminal, "|>"));
  terminal->send("6 * 7\r");
  EXPECT_TRUE(wait_for(*terminal, "|42\n"));
}

// Nor does one of which nothing is known; an error has colours elsewhere.
TEST(TerminalSession, ATerminalThatCannotMoveItsCursorGetsPlainLines) {
  for (const bool is_known : {true, false}) {
    const Scratch scratch;
    std::vector<std::string> environment = session_environment(scratch.path());
    environment[0] = "TERM=dumb";
    if (!is_known) environment.erase(environment.begin());
    PseudoTerminal terminal({80, 24}, {KOMUZ_EXECUTABLE, "repl"}, environment);
    ASSERT_TRUE(wait_for(terminal, "|>"));
    terminal.send("fn half(x: f64) -> f64 {\r");
    ASSERT_TRUE(wait_for(terminal, "|…"));
    terminal.send("x / 2.0 }\rhalf(5.0)\rhalf(true)\r:quit\r");
    EXPECT_EQ(terminal.wait_for_end(), 0);
    EXPECT_NE(terminal.screen(false).find("2.5\n"), std::string::npos) << terminal.screen(false);
    EXPECT_EQ(terminal.written().find('\x1b'), std::string::npos) << is_known;
  }
}

// `^C` is what the terminal shows.
TEST(TerminalSession, CtrlCOnATerminalThatCannotMoveItsCursorIsOfTheInput) {
  const Scratch scratch;
  std::vector<std::string> environment = session_environment(scratch.path());
  environment[0] = "TERM=dumb";
  PseudoTerminal terminal({80, 24}, {KOMUZ_EXECUTABLE, "repl"}, environment);
  ASSERT_TRUE(wait_for(terminal, "|>"));
  terminal.send("fn wrong( {\r");
  ASSERT_TRUE(wait_for(terminal, "|…"));
  terminal.send("1 +\x03");
  ASSERT_TRUE(wait_for(terminal, "^C\n|>\n")) << terminal.screen(false);
  terminal.send(":fuel 1000000000000\r");
  ASSERT_TRUE(wait_for(terminal, "0000\n|>"));
  // The terminal drops input that the session has not read yet: then there was nothing to stop.
  bool is_stopped = false;
  for (int wait = 10; wait < 20'000 && !is_stopped; wait *= 2) {
    terminal.send("{ var n = 0; while n < 1_000_000_000_000 { n += 1; } n }\r");
    ASSERT_TRUE(wait_for(terminal, "n }\ncursor"));
    static_cast<void>(terminal.read(wait));
    terminal.send("\x03");
    ASSERT_TRUE(wait_for(terminal, "\n|>\ncursor")) << terminal.screen(false);
    is_stopped = terminal.screen(false).find("^C\n|interrupted\n|>\n") != std::string::npos;
  }
  EXPECT_TRUE(is_stopped);
  terminal.send("6 * 7\r");
  EXPECT_TRUE(wait_for(terminal, "|42\n|>\n")) << terminal.screen(false);
  terminal.send("\x04");
  EXPECT_EQ(terminal.wait_for_end(), 0);
}

// The folder of the history is a file, or the history a folder: no permission is asked of who may do all.
TEST(TerminalSession, AHistoryThatCannotBeWrittenIsToldOnce) {
  for (const std::string_view in_the_way : {"state", "state/komuz/history/file"}) {
    const Scratch scratch;
    const fs::path file = fs::path(scratch.path()) / in_the_way;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "";
    const auto terminal = start_session(scratch);
    ASSERT_TRUE(wait_for(*terminal, "|>"));
    terminal->send("1 + 2\r");
    ASSERT_TRUE(wait_for(*terminal, "|3\n|>")) << terminal->screen(false);
    EXPECT_NE(terminal->written().find("inputs are not kept for later sessions: cannot"),
              std::string::npos);
    EXPECT_NE(terminal->written().find(scratch.path() + "/state/komuz"), std::string::npos);
    EXPECT_NE(terminal->written().find("XDG_STATE_HOME"), std::string::npos);
    const size_t told = terminal->written().size();
    terminal->send("3 + 4\r");
    ASSERT_TRUE(wait_for(*terminal, "|7\n|>")) << terminal->screen(false);
    EXPECT_EQ(terminal->written().find("not kept", told), std::string::npos);
    terminal->send("\x1b[A");
    EXPECT_TRUE(wait_for(*terminal, "|> 3 + 4\n|i64"));
  }
}

TEST(TerminalSession, AWatchedFileIsLoadedWhileAnInputIsTyped) {
  const Scratch scratch;
  const fs::path file = fs::path(scratch.path()) / "lib.komuz";
  const auto write = [&](std::string_view text) {
    const fs::path other = fs::path(scratch.path()) / "other";
    std::ofstream(other, std::ios::binary) << text;
    fs::rename(other, file);  // as editors do
  };
  write("fn f(x: i64) -> i64 { x }\n");
  const auto terminal = start_session(scratch);
  ASSERT_TRUE(wait_for(*terminal, "|>"));
  terminal->send(":watch " + file.string() + "\r");
  ASSERT_TRUE(wait_for(*terminal, "lib.komuz\n|>"));
  terminal->send("f(21)\x1b[D");
  ASSERT_TRUE(wait_for(*terminal, "|> f(21)\n|i64\ncursor 4 7"));
  write("fn f(x: i64) -> f64 { f64(2 * x) }\n");
  ASSERT_TRUE(wait_for(*terminal, "which has changed\n|> f(21)\n|f64\ncursor 5 7"))
      << terminal->screen(false);
  write("fn f(x: i64) -> f64 { true }\n// longer\n");
  ASSERT_TRUE(wait_for(*terminal, "error[K0301]")) << terminal->screen(false);
  ASSERT_TRUE(wait_for(*terminal, "and has errors\n|> f(21)\n|f64\n")) << terminal->screen(false);
  terminal->send("2\r");
  EXPECT_TRUE(wait_for(*terminal, "|> f(212)\n|424.0\n|>")) << terminal->screen(false);
}

}  // namespace
}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
#include "cli/session/terminal_session.h"

#include <dirent.h>
#include <unistd.h>

#include <deque>
#include <new>
#include <utility>

#include "base/machine/memory.h"
#include "cli/process/version.h"
#include "cli/session/external_editor.h"
#include "cli/session/history_file.h"
#include "repl/assistant.h"
#include "repl/editor/line_editor.h"
#include "services/files/files.h"
#include "services/options/environment.h"

namespace komuz::cli {

namespace {

using editor::Key;
using editor::Outcome;

// An Escape without a further byte within this time is a pressed key, and not the start of one.
constexpr int kEscapePause = 50;
// While the user is typing, errors of an unfinished word are not shown.
constexpr int kDescriptionPause = 80;
// Pastes come at once. After this time the user has to learn why keys have no effect.
constexpr int kPastePause = 1000;
// The pause between two checks of watched files: short for a user who saves a file and looks up.
constexpr int kWatchPause = 250;
constexpr std::string_view kEdit = ":edit";
constexpr std::string_view kClearRow = "\r\x1b[J";

std::vector<std::string> list_files(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const opened = opendir(folder.c_str());
  if (opened == nullptr) return names;
  while (const dirent* const entry = readdir(opened)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    names.push_back(name + (services::is_folder(folder + "/" + name) ? "/" : ""));
  }
  closedir(opened);
  return names;
}

class TerminalSession {
 public:
  TerminalSession(Terminal& terminal, repl::Repl& session, std::string_view name,
                  TerminalSignals& signals, Interrupt& interrupt, LiveEditors& editors)
      : terminal_(terminal),
        session_(session),
        name_(name),
        interrupt_(interrupt),
        editors_(editors),
        raw_(signals, interrupt.token()),
        keys_(std::string(services::environment_value("TERM"))),
        assistant_(session.session(), session.variants(), list_files),
        editor_(assistant_.assistance(), history_, terminal.out.style().colors) {
    history_.add_lines(file_.read());
    interrupt.end_part();  // a SIGINT between inputs has no effect
    interrupt.set_last_act([this] { raw_.restore(); });
  }
  ~TerminalSession() { interrupt_.set_last_act({}); }
  TerminalSession(const TerminalSession&) = delete;
  TerminalSession& operator=(const TerminalSession&) = delete;

  void run() {
    // Keys that came before are inputs. The terminal has echoed them where the first prompt will be.
    if (!raw_.enter()) return;
    std::string begin(kClearRow);
    for (const char c : session_banner()) begin += c == '\n' ? "\r\n" : std::string(1, c);
    raw_.write(begin);
    while (!session_.has_quit() && !interrupt_.requested()) {
      try {
        editor_.start(raw_.size());
        editor_.offer(session_.take_fix());
        if (!edit_input()) return;
        const std::string text = editor_.text();
        evaluate(text);
      } catch (const std::bad_alloc&) {  // drops the typed input, and the session goes on
        static_cast<void>(machine::end_shortage());
        raw_.write("\r\nthe memory is full\r\n");
      }
    }
  }

 private:
  // False: there are no more inputs.
  bool edit_input() {
    if (!raw_.enter()) return false;
    for (;;) {
      while (!pressed_.empty()) {
        const Key key = std::move(pressed_.front());
        pressed_.pop_front();
        switch (editor_.press(key)) {
          case Outcome::Editing: break;
          case Outcome::Submitted:
            if (repl::trimmed(editor_.text()) != kEdit) return true;
            edit_last();
            break;
          case Outcome::Ended: leave(); return false;
          case Outcome::Suspended: suspend(); break;
          case Outcome::EditOutside: edit_with_other(editor_.text()); break;
        }
      }
      show();
      std::string bytes;
      const int pause = keys_.is_waiting()            ? kEscapePause
                        : keys_.is_pasting()          ? kPastePause
                        : editor_.wants_description() ? kDescriptionPause
                        : session_.watches()          ? kWatchPause
                                                      : -1;
      std::vector<Key> keys;
      switch (raw_.wait(pause, editors_.readable_end(), bytes)) {
        case RawTerminal::Event::Keys: keys_.add(bytes, keys); break;
        case RawTerminal::Event::Pause:
          if (keys_.is_waiting())
            keys_.flush(keys);
          else if (keys_.is_pasting())
            editor_.tell("a paste goes on; Ctrl-C ends it");
          else if (editor_.wants_description())
            editor_.describe();
          else if (session_.sees_change())
            load_changed();
          break;
        case RawTerminal::Event::Called: take_items(); break;
        case RawTerminal::Event::Resized: editor_.resize(raw_.size()); break;
        case RawTerminal::Event::Suspend: suspend(); break;
        case RawTerminal::Event::Resumed: resume(); break;
        case RawTerminal::Event::Ended: leave(); return false;
      }
      pressed_.insert(pressed_.end(), keys.begin(), keys.end());
    }
  }

  void show() {
    editor_.paint();
    raw_.write(editor_.take_output());
  }
  // Restores the terminal, then moves the cursor below the input: a user who sees this can send a signal by a key.
  void leave() {
    editor_.finish();
    raw_.leave();
    raw_.write(editor_.take_output());
  }
  void suspend() {
    leave();
    raw_.suspend();
    resume();
  }
  // Other programs may have written to the terminal and changed its settings.
  void resume() {
    raw_.leave();
    raw_.enter();
    editor_.resize(raw_.size());
    editor_.forget_screen();
    raw_.write(kClearRow);
  }

  void edit_with_other(std::string text) {
    editor_.erase();
    raw_.write(editor_.take_output());
    raw_.leave();
    if (const Problem problem = edit_outside(text)) {
      terminal_.error(problem.message());
      terminal_.err.flush();
    }
    editor_.set_text(std::move(text));
    resume();
  }
  void edit_last() { edit_with_other(history_.size() == 0 ? "" : history_[history_.size() - 1]); }

  void keep(const std::string& text) {
    if (!history_.add(text)) return;
    const Problem error = file_.append(editor::History::to_line(text));
    if (!error || !std::exchange(keeps_history_, false)) return;
    terminal_.warning("inputs are not kept for later sessions: " + error.message(),
                      "see to it that this can be done, or name another folder in XDG_STATE_HOME");
    terminal_.err.flush();
  }

  // Ctrl-C is a key until there is something to stop, and then a signal.
  template <class Act>
  void do_stoppable(const Act& act) {
    const std::stop_token stop = interrupt_.begin_part();
    raw_.run();
    raw_.write(editor_.take_output());
    session_.set_columns(raw_.size().columns);
    act(stop);
    terminal_.out.flush();
    terminal_.err.flush();
    interrupt_.end_part();
  }
  void evaluate(const std::string& text) {
    editor_.finish();
    do_stoppable([&](const std::stop_token& stop) {
      keep(text);
      const u64 inputs = session_.inputs();
      session_.add(text + "\n", name_, stop);
      session_.end(name_, stop);
      // A signal may come before the input is read.
      if (stop.stop_requested() && session_.inputs() == inputs)
        terminal_.err.write("interrupted\n");
    });
  }
  // The report appears above the input, which stays as it is.
  template <class Act>
  void do_above_input(const Act& act) {
    editor_.erase();
    do_stoppable(act);
    raw_.enter();
    editor_.resize(raw_.size());
    editor_.forget_description();
  }
  void load_changed() {
    do_above_input([&](const std::stop_token& stop) { session_.load_changed(stop); });
  }
  void take_items() {
    const std::string items = editors_.take();
    if (items.empty()) return;
    do_above_input([&](const std::stop_token& stop) {
      terminal_.out.write("from an editor:\n" + items);
      session_.define(items, kEditorName, stop);
    });
  }

  Terminal& terminal_;
  repl::Repl& session_;
  std::string_view name_;
  Interrupt& interrupt_;
  LiveEditors& editors_;
  RawTerminal raw_;
  editor::KeyReader keys_;
  std::deque<Key> pressed_;  // not handled yet
  HistoryFile file_;
  bool keeps_history_ = true;  // as far as known
  editor::History history_;
  repl::Assistant assistant_;
  editor::LineEditor editor_;
};

}  // namespace

bool can_edit(const Terminal& terminal) {
  const std::string_view kind = services::environment_value("TERM");
  return isatty(STDIN_FILENO) != 0 && terminal.out.is_terminal() && !kind.empty() && kind != "dumb";
}

std::string session_banner() {
  return "Komuz " + std::string(kVersion) + "\n:help or ? for help, Ctrl-D to leave\n";
}

void run_terminal_session(Terminal& terminal, repl::Repl& session, std::string_view name,
                          TerminalSignals& signals, Interrupt& interrupt, LiveEditors& editors) {
  TerminalSession(terminal, session, name, signals, interrupt, editors).run();
}

}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
// The terminal while a line is edited on it: keys as they are pressed, and other events.
#pragma once
#include <termios.h>

#include <csignal>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/process/stop_pipe.h"
#include "repl/editor/layout.h"

namespace komuz::cli {

// Signals to the process from the terminal or its user, which become events while a line is edited. Make it before
// any other thread, since threads inherit blocked signals.
class TerminalSignals {
 public:
  TerminalSignals();
  ~TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

  // The signals have their usual effects.
  void release();
  // The signals can be read.
  void hold();
  [[nodiscard]] int readable_end() const { return file_; }

 private:
  sigset_t signals_{}, before_{};
  int file_ = -1;
};

// Requires that standard input and output are a terminal.
class RawTerminal {
 public:
  RawTerminal(TerminalSignals& signals, const std::stop_token& stop)
      : signals_(signals), stop_(stop) {}
  // Restores the terminal, however this place is reached.
  ~RawTerminal() { leave(); }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  // False: it cannot be done. enter() has no effect when entered, leave() none when not entered.
  bool enter();
  // For a program that runs in between and reads no keys. Keys wait for the next enter(), and are not shown; keys for
  // signals send signals.
  void run();
  void leave();
  // Restores the terminal for a thread that ends the process while a line is edited or an input runs. Nobody changes
  // the terminal afterwards.
  void restore();

  enum class Event : u8 {
    Keys,   // bytes have come
    Pause,  // no bytes came for the time
    Resized,
    Suspend,  // a request to suspend
    Resumed,  // stopped from outside, and continued
    Called,   // the file that is waited for, too, is readable
    Ended,    // there will be no more keys
  };
  // `pause`: in milliseconds; negative: no limit. `also`: another file to wait for; -1: none.
  [[nodiscard]] Event wait(int pause, int also, std::string& bytes);
  void write(std::string_view bytes);
  // Stops the process until it is continued. Afterwards the terminal is not entered.
  void suspend();
  [[nodiscard]] editor::ScreenSize size() const;

 private:
  enum class Mode : u8 { Left, Running, Raw };
  [[nodiscard]] Event take_signal();
  bool set(tcflag_t local_flags_off, tcflag_t input_flags_off);

  TerminalSignals& signals_;
  StopPipe stop_;
  std::timed_mutex changing_;  // for the two below, and the terminal's state
  termios before_{};
  Mode mode_ = Mode::Left;
};

}  // namespace komuz::cli

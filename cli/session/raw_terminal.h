// SPDX-License-Identifier: Apache-2.0
// The terminal while something is edited on it: keys as they are pressed, and what happens to it meanwhile.
#pragma once
#include <termios.h>

#include <csignal>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/process/stop_pipe.h"
#include "repl/editor/layout.h"

namespace komuz::cli {

// Signals that the terminal and who works at it send to a process, which come as events while something is edited. Make it
// before any other thread, as threads inherit what is blocked.
class TerminalSignals {
 public:
  TerminalSignals();
  ~TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

  // They do what they always do.
  void release();
  // They can be read.
  void hold();
  [[nodiscard]] int readable_end() const { return file_; }

 private:
  sigset_t signals_{}, before_{};
  int file_ = -1;
};

// Standard input and output are a terminal.
class RawTerminal {
 public:
  RawTerminal(TerminalSignals& signals, const std::stop_token& stop)
      : signals_(signals), stop_(stop) {}
  // However the process comes here: the terminal is as it was.
  ~RawTerminal() { leave(); }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  // False: it cannot be done. Enter does nothing where it is entered, leave where it is not.
  bool enter();
  // Between: something runs that reads no keys. They stay for who enters next, and are not shown; those that mean signals are signals.
  void run();
  void leave();
  // The terminal as it was, for who ends the process while something is edited or runs, on another thread: nobody changes it any more.
  void restore();

  enum class Event : u8 {
    Keys,   // bytes have come
    Pause,  // none have for the time
    Resized,
    Suspend,  // asked to stop for a while
    Resumed,  // was stopped by others, and goes on
    Ended,    // there will be no keys
  };
  // `pause`: in milliseconds; negative: no time.
  [[nodiscard]] Event wait(int pause, std::string& bytes);
  void write(std::string_view bytes);
  // Stops the process until somebody wants it to go on. Not entered after it.
  void suspend();
  [[nodiscard]] editor::ScreenSize size() const;

 private:
  enum class Mode : u8 { Left, Running, Raw };
  [[nodiscard]] Event take_signal();
  bool set(tcflag_t local_flags_off, tcflag_t input_flags_off);

  TerminalSignals& signals_;
  StopPipe stop_;
  std::timed_mutex changing_;  // of the two below, and of the terminal with them
  termios before_{};
  Mode mode_ = Mode::Left;
};

}  // namespace komuz::cli

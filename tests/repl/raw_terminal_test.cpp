// SPDX-License-Identifier: Apache-2.0
// The modes of a terminal while one thread changes them and another one ends the process.
#include "cli/session/raw_terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

namespace komuz::cli {
namespace {

// In a process of its own, whose standard streams are a terminal: ends with 0 where that is as it was, and stays so.
[[noreturn]] void expect_restored() {
  termios before{}, after{};
  tcgetattr(STDIN_FILENO, &before);
  TerminalSignals signals;
  RawTerminal terminal(signals, {});
  std::atomic<u32> rounds = 0;
  std::thread([&] {
    for (;; ++rounds) {
      terminal.enter();
      terminal.run();
      terminal.leave();
    }
  }).detach();
  constexpr u32 kRounds = 20;
  while (rounds < kRounds) std::this_thread::yield();
  terminal.restore();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const u32 round = rounds;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  tcgetattr(STDIN_FILENO, &after);
  const bool is_same = before.c_lflag == after.c_lflag && before.c_iflag == after.c_iflag &&
                       std::memcmp(before.c_cc, after.c_cc, sizeof before.c_cc) == 0;
  _exit(is_same && round == rounds ? 0 : 1);
}

TEST(RawTerminal, NobodyChangesATerminalThatIsRestoredForTheEndOfTheProcess) {
  int file = -1;
  const pid_t child = forkpty(&file, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) expect_restored();
  char bytes[4096];
  while (read(file, bytes, sizeof bytes) > 0) {
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  close(file);
}

}  // namespace
}  // namespace komuz::cli

// SPDX-License-Identifier: Apache-2.0
// Native code as a user makes it: an object file that a C program calls, and what is said where there is none.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

using nlohmann::json;

bool has_backend(const ScratchFolder& scratch) {
  const json found = json::parse(run_command("komuz devices --json", scratch.path()).out);
  return found["native"]["problem"].is_null();
}

// docs/native.md declares it so.
constexpr char kCaller[] = R"(#include <stdint.h>
#include <stdio.h>
struct komuz_case { uint64_t left, reserve, ended; void* scratch; uint32_t stop; };
uint64_t steps_case(struct komuz_case*, const void* const*, uint64_t, uint64_t*, uint64_t);
int main(void) {
  const int64_t n[3] = {27, 97, 1};
  const void* columns[1] = {n};
  for (uint64_t row = 0; row < 3; ++row) {
    struct komuz_case state = {16384, 1000000 - 1 - 16384, 0, 0, 0};
    uint64_t value = 0;
    const uint64_t trap = steps_case(&state, columns, row, &value, 1);
    printf("%d %d %d\n", (int)trap, (int)value, (int)(1000000 - state.left - state.reserve));
  }
  struct komuz_case state = {9, 0, 0, 0, 0};
  uint64_t value = 0;
  const uint64_t trap = steps_case(&state, columns, 0, &value, 1);
  printf("%d %d\n", (int)(trap & 255), (int)(trap >> 8 & 0xffffff));
}
)";

TEST(Native, AnObjectFileIsCalledFromC) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult made = run_command(
      "komuz build examples/collatz/loop.komuz --emit=obj -o $T/loop.o && cat >$T/main.c "
      "<<'END'\n" +
          std::string(kCaller) + "END\ncc -O1 $T/main.c $T/loop.o -o $T/main && $T/main",
      scratch.path());
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(made.out, "0 111 112\n0 118 119\n0 0 1\n8 1\n");
}

TEST(Native, TextsSayWhatTheyAre) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const std::string command = "komuz build examples/collatz/loop.komuz --emit=";
  EXPECT_NE(run_command(command + "ll", scratch.path()).out.find("define i64 @steps_case("),
            std::string::npos);
  EXPECT_NE(run_command(command + "asm-native", scratch.path()).out.find("steps_case:"),
            std::string::npos);
  const CommandResult other = run_command(command + "ll --cpu z80", scratch.path());
  EXPECT_EQ(other.exit, 4);
  EXPECT_NE(other.err.find("z80"), std::string::npos) << other.err;
}

// Without it, and with something else in its place, everything else works, and the reason is said.
TEST(Native, WithoutBackendTheReasonIsSaid) {
  const ScratchFolder scratch;
  const std::string files[] = {"/no/such/file.so", "README.md", "/lib/x86_64-linux-gnu/libc.so.6"};
  for (const std::string& file : files) {
    const std::string with = "KOMUZ_BACKEND=" + file + " komuz ";
    const CommandResult devices = run_command(with + "devices", scratch.path());
    EXPECT_EQ(devices.exit, 0);
    EXPECT_NE(devices.out.find("native none: "), std::string::npos) << devices.out;
    EXPECT_NE(devices.out.find(file), std::string::npos) << devices.out;
    EXPECT_EQ(run_command(with + "run examples/collatz/loop.komuz -- 27", scratch.path()).out,
              "111\n");
    const CommandResult build =
        run_command(with + "build examples/collatz/loop.komuz --emit=ll", scratch.path());
    EXPECT_EQ(build.exit, 4);
    EXPECT_EQ(build.out, "");
    EXPECT_NE(build.err.find("no native code of `steps`: "), std::string::npos) << build.err;
  }
}

TEST(Native, OptionsOfNativeCodeAreForItAlone) {
  const ScratchFolder scratch;
  const CommandResult wrong =
      run_command("komuz build examples/collatz/loop.komuz --cpu native", scratch.path());
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("`--cpu` is for native code"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace komuz::cli_test

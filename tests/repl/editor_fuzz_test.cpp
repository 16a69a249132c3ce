// SPDX-License-Identifier: Apache-2.0
// Runs the steps of fuzz_editor for a while.
#include <gtest/gtest.h>

#include "tests/repl/editor_fuzzers.h"

namespace komuz::test {
namespace {

constexpr u64 kSeeds = 500;

TEST(EditorFuzz, EveryKeyLeavesTheScreenThatAFreshOneWouldBe) {
  EditorFuzzers fuzzers;
  for (u64 seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(fuzzers.keys(seed), "") << "seed " << seed;
}

TEST(EditorFuzz, WhatTheSessionSaysOfInputsIsNeverTooMuch) {
  EditorFuzzers fuzzers;
  for (u64 seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(fuzzers.session(seed), "") << "seed " << seed;
}

TEST(EditorFuzz, BytesWithoutMeaningAreRead) {
  EditorFuzzers fuzzers;
  for (u64 seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(fuzzers.bytes(seed), "") << "seed " << seed;
}

}  // namespace
}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
#include "engine/support/write_pieces.h"

#include <gtest/gtest.h>

#include <atomic>

namespace komuz::engine {
namespace {

TEST(WritePieces, TheyComeInOrder) {
  for (const u32 workers : {1u, 2u, 5u})
    for (const u32 count : {0u, 1u, 7u, 8u, 9u, 500u}) {
      WorkerPool pool(workers);
      std::string wanted, found;
      for (u32 k = 0; k < count; ++k) wanted += std::to_string(k) + " ";
      write_pieces(
          pool, count, [](u32 k, std::string& out) { out += std::to_string(k) + " "; },
          [&](std::string_view piece) {
            found += piece;
            return true;
          });
      EXPECT_EQ(found, wanted) << workers << " workers, " << count << " pieces";
    }
}

TEST(WritePieces, WhatIsNotWantedIsNotMade) {
  WorkerPool pool(3);
  std::atomic<u32> made = 0;
  u32 written = 0;
  write_pieces(
      pool, 1'000'000, [&](u32, std::string& out) { ++made, out += 'x'; },
      [&](std::string_view) { return ++written < 5; });
  EXPECT_EQ(written, 5u);
  EXPECT_LT(made, 1000u);
}

}  // namespace
}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
#include "vm/broadcast_values.h"

#include <gtest/gtest.h>

namespace komuz::vm {
namespace {

TEST(BroadcastValues, StayWhereTheyAre) {
  BroadcastValues values;
  std::vector<BroadcastValue*> first;
  for (u64 k = 0; k < 1000; ++k) {
    first.push_back(&values.add());
    first.back()->words.fill(k);
  }
  for (u64 k = 0; k < first.size(); ++k) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first[k]) % kBroadcastBytes, 0u);
    EXPECT_EQ(first[k]->words.front(), k);
    EXPECT_EQ(first[k]->words.back(), k);
  }
  values.clear();
  for (BroadcastValue* const before : first) EXPECT_EQ(&values.add(), before) << "memory is kept";
}

}  // namespace
}  // namespace komuz::vm

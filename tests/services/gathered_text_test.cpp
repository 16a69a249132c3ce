// SPDX-License-Identifier: Apache-2.0
// Texts of which items are left out: what stands there, and that each byte knows its place.
#include <gtest/gtest.h>

#include "services/quick/gathered_text.h"

namespace komuz::test {
namespace {

using services::GatheredText;
using services::LeftOut;

constexpr std::string_view kWhole = "fn a() { }\n\nfn bc() { }\n";

TEST(GatheredText, LeavesATabForWhatIsGone) {
  GatheredText text(kWhole, LeftOut::Gone);
  text.leave_out(10);
  text.keep(24);
  EXPECT_EQ(text.text(), "\t\n\nfn bc() { }\n");
  EXPECT_FALSE(text.has_all_places());
  EXPECT_EQ(text.place_of(0), 0u);
  EXPECT_EQ(text.place_of(3), 12u);
  EXPECT_EQ(text.byte_of(12), 3u);
  // Behind the one text, and behind the other.
  EXPECT_EQ(text.place_of(static_cast<u32>(text.text().size()) + 5), kWhole.size() + 5);
}

TEST(GatheredText, KeepsAllPlacesWithBlanks) {
  GatheredText text(kWhole, LeftOut::Blank);
  text.leave_out(10);
  text.keep(17);
  text.replace(23, "{}");
  text.keep(24);
  EXPECT_EQ(text.text(), "\t\t\t\t\t\t\t\t\t\t\n\nfn bc{}    \n");
  EXPECT_TRUE(text.has_all_places());
  for (u32 k = 0; k < kWhole.size(); ++k) {
    EXPECT_EQ(text.place_of(k), k);
    EXPECT_EQ(text.byte_of(k), k);
  }
}

TEST(GatheredText, PutsWordsInThePlaceOfMore) {
  GatheredText text(kWhole, LeftOut::Gone);
  text.keep(4);
  text.replace(10, "{}");
  text.keep(24);
  EXPECT_EQ(text.text(), "fn a{}\n\nfn bc() { }\n");
  EXPECT_EQ(text.place_of(4), 4u);
  EXPECT_EQ(text.place_of(6), 10u);
  EXPECT_EQ(text.byte_of(12), 8u);
}

}  // namespace
}  // namespace komuz::test

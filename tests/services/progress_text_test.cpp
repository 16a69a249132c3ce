// SPDX-License-Identifier: Apache-2.0
// Progress bars: the parts that are left out if there is little room.
#include "services/progress_text.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

TEST(ProgressText, SaysRateAndTimeLeft) {
  EXPECT_EQ(progress_text({2'500, 10'000, -1, "variants"}, 2.0, 100),
            "[=======                       ] 2,500 of 10,000 variants, 1,300/s, 6 s left");
  EXPECT_EQ(progress_text({7, std::nullopt, 0.5, "candidates"}, 300.0, 100),
            "[===============               ] 7 candidates, 0/s, 5 min left");
  EXPECT_EQ(progress_text({7, std::nullopt, -1, "candidates"}, 1.0, 100), "7 candidates, 7/s");
  EXPECT_EQ(progress_text({0, 5, -1, "variants"}, 0, 60),
            "[" + std::string(30, ' ') + "] 0 of 5 variants");
}

TEST(ProgressText, ALineSaysHowLongItTookSoFar) {
  EXPECT_EQ(progress_line({2'500, 10'000, -1, "candidates"}, 20.4, 20.4),
            "20 s: 2,500 of 10,000 candidates, 120/s, 62 s left");
  EXPECT_EQ(progress_line({0, 5, -1, "variants"}, 2, 130), "3 min: 0 of 5 variants");
  EXPECT_EQ(progress_line({7, std::nullopt, -1, "rows"}, 1.0, 41.0), "41 s: 7 rows, 7/s");
  EXPECT_EQ(progress_line({0, std::nullopt, -1, "candidates"}, 0.45, 0.45),
            "0.4 s: no candidates yet");
  EXPECT_EQ(progress_line({0, 5, -1, "candidates"}, 0.99, 0.99), "0.9 s: 0 of 5 candidates");
}

TEST(ProgressText, HasTheBestScoreWhereThereIsRoom) {
  const Progress progress{123'456, 1'000'000, -1, "variants", "0.857871"};
  EXPECT_EQ(progress_text(progress, 3.5, 75),
            "[       ] 123,456 of 1,000,000 variants, best 0.857871, 35,000/s, 25 s left");
  EXPECT_EQ(progress_text(progress, 3.5, 45), "[      ] 123k of 1M, best 0.857871, 25 s left");
  EXPECT_EQ(progress_text(progress, 3.5, 20), "[       ] 123k of 1M");
  EXPECT_EQ(progress_line(progress, 3.5, 3.5),
            "3 s: 123,456 of 1,000,000 variants, best 0.857871, 35,000/s, 25 s left");
}

TEST(ProgressText, FitsTheTerminal) {
  const Progress progress{123'456, 1'000'000, -1, "variants"};
  for (u32 columns = 0; columns < 120; ++columns)
    EXPECT_LE(progress_text(progress, 3.5, columns).size(), columns);
  EXPECT_EQ(progress_text(progress, 3.5, 58),
            "[     ] 123,456 of 1,000,000 variants, 35,000/s, 25 s left");
  EXPECT_EQ(progress_text(progress, 3.5, 57),
            "[=            ] 123,456 of 1,000,000, 35,000/s, 25 s left");
  EXPECT_EQ(progress_text(progress, 3.5, 39), "[        ] 123k of 1M, 35k/s, 25 s left");
  EXPECT_EQ(progress_text(progress, 3.5, 30), "[      ] 123k of 1M, 25 s left");
  EXPECT_EQ(progress_text(progress, 3.5, 20), "[       ] 123k of 1M");
  EXPECT_EQ(progress_text(progress, 3.5, 10), "123k of 1M");
  EXPECT_EQ(progress_text({999'499, 9'995'000, -1, "variants"}, 0, 20), "[      ] 999k of 10M");
}

}  // namespace
}  // namespace komuz::services

// SPDX-License-Identifier: Apache-2.0
// The origin of a finding is searched for in its own item, whatever the order of the items' findings.
#include "frontend_gpu/findings/follow_ups.h"

#include <gtest/gtest.h>

#include "frontend_gpu/frontend.h"

namespace komuz::frontend {
namespace {

TEST(FollowUps, FindingsInAnyOrderOfTheirItems) {
  constexpr std::string_view kSource =
      "fn first(x: i64) -> i64 { lost }\n"
      "fn second(x: i64) -> i64 { let Some(lost) = x; lost }\n";
  Compiler compiler;
  Compilation out;
  compiler.compile(kSource, out);
  ASSERT_EQ(out.diagnostics.size(), 2);  // the second use follows from the pattern
  const Columns& c = compiler.columns();
  const auto finding = [&](DiagnosticCode code, size_t place, u32 feature) {
    Index node = 0;
    while (c.token_start[c.token[node]] != place) ++node;
    return Finding{make_diagnostic(code, static_cast<u32>(place), 4, feature), c.item[node], node};
  };
  const size_t first = kSource.find("lost"), second = kSource.rfind("lost");
  const Finding pattern =
      finding(DiagnosticCode::NotSupported, kSource.find("(lost"), kFeaturePatterns);
  const Finding in_first = finding(DiagnosticCode::UnknownName, first, 0);
  const Finding in_second = finding(DiagnosticCode::UnknownName, second, 0);
  ASSERT_LT(in_first.item, pattern.item);

  FollowUps follow_ups(c, {pattern, in_first, in_second});
  EXPECT_FALSE(follow_ups.contain(in_first));
  EXPECT_TRUE(follow_ups.contain(in_second));
  FollowUps told_of_none(c, {pattern});
  EXPECT_FALSE(told_of_none.contain(in_first));
}

}  // namespace
}  // namespace komuz::frontend

// SPDX-License-Identifier: Apache-2.0
// `use` items in order: small texts by hand, and that programs of the repository compile afterwards, and need no second round.
#include "services/refactor/organize_uses.h"

#include <gtest/gtest.h>

#include "engine/candidates/load_modules.h"
#include "tests/services/damage.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

std::string organized(std::string text) {
  engine::ModuleLoader modules;
  modules.load(text);
  services::Analysis analysis(&modules.library());
  analysis.read(text);
  const std::vector<Edit> edits = services::organize_uses(analysis);
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->begin, edit->end - edit->begin, edit->text);
  return text;
}

TEST(OrganizeUses, SortsJoinsAndDrops) {
  constexpr std::string_view kBody = "fn f(x: f64) -> f64 { lerp(x, 1.0, math.radians(x)) }\n";
  const std::string body(kBody);
  EXPECT_EQ(organized("use std.math.{lerp, clip};\n" + body), "use std.math.{clip, lerp};\n" + body)
      << "an unknown name is an error, and nothing goes";
  EXPECT_EQ(organized("use std.math.{smoothstep};\nuse std.math;\nuse std.list;\nuse "
                      "std.math.{lerp};\n" +
                      body),
            "use std.math;\nuse std.math.{lerp};\n" + body);
  // As the formatter has it, with a line between.
  EXPECT_EQ(organized("use std.math.{lerp};\n\nuse std.math;\n\n" + body),
            "use std.math;\n\nuse std.math.{lerp};\n\n" + body);
  EXPECT_EQ(organized("use std.math;\nuse std.math.{lerp};\n" + body),
            "use std.math;\nuse std.math.{lerp};\n" + body);
}

TEST(OrganizeUses, CommentsStayWhereTheyAre) {
  constexpr std::string_view kText =
      "use std.math;\n// of lists\nuse std.bits;\nfn f() -> i64 { bits.bit(1, 0) + math.gcd(1, 2) "
      "}\n";
  EXPECT_EQ(organized(std::string(kText)), kText);
  constexpr std::string_view kInside =
      "use std.math.{\n    lerp, // why\n    gcd,\n};\nfn f() -> f64 { lerp(1.0, 2.0, 3.0) }\n";
  EXPECT_EQ(organized(std::string(kInside)), kInside);
}

TEST(OrganizeUses, ExamplesAndTypesUseNames) {
  constexpr std::string_view kExample =
      "use std.math.{gcd};\n\n/// >>> gcd(f(), 4) == 2\nfn f() -> i64 { 2 }\n";
  EXPECT_EQ(organized(std::string(kExample)), kExample);
  constexpr std::string_view kType = "use std.geom.{Vec2};\n\nfn f() -> f64 { Vec2(1.0, 2.0).x }\n";
  EXPECT_EQ(organized(std::string(kType)), kType);
  EXPECT_EQ(organized("use std.list;\n\nfn f() -> i64 { 2 }\n"), "fn f() -> i64 { 2 }\n");
}

TEST(OrganizeUses, HolesUseSpaces) {
  const std::string body = "fn f(a: bool, b: bool) -> bool { ?logic2(a, b) }\n";
  EXPECT_EQ(organized("use std.spaces.logic.{logic3, logic2};\n\n" + body),
            "use std.spaces.logic.{logic2};\n\n" + body);
}

TEST(OrganizeUses, ProgramsOfTheRepositoryCompileAfterwards) {
  u32 with_uses = 0;
  for (const auto& path : corpus()) {
    const std::string text = read_text(path);
    if (text.find("use ") == std::string::npos || text.size() > 40'000) continue;
    const std::string once = organized(text);
    EXPECT_EQ(organized(once), once) << path;
    const auto errors = [](const std::string& program) {
      engine::ModuleLoader modules;
      modules.load(program);
      services::Analysis analysis(&modules.library());
      analysis.read(program);
      return analysis.diagnostics().size();
    };
    EXPECT_LE(errors(once), errors(text)) << path;
    ++with_uses;
  }
  EXPECT_GT(with_uses, 10u);
}

}  // namespace
}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
// What an editor is told of inputs that are being typed.
#include "repl/assistant.h"

#include <gtest/gtest.h>

namespace komuz::repl {
namespace {

// One module of files.
struct OneModule final : engine::ModuleFiles {
  std::optional<engine::ModuleText> read(std::string_view path) override {
    if (path != "lib.packing") return std::nullopt;
    return engine::ModuleText{"lib/packing.komuz", "pub fn first_fit(n: i64) -> i64 { n }\n"};
  }
  std::vector<std::string> list() override { return {"lib.packing"}; }
};

class AssistantTest : public testing::Test {
 protected:
  std::vector<std::string> completed(std::string_view text) {
    std::vector<std::string> names;
    for (const editor::Candidate& candidate : assistant_.complete(text, text.size()).candidates)
      names.push_back(candidate.text);
    return names;
  }
  OneModule files_;
  Session session_{&files_};
  Variants variants_{session_, {}, {}};
  Assistant assistant_{session_, variants_, {}};
};

TEST_F(AssistantTest, CompletionReadsTheModulesThatAnInputNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(completed("use lib.packing.{fi"), Names{"first_fit"});
  EXPECT_EQ(completed("use lib.packing;"), Names{});
  EXPECT_EQ(completed("1 + std.math.ler"), Names{"lerp"});
}

TEST_F(AssistantTest, CompletionKnowsWhatElementsWant) {
  ASSERT_FALSE(session_.evaluate({"fn is_far(x: f64) -> bool { x > 9.0 }", "input"}).is_failure());
  ASSERT_FALSE(
      session_.evaluate({"let (n, xs, far) = (3, [1.0, 2.0], 9.5)", "input"}).is_failure());
  EXPECT_EQ(completed("xs.filter(").at(0), "is_far");
  EXPECT_EQ(completed("xs.contains(").at(0), "far");
  EXPECT_EQ(completed("xs.get(").at(0), "n");
}

}  // namespace
}  // namespace komuz::repl

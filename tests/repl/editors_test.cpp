// SPDX-License-Identifier: Apache-2.0
// `:lsp`, with editors that a test says to be there.
#include <gtest/gtest.h>

#include "repl/repl.h"

namespace komuz::repl {
namespace {

class ToldEditors final : public Editors {
 public:
  [[nodiscard]] std::string listen(u16 port) override {
    if (port == 1) return "cannot listen on port 1: Permission denied";
    port_ = port == 0 ? 40'000 : port;
    return {};
  }
  void end() override { port_ = 0; }
  [[nodiscard]] u16 port() const override { return port_; }
  [[nodiscard]] u32 connected() const override { return count; }
  void show(services::LiveRef live) override {
    ++shown;
    last = std::move(live);
  }

  u32 count = 0, shown = 0;
  services::LiveRef last;

 private:
  u16 port_ = 0;
};

class AttachedEditors : public testing::Test {
 protected:
  std::string say(std::string_view text) {
    out_.clear();
    session_.add(std::string(text) + "\n", "<stdin>");
    return out_;
  }
  static Host host_of(Editors* editors) {
    Host host;
    host.editors = editors;
    host.read_cases = [](const std::string& /*path*/, const engine::Watch& /*watch*/) {
      return Result<std::string>("x,y\n1.0,2.0\n2.0,4.0\n");
    };
    return host;
  }

  ToldEditors editors_;
  std::string out_;
  Repl session_{nullptr,
                host_of(&editors_),
                {},
                {[this](std::string_view text) { out_ += text; },
                 [this](std::string_view text) { out_ += text; }}};
};

TEST_F(AttachedEditors, AreLetInByACommand) {
  EXPECT_EQ(say(":lsp off"), "no editor can connect; `:lsp` lets them\n");
  EXPECT_EQ(say(":lsp"), "editors connect to 127.0.0.1:40000\n");
  EXPECT_EQ(say(":lsp"), "editors connect to 127.0.0.1:40000; none is connected\n");
  editors_.count = 1;
  EXPECT_EQ(say(":lsp 0"), "editors connect to 127.0.0.1:40000; 1 is\n");
  editors_.count = 2;
  EXPECT_EQ(say(":lsp input"),
            "editors connect to 127.0.0.1:40000, and may define items here; 2 are\n");
  EXPECT_EQ(say(":lsp off"), "editors are cut off\n");
  EXPECT_EQ(say(":lsp 8940"), "editors connect to 127.0.0.1:8940\n");
}

TEST_F(AttachedEditors, AreRefusedInSentences) {
  const auto has = [&](std::string_view command, std::string_view words) {
    const std::string said = say(command);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  has(":lsp 65536", "`65536` is no port, which is a number from 0 to 65535");
  has(":lsp -1", "`-1` is no port");
  has(":lsp 80a", "`80a` is no port");
  has(":lsp 80 81", "`81` is no port");
  has(":lsp off 80", "`off` stands alone");
  has(":lsp 1", "cannot listen on port 1: Permission denied; `:lsp` takes any port that is free");
  say(":lsp 8940");
  has(":lsp 8941", "editors connect to port 8940 already; say `:lsp off` first");
}

TEST_F(AttachedEditors, SeeWhatHasChangedAndNothingElse) {
  say("fn half(x: f64) -> f64 { x / 2.0 }");
  EXPECT_EQ(editors_.shown, 0u);
  say(":lsp");
  ASSERT_EQ(editors_.shown, 1u);
  EXPECT_NE(editors_.last->definitions.find_name("half"), nullptr);
  EXPECT_FALSE(editors_.last->cases);
  say("half(1.0)");
  EXPECT_EQ(editors_.shown, 1u);
  say("fn third(x: f64) -> f64 { x / 3.0 }");
  ASSERT_EQ(editors_.shown, 2u);
  EXPECT_NE(editors_.last->definitions.find_name("third"), nullptr);
  say(":undo");
  ASSERT_EQ(editors_.shown, 3u);
  EXPECT_EQ(editors_.last->definitions.find_name("third"), nullptr);
  say(":cases data.csv y");
  ASSERT_EQ(editors_.shown, 4u);
  ASSERT_TRUE(editors_.last->cases);
  EXPECT_EQ(editors_.last->cases->output, "y");
  EXPECT_EQ(editors_.last->cases->score, engine::ScoreKind::SquaredError);
  say(":cases none");
  ASSERT_EQ(editors_.shown, 5u);
  EXPECT_FALSE(editors_.last->cases);
}

TEST_F(AttachedEditors, DefineItemsAndNothingElse) {
  session_.define("/// A third.\nfn third(x: f64) -> f64 { x / 3.0 }\n", "<editor>");
  EXPECT_EQ(say("third(3.0)"), "1.0\n");
  for (const std::string_view text : {":quit\n", "1 + 1\n", "fn f() -> f64 { 1.0 \n:}\n:quit\n"}) {
    out_.clear();
    session_.define(text, "<editor>");
    EXPECT_NE(out_.find("error"), std::string::npos) << text;
    EXPECT_FALSE(session_.has_quit());
  }
}

}  // namespace
}  // namespace komuz::repl

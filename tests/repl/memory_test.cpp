// SPDX-License-Identifier: Apache-2.0
// Sessions with refused allocations: an input without enough memory reports this, and the session goes on as if the
// input had not come.
#include "base/machine/memory.h"

#include <gtest/gtest.h>

#include "repl/repl.h"

namespace komuz::repl {
namespace {

constexpr u64 kPlaces = 50;

class Talk {
 public:
  Talk()
      : repl_(nullptr, host(), ReplOptions(),
              {[this](std::string_view text) { said_ += text; },
               [this](std::string_view text) { said_ += text; }}) {}
  std::string say(std::string_view input) {
    said_.clear();
    said_.reserve(1 << 12);
    repl_.add(input, "input");
    return said_;
  }

 private:
  static Host host() {
    Host host;
    host.read_cases = [](const std::string&, const engine::Watch&) {
      return std::string("x,expected\n1.5,3.0\n2.5,5.0\n3.5,7.0\n");
    };
    return host;
  }
  std::string said_;
  Repl repl_;
};

TEST(LackOfMemory, ASessionSurvivesIt) {
  const std::string inputs[] = {
      "let z = [1.5, 2.5, a]\n",
      "fn g(n: i64) -> i64 { f(n) + 1 } g(4)\n",
      "use std.geom; geom.Vec2(1.0, 2.0).x\n",
      "type P = P(x: f64, y: f64)\n",
      "b += 1\n",
      "?c(0.0..=3.0, steps: 40) * x + ?d[0.0, 1.0]\n",
      "test \"t\" { assert f(2) == 4; }\n",
      "f(\n",
  };
  for (const std::string& input : inputs) {
    const auto begin = [](Talk& talk) {
      EXPECT_EQ(talk.say("let a = 0.5\nvar b = 7\nfn f(n: i64) -> i64 { n * 2 }\n"),
                "a = 0.5\nb = 7\n");
      EXPECT_NE(talk.say(":cases c.csv\n").find("3 cases"), std::string::npos);
      EXPECT_EQ(talk.say(":score squared\n"), "");
    };
    std::string expected;
    u64 allocations = 0;
    {
      Talk talk;
      begin(talk);
      machine::refuse_allocations(u64{1} << 40, 1);
      expected = talk.say(input);
      allocations = machine::allocations();
      machine::refuse_allocations(0, 0);
    }
    for (u64 place = 0; place < kPlaces; ++place) {
      SCOPED_TRACE(input + " refused at " + std::to_string(allocations * place / kPlaces));
      Talk talk;
      begin(talk);
      machine::refuse_allocations(allocations * place / kPlaces, 3);
      const std::string said = talk.say(input);
      machine::refuse_allocations(0, 0);
      EXPECT_FALSE(machine::is_memory_short());
      EXPECT_TRUE(said == expected || said.find("the memory is full") != std::string::npos) << said;
      if (input == "f(\n") talk.say(")\n");
      EXPECT_EQ(talk.say("a + 1.0\n"), "1.5\n");
      EXPECT_EQ(talk.say("f(21)\n"), "42\n");
      EXPECT_NE(talk.say("?c(0.0..=3.0, steps: 4) * x\n").find("4 candidates on 3 cases: 4 "),
                std::string::npos);
      EXPECT_EQ(talk.say("fn g(n: i64) -> i64 { n }\ng(3)\n").substr(0, 2), "3\n");
    }
  }
}

}  // namespace
}  // namespace komuz::repl

// SPDX-License-Identifier: Apache-2.0
// Proposals for the windows of a program: each is compared with its window, whatever the model knows.
#include <gtest/gtest.h>

#include <set>

#include "frontend_gpu/frontend.h"
#include "neural/propose/propose_windows.h"
#include "neural/teacher/costs.h"
#include "tests/neural/random_model.h"

namespace komuz::neural {
namespace {

TEST(ProposeWindows, ComparesEachProposal) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile("pub fn f(a: u8, b: u8) -> u8 { min(max(a, b), a) }\n", made);
  ASSERT_TRUE(made.ok);
  const Model model = random_model({.d = 32,
                                    .heads = 2,
                                    .ff = 32,
                                    .encoder_layers = 1,
                                    .decoder_layers = 1,
                                    .source = 96,
                                    .target = 4,
                                    .words = 256,
                                    .types = 16},
                                   1);
  const u32 functions[] = {0};
  // So many that the shortest targets are among them.
  const ProposedWindows proposed =
      propose_windows(made.code.view(), functions, model, {.decode = {.count = 1000}});
  ASSERT_EQ(proposed.windows.size(), 1u);
  EXPECT_FALSE(proposed.is_interrupted);
  const ProposedWindow& window = proposed.windows[0];
  EXPECT_EQ(window.unwritten, Unwritten::None);
  EXPECT_EQ(window.cost, cost_of_code(window.lone.code.view(), 0));
  u32 refuted = 0, proved = 0;
  std::set<std::string> proved_words;
  for (const JudgedProposal& judged : window.proposals) {
    refuted += judged.equality.verdict == Verdict::Refuted ? 1 : 0;
    if (judged.equality.verdict != Verdict::Proved) continue;
    ++proved;
    EXPECT_EQ(judged.cost, cost_of_code(judged.proposal.code.view(), 0));
    proved_words.insert(words_text(judged.proposal.candidate.words));
  }
  EXPECT_GT(refuted, 100u);
  EXPECT_TRUE(proved_words.contains("V0 END")) << proved;
  EXPECT_FALSE(proved_words.contains("V1 END"));
}

TEST(ProposeWindows, StopsWhenAsked) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile("pub fn f(a: u8, b: u8) -> u8 { if a < b { a } else { b } }\n", made);
  const Model model = random_model({.d = 16,
                                    .heads = 1,
                                    .ff = 16,
                                    .encoder_layers = 1,
                                    .decoder_layers = 1,
                                    .source = 96,
                                    .target = 96,
                                    .words = 256,
                                    .types = 16},
                                   2);
  std::stop_source stop;
  stop.request_stop();
  const engine::Watch watch(stop.get_token());
  const u32 functions[] = {0};
  ProposeOptions options;
  options.watch = &watch;
  const ProposedWindows proposed = propose_windows(made.code.view(), functions, model, options);
  EXPECT_TRUE(proposed.is_interrupted);
  EXPECT_TRUE(proposed.windows.empty());
}

}  // namespace
}  // namespace komuz::neural

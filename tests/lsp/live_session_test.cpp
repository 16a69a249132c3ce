// SPDX-License-Identifier: Apache-2.0
// What an editor sends to a session that is attached: nothing of it is lost without a word.
#include <gtest/gtest.h>

#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;

constexpr std::string_view kUri = "file:///w/a.komuz";

Json answer_to(const std::vector<Json>& messages, i64 id) {
  for (const Json& message : messages)
    if (message.value("id", Json()) == id) return message;
  return {};
}

TEST(LspLiveSession, ABusySessionIsTold) {
  SessionHarness harness;
  harness.send(request(0, "initialize", {{"capabilities", Json::object()}}));
  const auto live = live_session("const y: i64 = 3;\n");
  live->takes_input = true;
  harness.server().look_at(live);
  harness.send(opened(kUri, 1, "fn f(x: i64) -> i64 { x }\n"));
  const Json params = {{"command", "komuz.toSession"}, {"arguments", Json::array({kUri})}};
  harness.is_session_busy = true;
  harness.send(request(1, "workspace/executeCommand", params));
  harness.run_jobs();
  EXPECT_EQ(answer_to(harness.take_messages(), 1)["error"]["code"], -32803);
  harness.is_session_busy = false;
  harness.send(request(2, "workspace/executeCommand", params));
  harness.run_jobs();
  EXPECT_EQ(answer_to(harness.take_messages(), 2)["result"]["defines"], Json::array({"f"}));
}

}  // namespace
}  // namespace komuz::lsp_test

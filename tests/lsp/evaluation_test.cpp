// SPDX-License-Identifier: Apache-2.0
// Evaluations beside the answers: nothing waits for one, an edit ends it, and what came of it can be played again.
#include <gtest/gtest.h>

#include "lsp/record.h"
#include "tests/lsp/recorded_session.h"
#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;
using lsp::Lane;

constexpr std::string_view kSketchUri = "file:///w/a.komuz";
constexpr std::string_view kCasesText = "x,expected\n1.0,2.0\n2.0,4.5\n3.0,6.1\n";
// 6,003 variants: two steps.
constexpr std::string_view kLarge =
    "//! cases: c.csv\n//! score: squared\n"
    "pub fn f(x: f64) -> f64 { x * ?(0.0..=3.0, steps: 2001) + ?(0.0..1.0, steps: 3) }\n";

Json sketch_initialize() {
  return request(0, "initialize",
                 {{"rootUri", "file:///w"},
                  {"initializationOptions", {{"komuz", {{"ranking", true}}}}},
                  {"capabilities", Json::object()}});
}
Json changed_to(i64 version, std::string_view text) {
  return notification("textDocument/didChange",
                      {{"textDocument", {{"uri", kSketchUri}, {"version", version}}},
                       {"contentChanges", Json::array({{{"text", text}}})}});
}
Json ranking_request(i64 id) {
  return request(id, "komuz/ranking", {{"textDocument", {{"uri", kSketchUri}}}, {"count", 1}});
}
Json result_of(const std::vector<Json>& messages, i64 id) {
  for (const Json& message : messages)
    if (message.contains("id") && message["id"] == id && message.contains("result"))
      return message["result"];
  return {};
}
std::vector<std::string> states_in(const std::vector<Json>& messages) {
  std::vector<std::string> states;
  for (const Json& message : messages)
    if (message.contains("method") && message["method"] == "komuz/rankingChanged")
      states.push_back(message["params"]["version"].dump() + " " +
                       message["params"]["state"].get<std::string>());
  return states;
}
void run_lane(lsp::Server& server, Lane lane) {
  while (const lsp::JobRef job = server.take(lane)) {
    job->run();
    static_cast<void>(server.finish(job));
  }
}
SessionHarness& begin_sketch(SessionHarness& harness) {
  harness.files.texts["/w/c.csv"] = kCasesText;
  harness.send(sketch_initialize());
  harness.send(opened(kSketchUri, 1, kLarge));
  return harness;
}

// A client that shows what came last would show an old ranking for ever otherwise.
TEST(LspEvaluation, NewsComeBehindWhatWasAskedBefore) {
  SessionHarness harness;
  begin_sketch(harness);
  lsp::Server& server = harness.server();
  run_lane(server, Lane::Answers);
  const lsp::JobRef step = server.take(Lane::Evaluations);
  ASSERT_NE(step, nullptr);
  harness.send(ranking_request(1));
  const lsp::JobRef answer = server.take(Lane::Answers);
  ASSERT_NE(answer, nullptr);
  step->run();
  EXPECT_TRUE(server.finish(step));
  answer->run();
  EXPECT_TRUE(server.finish(answer));
  run_lane(server, Lane::Answers);
  std::vector<std::string> order;
  for (const Json& message : harness.take_messages()) {
    if (message.value("id", Json()) == 1)
      order.push_back("answer: " + message["result"]["state"].get<std::string>());
    if (message.value("method", "") == "komuz/rankingChanged") order.emplace_back("news");
  }
  EXPECT_EQ(order, (std::vector<std::string>{"answer: running", "news"}));
}

TEST(LspEvaluation, AnswersDoNotWaitForIt) {
  SessionHarness harness;
  begin_sketch(harness);
  lsp::Server& server = harness.server();
  run_lane(server, Lane::Answers);
  const lsp::JobRef step = server.take(Lane::Evaluations);
  ASSERT_NE(step, nullptr);
  EXPECT_FALSE(server.has_jobs(harness.client()));
  harness.send(ranking_request(1));
  run_lane(server, Lane::Answers);
  const Json early = result_of(harness.take_messages(), 1);
  EXPECT_EQ(early["state"], "running");
  EXPECT_TRUE(early["rows"].empty());
  // The first step is shown while the second one is still to come.
  step->run();
  EXPECT_TRUE(server.finish(step));
  harness.send(ranking_request(2));
  run_lane(server, Lane::Answers);
  const Json sampled = result_of(harness.take_messages(), 2);
  EXPECT_EQ(sampled["state"], "running");
  EXPECT_EQ(sampled["evaluated"], 1024);
  EXPECT_EQ(sampled["variants"], "6003");
  run_lane(server, Lane::Evaluations);
  harness.send(ranking_request(3));
  run_lane(server, Lane::Answers);
  const Json all = result_of(harness.take_messages(), 3);
  EXPECT_EQ(all["state"], "done");
  EXPECT_EQ(all["evaluated"], 6003);
  EXPECT_FALSE(all["isSample"]);
}

TEST(LspEvaluation, AnEditEndsIt) {
  SessionHarness harness;
  begin_sketch(harness);
  lsp::Server& server = harness.server();
  run_lane(server, Lane::Answers);
  const lsp::JobRef step = server.take(Lane::Evaluations);
  ASSERT_NE(step, nullptr);
  harness.send(changed_to(2, "//! cases: c.csv\npub fn f(x: f64) -> f64 { x * ?[2.0, 3.0] }\n"));
  EXPECT_TRUE(step->stop.stop_requested());
  step->run();
  EXPECT_FALSE(server.finish(step));
  harness.run_jobs();
  EXPECT_EQ(states_in(harness.take_messages()), std::vector<std::string>{"2 done"});
  // A document that is closed is forgotten.
  harness.send(changed_to(3, kLarge));
  harness.send(notification("textDocument/didClose", {{"textDocument", {{"uri", kSketchUri}}}}));
  harness.run_jobs();
  EXPECT_TRUE(states_in(harness.take_messages()).empty());
}

// The head of each text is read before it is evaluated, in a job that every second edit lets end.
TEST(LspEvaluation, TheLastOfManyEditsIsRanked) {
  SessionHarness harness;
  begin_sketch(harness);
  lsp::Server& server = harness.server();
  const auto take_head = [&] {
    lsp::JobRef job = server.take(Lane::Answers);
    for (; job != nullptr && !job->topic.starts_with("rank "); job = server.take(Lane::Answers)) {
      job->run();
      static_cast<void>(server.finish(job));
    }
    return job;
  };
  const auto edit = [&](i64 version, u32 steps) {
    harness.send(
        changed_to(version, "//! cases: c.csv\npub fn f(x: f64) -> f64 { x * ?(0.0..=3.0, steps: " +
                                std::to_string(steps) + ") }\n"));
  };
  for (const u32 steps : {11u, 12u, 13u}) {
    const lsp::JobRef head = take_head();
    ASSERT_NE(head, nullptr);
    edit(steps, steps);
    head->run();
    static_cast<void>(server.finish(head));
  }
  harness.run_jobs();
  static_cast<void>(harness.take_messages());
  harness.send(ranking_request(1));
  harness.run_jobs();
  const Json ranking = result_of(harness.take_messages(), 1);
  EXPECT_EQ(ranking["state"], "done");
  EXPECT_EQ(ranking["version"], 13);
  EXPECT_EQ(ranking["variants"], "13");
}

// A client that pulls diagnostics is answered on the new folders only once it asks.
TEST(LspEvaluation, ModulesOfAFolderThatComesAreThere) {
  SessionHarness harness;
  harness.files.texts["/w/c.csv"] = kCasesText;
  harness.files.texts["/lib/twice.komuz"] = "pub fn twice(x: f64) -> f64 { 2.0 * x }\n";
  harness.send(sketch_initialize());
  harness.send(opened(kSketchUri, 1,
                      "//! cases: c.csv\nuse twice;\n"
                      "pub fn f(x: f64) -> f64 { twice.twice(x) * ?[1.0, 1.5] }\n"));
  harness.send(request(1, "textDocument/diagnostic", {{"textDocument", {{"uri", kSketchUri}}}}));
  harness.run_jobs();
  EXPECT_EQ(states_in(harness.take_messages()), std::vector<std::string>{"1 failed"});
  harness.send(notification("workspace/didChangeWorkspaceFolders",
                            {{"event",
                              {{"added", Json::array({{{"uri", "file:///lib"}, {"name", "lib"}}})},
                               {"removed", Json::array()}}}}));
  harness.run_jobs();
  EXPECT_EQ(states_in(harness.take_messages()), std::vector<std::string>{"1 done"});
}

TEST(LspEvaluation, CasesAreReadWhereTheyMayBe) {
  SessionHarness harness;
  harness.files.texts["/w/c.csv"] = kCasesText;
  harness.files.texts["/else/c.csv"] = kCasesText;
  harness.files.texts["/w/large.csv"] = std::string((size_t{16} << 20) + 1, '\n');
  harness.send(sketch_initialize());
  const auto problem_with = [&](std::string_view name) {
    const std::string text =
        "//! cases: " + std::string(name) + "\npub fn f(x: f64) -> f64 { x * ?[2.0, 3.0] }\n";
    harness.send(opened(kSketchUri, 1, text));
    harness.send(ranking_request(1));
    harness.run_jobs();
    std::string problem;
    for (const Json& message : harness.take_messages())
      if (message.contains("method") && message["method"] == "komuz/rankingChanged")
        problem = message["params"].value("problem", "");
    return problem;
  };
  EXPECT_EQ(problem_with("c.csv"), "");
  EXPECT_EQ(problem_with("/w/c.csv"), "");
  EXPECT_NE(problem_with("none.csv").find("there is no file `none.csv`"), std::string::npos);
  EXPECT_NE(problem_with("/else/c.csv").find("outside of the workspace"), std::string::npos);
  EXPECT_NE(problem_with("large.csv").find("more than 16 MiB"), std::string::npos);
}

TEST(LspEvaluation, SentCasesTakeThePlaceOfAFile) {
  SessionHarness harness;
  harness.send(sketch_initialize());
  harness.send(opened("untitled:1", 1, "pub fn f(x: f64) -> f64 { x * ?[2.0, 3.0] }\n"));
  harness.run_jobs();
  EXPECT_TRUE(states_in(harness.take_messages()).empty());
  const auto send_cases = [&](const Json& text) {
    harness.send(notification(
        "komuz/cases",
        {{"textDocument", {{"uri", "untitled:1"}}}, {"name", "c.csv"}, {"text", text}}));
    harness.run_jobs();
    return states_in(harness.take_messages());
  };
  EXPECT_EQ(send_cases(kCasesText), std::vector<std::string>{"1 done"});
  EXPECT_EQ(send_cases("x,expected\n1.0"), std::vector<std::string>{"1 failed"});
  EXPECT_EQ(send_cases(nullptr), std::vector<std::string>{"1 none"});
}

Json search_request(i64 id) {
  return request(id, "workspace/executeCommand",
                 {{"command", "komuz.search"}, {"arguments", Json::array({kSketchUri, 60})}});
}

// As the button of a page does, which knows the token that it gave.
TEST(LspEvaluation, ASearchIsShownAndEndedByTheTokenOfItsRequest) {
  SessionHarness harness;
  begin_sketch(harness);
  harness.run_jobs();
  lsp::Server& server = harness.server();
  Json asked = search_request(1);
  asked["params"]["workDoneToken"] = "mine";
  harness.send(asked);
  const lsp::JobRef search = server.take(Lane::Searches);
  ASSERT_NE(search, nullptr);
  static_cast<void>(harness.take_messages());
  server.tell_progress(search->number, {{"kind", "begin"}, {"title", "search"}});
  std::vector<Json> messages = harness.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0]["method"], "$/progress");
  EXPECT_EQ(messages[0]["params"]["token"], "mine");
  harness.send(notification("window/workDoneProgress/cancel", {{"token", "mine"}}));
  EXPECT_TRUE(search->stop.stop_requested());
  messages = harness.take_messages();
  EXPECT_EQ(messages.back()["id"], 1);
  EXPECT_EQ(messages.back()["error"]["code"], -32800);
  search->run();
  EXPECT_FALSE(server.finish(search));
}

TEST(LspEvaluation, AnEditEndsASearch) {
  SessionHarness harness;
  begin_sketch(harness);
  harness.run_jobs();
  lsp::Server& server = harness.server();
  harness.send(search_request(1));
  const lsp::JobRef search = server.take(Lane::Searches);
  ASSERT_NE(search, nullptr);
  EXPECT_TRUE(server.has_jobs(harness.client()));
  static_cast<void>(harness.take_messages());
  harness.send(changed_to(2, "//! cases: c.csv\npub fn f(x: f64) -> f64 { x * ?[2.0, 3.0] }\n"));
  EXPECT_TRUE(search->stop.stop_requested());
  const std::vector<Json> messages = harness.take_messages();
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages[0]["id"], 1);
  EXPECT_EQ(messages[0]["error"]["code"], -32800);
  search->run();
  EXPECT_FALSE(server.finish(search));
}

TEST(LspEvaluation, ASearchEndsWithTheSession) {
  SessionHarness harness;
  begin_sketch(harness);
  harness.run_jobs();
  harness.send(search_request(1));
  const lsp::JobRef search = harness.server().take(Lane::Searches);
  ASSERT_NE(search, nullptr);
  static_cast<void>(harness.take_messages());
  harness.send(request(2, "shutdown", nullptr));
  harness.run_jobs();
  EXPECT_TRUE(search->stop.stop_requested());
  const std::vector<Json> messages = harness.take_messages();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0]["id"], 1);
  EXPECT_EQ(messages[0]["error"]["code"], -32800);
  EXPECT_EQ(messages[1]["id"], 2);
}

TEST(LspEvaluation, IsPlayedAgain) {
  MemoryFiles files;
  files.texts["/w/c.csv"] = kCasesText;
  RecordedSession session(files);
  session.send(sketch_initialize());
  session.send(opened(kSketchUri, 1, kLarge));
  session.run(Lane::Answers);
  // An answer overtakes the step, whose cases have changed on the disk by then.
  const lsp::JobRef step = session.take(Lane::Evaluations);
  step->run();
  session.send(ranking_request(1));
  files.texts["/w/c.csv"] = "x,expected\n1.0,9.0\n";
  session.run(Lane::Answers);
  session.finish(step);
  session.run(Lane::Evaluations);
  session.send(ranking_request(2));
  session.run(Lane::Answers);
  session.send(notification("workspace/didChangeWatchedFiles", {{"changes", Json::array()}}));
  session.run(Lane::Answers);
  session.run(Lane::Evaluations);
  session.send(ranking_request(3));
  session.run(Lane::Answers);
  // What a search has found is kept: a replay looks for nothing.
  session.send(search_request(4));
  const lsp::JobRef search = session.take(Lane::Searches);
  ASSERT_NE(search, nullptr);
  *search->found =
      R"({"variant":"#7","score":"0.5","evaluated":9,"problem":"","program":"fn f() -> i64 { 1 }\n"})";
  session.finish(search);
  EXPECT_NE(session.record().find("workspace/applyEdit"), std::string::npos);
  // The holes are gone then, so it is said what was gained.
  EXPECT_NE(session.record().find("#7 has the score 0.5; the best one had "), std::string::npos);
  const lsp::Replayed same = lsp::replay(session.record(), "0.0.0");
  EXPECT_EQ(same.problem, "");
  EXPECT_GT(same.messages, 6u);
}

}  // namespace
}  // namespace komuz::lsp_test

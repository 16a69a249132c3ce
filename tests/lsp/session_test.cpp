// SPDX-License-Identifier: Apache-2.0
// What a session does while jobs wait and run: cancelling, overtaking, several clients, records.
#include "lsp/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "lsp/record.h"
#include "lsp/wire/framing.h"
#include "tests/lsp/recorded_session.h"
#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;

constexpr std::string_view kUri = "file:///w/a.komuz";

Json at(std::string_view uri, u32 line, u32 character) {
  return {{"textDocument", {{"uri", uri}}},
          {"position", {{"line", line}, {"character", character}}}};
}
void begin(SessionHarness& harness, Json capabilities = Json::object()) {
  harness.send(request(0, "initialize",
                       {{"processId", nullptr},
                        {"rootUri", "file:///w"},
                        {"capabilities", std::move(capabilities)}}));
  harness.send(notification("initialized", Json::object()));
  static_cast<void>(harness.take_messages());
}
Json changed(i64 version, std::string_view text) {
  return notification("textDocument/didChange",
                      {{"textDocument", {{"uri", kUri}, {"version", version}}},
                       {"contentChanges", Json::array({{{"text", text}}})}});
}
std::vector<Json> pushed(const std::vector<Json>& messages) {
  std::vector<Json> found;
  for (const Json& message : messages)
    if (message.value("method", "") == "textDocument/publishDiagnostics")
      found.push_back(message["params"]);
  return found;
}

// Otherwise diagnostics would come at a pause alone.
TEST(LspSession, WhoNeverPausesHearsOfEverySecondEdit) {
  SessionHarness harness;
  begin(harness, {{"textDocument", {{"publishDiagnostics", {{"versionSupport", true}}}}}});
  harness.send(opened(kUri, 1, "fn f() -> i64 { 1 }\n"));
  std::vector<i64> versions;
  for (i64 version = 2; version < 8; ++version) {
    const lsp::JobRef running = harness.server().take();
    ASSERT_NE(running, nullptr);
    // Two keys while it runs: the first one waits, and goes.
    harness.send(changed(100 + version, "fn f() -> i64 { 3 }\n"));
    harness.send(changed(version, "fn f() -> i64 { " + std::to_string(version) + " }\n"));
    running->run();
    static_cast<void>(harness.server().finish(running));
    for (const Json& params : pushed(harness.take_messages()))
      versions.push_back(params["version"]);
  }
  EXPECT_EQ(versions, (std::vector<i64>{2, 4, 6}));
  harness.run_jobs();
  EXPECT_EQ(pushed(harness.take_messages()).back()["version"], 7);
}

TEST(LspSession, ACancelledRequestIsAnsweredAtOnceAndOnce) {
  SessionHarness harness;
  begin(harness);
  harness.send(opened(kUri, 1, "fn f() -> i64 { 1 }\n"));
  harness.run_jobs();
  static_cast<void>(harness.take_messages());
  for (const bool is_running : {false, true}) {
    harness.send(request(7, "textDocument/hover", at(kUri, 0, 3)));
    const lsp::JobRef job = is_running ? harness.server().take() : nullptr;
    harness.send(notification("$/cancelRequest", {{"id", 7}}));
    const std::vector<Json> messages = harness.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0]["id"], 7);
    EXPECT_EQ(messages[0]["error"]["code"], -32800);
    if (job) {
      EXPECT_TRUE(job->stop.stop_requested());
      job->run();
      EXPECT_FALSE(harness.server().finish(job));
    }
    harness.send(notification("$/cancelRequest", {{"id", 7}}));  // too late
    harness.run_jobs();
    EXPECT_TRUE(harness.take_messages().empty());
  }
}

TEST(LspSession, AnEditOvertakesTheOneBefore) {
  SessionHarness harness;
  begin(harness, {{"textDocument", {{"publishDiagnostics", {{"versionSupport", true}}}}}});
  harness.send(opened(kUri, 1, "fn f() -> i64 { x }\n"));
  const lsp::JobRef first = harness.server().take();
  ASSERT_NE(first, nullptr);
  for (i64 version = 2; version <= 5; ++version)
    harness.send(
        changed(version, version == 5 ? "fn f() -> i64 { y }\n" : "fn f() -> i64 { 1.0 }\n"));
  EXPECT_TRUE(first->stop.stop_requested());
  first->run();
  EXPECT_FALSE(harness.server().finish(first));
  harness.run_jobs();
  const std::vector<Json> findings = pushed(harness.take_messages());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0]["version"], 5);
  EXPECT_NE(findings[0].dump().find("`y`"), std::string::npos);
}

TEST(LspSession, ARequestIsAnsweredOnTheTextThatItWasAskedAbout) {
  SessionHarness harness;
  begin(harness);
  harness.send(opened(kUri, 1, "fn first() -> i64 { 1 }\n"));
  harness.send(request(1, "textDocument/hover", at(kUri, 0, 3)));
  harness.send(changed(2, "fn second() -> i64 { 1 }\n"));
  harness.send(request(2, "textDocument/hover", at(kUri, 0, 3)));
  harness.run_jobs();
  std::string hovers;
  for (const Json& message : harness.take_messages())
    if (message.contains("result"))
      hovers += message["result"]["contents"]["value"].get<std::string>() + "\n";
  EXPECT_NE(hovers.find("fn first"), std::string::npos);
  EXPECT_LT(hovers.find("fn first"), hovers.find("fn second"));
}

TEST(LspSession, WhoPullsIsPushedNoMore) {
  SessionHarness harness;
  begin(harness, {{"workspace", {{"diagnostics", {{"refreshSupport", true}}}}}});
  harness.send(opened(kUri, 1, "fn f() -> i64 { x }\n"));
  harness.run_jobs();
  EXPECT_EQ(pushed(harness.take_messages()).size(), 1u);
  const Json pull = {{"textDocument", {{"uri", kUri}}}};
  harness.send(request(1, "textDocument/diagnostic", pull));
  harness.run_jobs();
  std::vector<Json> messages = harness.take_messages();
  // What was pushed is taken back, so that it is not shown twice.
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(pushed(messages).at(0)["diagnostics"].empty());
  const Json result = messages[1]["result"];
  EXPECT_EQ(result["items"].size(), 1u);
  harness.send(changed(2, "fn f() -> i64 { x }\n"));
  Json again = pull;
  again["previousResultId"] = result["resultId"];
  harness.send(request(2, "textDocument/diagnostic", again));
  harness.run_jobs();
  messages = harness.take_messages();
  EXPECT_TRUE(pushed(messages).empty());
  EXPECT_EQ(messages.back()["result"]["kind"], "unchanged");
  // A cancelled pull takes nothing away.
  harness.send(request(3, "textDocument/diagnostic", pull));
  harness.send(notification("$/cancelRequest", {{"id", 3}}));
  harness.run_jobs();
  messages = harness.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0]["error"]["code"], -32800);
}

TEST(LspSession, ClientsHaveDocumentsOfTheirOwn) {
  MemoryFiles files;
  std::map<u32, std::vector<Json>> sent;
  lsp::Server server(files, "0.0.0", [&](u32 client, std::string_view message) {
    sent[client].push_back(Json::parse(message));
  });
  const u32 one = server.connect(), two = server.connect();
  const auto send = [&](u32 client, const Json& message) {
    server.receive(client, lsp::framed(message.dump()));
  };
  for (const u32 client : {one, two})
    send(client, request(0, "initialize", {{"capabilities", Json::object()}}));
  send(one, opened(kUri, 1, "fn one() -> i64 { 1 }\n"));
  send(two, opened(kUri, 1, "fn two() -> i64 { 2 }\n"));
  for (const u32 client : {one, two})
    send(client, request(1, "textDocument/hover", at(kUri, 0, 3)));
  server.disconnect(two);
  while (const lsp::JobRef job = server.take()) {
    EXPECT_EQ(job->client, one);
    job->run();
    static_cast<void>(server.finish(job));
  }
  EXPECT_NE(Json(sent[one]).dump().find("fn one"), std::string::npos);
  EXPECT_EQ(sent[two].size(), 1u);
}

TEST(LspJob, WhatIsThrownBecomesAnAnswer) {
  lsp::Job job;
  job.id = "3";
  job.work = [](const std::stop_token& /*stop*/) -> std::vector<std::string> {
    throw std::runtime_error("out of luck");
  };
  job.run();
  ASSERT_EQ(job.messages.size(), 2u);
  EXPECT_EQ(Json::parse(job.messages[0])["method"], "window/logMessage");
  const Json answer = Json::parse(job.messages[1]);
  EXPECT_EQ(answer["id"], 3);
  EXPECT_EQ(answer["error"]["code"], -32603);
}

// A run as threads may make it, and the same run again.
TEST(LspRecord, IsPlayedAgain) {
  MemoryFiles files;
  files.texts["/w/lib.komuz"] = "pub fn two() -> i64 { 2 }\n";
  RecordedSession session(files);
  session.send(
      request(0, "initialize", {{"rootUri", "file:///w"}, {"capabilities", Json::object()}}));
  session.send(opened(kUri, 1, "use lib;\nfn f() -> i64 { lib.two() + é }\n"));
  const lsp::JobRef job = session.take();
  job->run();
  files.texts["/w/lib.komuz"] = "pub fn three() -> i64 { 3 }\n";
  session.send(changed(2, "use lib;\nfn f() -> i64 { lib.three() }\n"));
  session.finish(job);  // overtaken
  session.run_jobs();
  session.send(request(1, "textDocument/definition", at(kUri, 1, 22)));
  session.send(request(2, "textDocument/hover", at(kUri, 1, 22)));
  session.send(notification("$/cancelRequest", {{"id", 1}}));
  session.run_jobs();
  const std::string& text = session.record();
  const lsp::Replayed same = lsp::replay(text, "0.0.0");
  EXPECT_EQ(same.problem, "");
  EXPECT_EQ(same.messages, 4u);
  EXPECT_NE(text.find("three"), std::string::npos);
  // Another answer is found.
  std::string other = text;
  other.replace(other.find("-32800"), 6, "-32801");
  EXPECT_NE(lsp::replay(other, "0.0.0").problem.find("in the place of"), std::string::npos);
  EXPECT_NE(lsp::replay("", "0.0.0").problem, "");
  EXPECT_NE(lsp::replay("{}\n", "0.0.0").problem, "");
}

// Whether an edit ends a job follows from whether it had begun.
TEST(LspRecord, JobsThatEditsOvertakeArePlayedAgain) {
  MemoryFiles files;
  RecordedSession session(files);
  session.send(
      request(0, "initialize", {{"rootUri", "file:///w"}, {"capabilities", Json::object()}}));
  session.send(opened(kUri, 1, "fn f() -> i64 { 1 }\n"));
  for (i64 version = 2; version < 8; ++version) {
    const lsp::JobRef running = session.take();
    ASSERT_NE(running, nullptr);
    session.send(changed(version, "fn f() -> i64 { " + std::to_string(version) + " }\n"));
    running->run();
    session.finish(running);
  }
  session.run_jobs();
  // Of every second edit, and of the last.
  EXPECT_EQ(pushed(session.sent).size(), 4u);
  EXPECT_EQ(lsp::replay(session.record(), "0.0.0").problem, "");
}

}  // namespace
}  // namespace komuz::lsp_test

// SPDX-License-Identifier: Apache-2.0
// Requests of the server to its client, and how far its jobs are.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "lsp/client/own_requests.h"
#include "lsp/client/progress.h"
#include "lsp/record.h"
#include "lsp/wire/framing.h"
#include "tests/lsp/recorded_session.h"
#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;

TEST(LspOwnRequests, AnswersGoToWhoeverAsked) {
  lsp::OwnRequests requests;
  std::string taken;
  const auto note = [&](const std::string& name) {
    return [&taken, name](const lsp::Outcome& outcome) {
      const auto* const refusal = std::get_if<lsp::Refusal>(&outcome);
      taken += name + (refusal ? "!" + refusal->words : std::get<Json>(outcome).dump()) + " ";
    };
  };
  const Json first = Json::parse(requests.ask("a/first", {{"x", 1}}, note("first")));
  const Json second = Json::parse(requests.ask("a/second", nullptr, note("second")));
  const Json third = Json::parse(requests.ask("a/third", nullptr, {}));
  EXPECT_EQ(first["method"], "a/first");
  EXPECT_EQ(first["params"]["x"], 1);
  EXPECT_NE(first["id"], second["id"]);
  const auto answer = [&](const Json& id, std::string_view rest) {
    return requests.take(lsp::read_message("{\"jsonrpc\":\"2.0\",\"id\":" + id.dump() + "," +
                                           std::string(rest) + "}"));
  };
  EXPECT_FALSE(answer(5, "\"result\":1"));
  EXPECT_TRUE(answer(second["id"], R"("error":{"code":-32601,"message":"no"})"));
  EXPECT_TRUE(answer(first["id"], "\"result\":null"));
  EXPECT_FALSE(answer(first["id"], "\"result\":2"));
  EXPECT_TRUE(answer(third["id"], "\"error\":7"));
  EXPECT_EQ(taken, "second!no firstnull ");
  EXPECT_EQ(requests.unanswered(), 0u);
}

TEST(LspOwnRequests, AClientThatAnswersNoneCostsLittle) {
  lsp::OwnRequests requests;
  for (u32 k = 0; k < 1000; ++k) static_cast<void>(requests.ask("a/b", nullptr, {}));
  EXPECT_LE(requests.unanswered(), 256u);
}

TEST(LspProgress, IsToldWhereAnotherPercentIsDone) {
  lsp::Progress silent;
  silent.begin("nobody listens");
  silent.report(1, 2);
  std::vector<Json> told;
  lsp::Progress progress;
  progress.attach([&](Json value) { told.push_back(std::move(value)); });
  progress.report(1, 2);  // not begun
  EXPECT_TRUE(told.empty());
  progress.begin("a title");
  progress.begin("another one");
  for (u64 k = 0; k <= 1000; ++k) progress.report(k, 1000, "words");
  progress.report(2000, 1000);
  progress.report(1, 0);
  ASSERT_EQ(told.size(), 101u);
  EXPECT_EQ(told[0]["title"], "a title");
  EXPECT_EQ(told[100]["percentage"], 100);
  EXPECT_EQ(told[100]["message"], "words");
}

// The first messages of a session; nothing waits behind them.
void begin_session(SessionHarness& harness, Json capabilities) {
  harness.send(request(0, "initialize",
                       {{"rootUri", "file:///w"}, {"capabilities", std::move(capabilities)}}));
  harness.send(notification("initialized", Json::object()));
  static_cast<void>(harness.take_messages());
}
constexpr u32 kManyFiles = 200;
void fill(SessionHarness& harness) {
  for (u32 k = 0; k < kManyFiles; ++k)
    harness.files.texts["/w/m" + std::to_string(k) + ".komuz"] = "pub fn f() -> i64 { 1 }\n";
}
std::vector<std::string> progress_kinds(const std::vector<Json>& messages, const Json& token) {
  std::vector<std::string> kinds;
  for (const Json& message : messages)
    if (message.value("method", "") == "$/progress" && message["params"]["token"] == token)
      kinds.push_back(message["params"]["value"]["kind"]);
  return kinds;
}

TEST(LspProgress, IsShownByTheTokenOfTheRequest) {
  SessionHarness harness;
  fill(harness);
  begin_session(harness, Json::object());
  harness.send(request(1, "workspace/diagnostic",
                       {{"previousResultIds", Json::array()}, {"workDoneToken", "t"}}));
  harness.run_jobs();
  const std::vector<Json> messages = harness.take_messages();
  const std::vector<std::string> kinds = progress_kinds(messages, "t");
  ASSERT_GT(kinds.size(), 50u);
  EXPECT_EQ(kinds.front(), "begin");
  EXPECT_EQ(kinds[1], "report");
  EXPECT_EQ(kinds.back(), "end");
  // It ends before its request does.
  EXPECT_EQ(messages.back()["id"], 1);
  EXPECT_EQ(messages.back()["result"]["items"].size(), kManyFiles);
}

// A token of the server is used once the client agrees, and not before.
TEST(LspProgress, IsShownOnceTheClientAgrees) {
  for (const bool agrees : {true, false}) {
    SessionHarness harness;
    fill(harness);
    begin_session(harness, {{"window", {{"workDoneProgress", true}}}});
    harness.send(request(1, "workspace/diagnostic", {{"previousResultIds", Json::array()}}));
    const lsp::JobRef job = harness.server().take();
    ASSERT_NE(job, nullptr);
    const auto tell = [&](Json value) {
      harness.server().tell_progress(job->number, std::move(value));
    };
    tell({{"kind", "begin"}, {"title", "checking"}});
    std::vector<Json> messages = harness.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0]["method"], "window/workDoneProgress/create");
    const Json token = messages[0]["params"]["token"];
    tell({{"kind", "report"}, {"percentage", 1}});
    EXPECT_TRUE(harness.take_messages().empty());
    Json answer = {{"jsonrpc", "2.0"}, {"id", messages[0]["id"]}};
    if (agrees)
      answer["result"] = nullptr;
    else
      answer["error"] = {{"code", -32601}, {"message", "no"}};
    harness.send(answer);
    tell({{"kind", "report"}, {"percentage", 2}});
    job->run();
    EXPECT_TRUE(harness.server().finish(job));
    messages = harness.take_messages();
    const std::vector<std::string> wanted = {"begin", "report", "end"};
    EXPECT_EQ(progress_kinds(messages, token), agrees ? wanted : std::vector<std::string>());
    EXPECT_EQ(messages.back()["id"], 1);
    // Too late: nothing is shown any more.
    harness.send(answer);
    tell({{"kind", "report"}, {"percentage", 3}});
    EXPECT_TRUE(harness.take_messages().empty());
  }
}

TEST(LspProgress, APersonEndsTheWork) {
  SessionHarness harness;
  fill(harness);
  begin_session(harness, Json::object());
  harness.send(request(1, "workspace/diagnostic",
                       {{"previousResultIds", Json::array()}, {"workDoneToken", 7}}));
  const lsp::JobRef job = harness.server().take();
  harness.server().tell_progress(job->number, {{"kind", "begin"}, {"title", "checking"}});
  harness.send(notification("window/workDoneProgress/cancel", {{"token", 8}}));
  harness.send(notification("window/workDoneProgress/cancel", {{"token", nullptr}}));
  EXPECT_FALSE(job->stop.stop_requested());
  harness.send(notification("window/workDoneProgress/cancel", {{"token", 7}}));
  EXPECT_TRUE(job->stop.stop_requested());
  job->run();
  EXPECT_FALSE(harness.server().finish(job));
  const std::vector<Json> messages = harness.take_messages();
  EXPECT_EQ(progress_kinds(messages, 7), (std::vector<std::string>{"begin", "end"}));
  EXPECT_EQ(messages.back()["error"]["code"], -32800);
}

// Files that cannot be read as it is not foreseen.
class FaultyFiles final : public lsp::Files {
 public:
  MemoryFiles memory;
  std::optional<std::string> read(const std::string& path) override {
    if (path == "/w/faulty.komuz") throw std::runtime_error("a fault");
    return memory.read(path);
  }
  std::string real_path(const std::string& path) override { return memory.real_path(path); }
  std::vector<std::string> list_modules(const std::string& folder) override {
    return memory.list_modules(folder);
  }
  bool lists_all(const std::string& folder) override { return memory.lists_all(folder); }
  std::string keep(const std::string& name, std::string_view text) override {
    return memory.keep(name, text);
  }
};

TEST(LspFault, IsOneMessageAndARecordThatLeadsThereAgain) {
  FaultyFiles files;
  RecordedSession session(files);
  session.send(
      request(0, "initialize", {{"rootUri", "file:///w"}, {"capabilities", Json::object()}}));
  session.send(opened("file:///w/a.komuz", 1, "fn f() -> i64 { 1 }\n"));
  session.send(notification("textDocument/didChange",
                            {{"textDocument", {{"uri", "file:///w/a.komuz"}, {"version", 2}}},
                             {"contentChanges", Json::array({{{"text", "use faulty;\n"}}})}}));
  session.run_jobs();
  session.sent.clear();
  session.send(
      request(1, "textDocument/foldingRange", {{"textDocument", {{"uri", "file:///w/a.komuz"}}}}));
  // The record is made beside the answers.
  session.run(lsp::Lane::Answers);
  const std::vector<Json>& sent = session.sent;
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0]["error"]["code"], -32603);
  EXPECT_TRUE(session.has_jobs());
  session.run_jobs();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[1]["method"], "window/logMessage");
  const std::string words = sent[1]["params"]["message"];
  const size_t begin = words.find("/kept/faults/");
  ASSERT_NE(begin, std::string::npos) << words;
  const std::string path = words.substr(begin, words.find('`', begin) - begin);
  const std::string kept = files.memory.texts[path];
  EXPECT_NE(kept.find("textDocument/foldingRange"), std::string::npos);
  EXPECT_NE(kept.find("-32603"), std::string::npos);
  for (const std::string& text : {kept, session.record()}) {
    const lsp::Replayed same = lsp::replay(text, "0.0.0");
    EXPECT_EQ(same.problem, "");
    EXPECT_GT(same.messages, 2u);
  }
}

TEST(LspFault, NothingWaitsForItsRecord) {
  FaultyFiles files;
  std::vector<Json> sent;
  lsp::Server server(files, "0.0.0", [&](u32 /*client*/, std::string_view message) {
    sent.push_back(Json::parse(message));
  });
  const u32 client = server.connect();
  const auto send = [&](const Json& message) {
    server.receive(client, lsp::framed(message.dump()));
  };
  send(request(0, "initialize", {{"rootUri", "file:///w"}, {"capabilities", Json::object()}}));
  send(opened("file:///w/a.komuz", 1, "use faulty;\n"));
  send(opened("file:///w/b.komuz", 1, "fn f() -> i64 { 1 }\n"));
  // Its checks fail, once for each text; of the records that wait there is one.
  for (i64 version = 2; version < 5; ++version) {
    while (const lsp::JobRef job = server.take(lsp::Lane::Answers)) {
      job->run();
      static_cast<void>(server.finish(job));
    }
    send(notification("textDocument/didChange",
                      {{"textDocument", {{"uri", "file:///w/a.komuz"}, {"version", version}}},
                       {"contentChanges", Json::array({{{"text", "use faulty; //\n"}}})}}));
  }
  const lsp::JobRef record = server.take(lsp::Lane::Faults);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(server.take(lsp::Lane::Faults), nullptr);
  sent.clear();
  send(request(1, "textDocument/hover",
               {{"textDocument", {{"uri", "file:///w/b.komuz"}}},
                {"position", {{"line", 0}, {"character", 3}}}}));
  while (const lsp::JobRef job = server.take(lsp::Lane::Answers)) {
    job->run();
    static_cast<void>(server.finish(job));
  }
  EXPECT_TRUE(std::ranges::any_of(
      sent, [](const Json& message) { return message.contains("result") && message["id"] == 1; }));
  // What is stopped keeps nothing.
  record->stop.request_stop();
  record->run();
  EXPECT_TRUE(files.memory.texts.empty());
}

}  // namespace
}  // namespace komuz::lsp_test

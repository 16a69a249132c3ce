// SPDX-License-Identifier: Apache-2.0
// A client that keeps semantic tokens by their edits has those that a new client is sent.
#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;

constexpr std::string_view kTokenUri = "untitled:1";

class TokenClient {
 public:
  TokenClient() {
    harness_.send(request(0, "initialize", {{"capabilities", Json::object()}}));
    harness_.send(notification("initialized", Json::object()));
  }
  void open(std::string_view text, std::string_view uri = kTokenUri) {
    harness_.send(opened(uri, 1, text));
  }
  void close() {
    harness_.send(notification("textDocument/didClose", {{"textDocument", {{"uri", kTokenUri}}}}));
  }
  void change(std::string_view text) {
    harness_.send(notification("textDocument/didChange",
                               {{"textDocument", {{"uri", kTokenUri}, {"version", ++version_}}},
                                {"contentChanges", Json::array({{{"text", text}}})}}));
  }
  const std::vector<u32>& full() {
    take(ask("textDocument/semanticTokens/full", {}));
    return numbers_;
  }
  const std::vector<u32>& delta() {
    take(ask("textDocument/semanticTokens/full/delta", id_));
    return numbers_;
  }
  // The answer is made, and dropped: nothing comes of it.
  void cancelled_delta() {
    send_request("textDocument/semanticTokens/full/delta", id_);
    std::vector<lsp::JobRef> jobs;
    while (lsp::JobRef job = harness_.server().take()) {
      job->run();
      jobs.push_back(std::move(job));
    }
    harness_.send(notification("$/cancelRequest", {{"id", number_}}));
    for (const lsp::JobRef& job : jobs) static_cast<void>(harness_.server().finish(job));
    for (const Json& message : harness_.take_messages())
      if (message.contains("id") && message["id"] == number_) {
        EXPECT_EQ(message["error"]["code"], -32800);
      }
  }
  [[nodiscard]] u64 edits() const { return edits_; }
  // How often all of them came.
  [[nodiscard]] u64 wholes() const { return wholes_; }

 private:
  void send_request(std::string_view method, const std::string& previous) {
    harness_.send(
        request(++number_, method,
                {{"textDocument", {{"uri", kTokenUri}}}, {"previousResultId", previous}}));
  }
  Json ask(std::string_view method, const std::string& previous) {
    send_request(method, previous);
    harness_.run_jobs();
    for (const Json& message : harness_.take_messages())
      if (message.contains("result") && message["id"] == number_) return message["result"];
    return {};
  }
  void take(const Json& result) {
    ASSERT_TRUE(result.contains("resultId")) << result;
    id_ = result["resultId"];
    if (result.contains("data")) {
      ++wholes_;
      numbers_ = result["data"].get<std::vector<u32>>();
      return;
    }
    for (const Json& edit : result["edits"]) {
      ++edits_;
      const auto begin = numbers_.begin() + edit["start"].get<std::ptrdiff_t>();
      const auto data = edit["data"].get<std::vector<u32>>();
      numbers_.insert(numbers_.erase(begin, begin + edit["deleteCount"].get<std::ptrdiff_t>()),
                      data.begin(), data.end());
    }
  }

  SessionHarness harness_;
  i64 number_ = 0, version_ = 1;
  std::string id_;
  std::vector<u32> numbers_;
  u64 edits_ = 0, wholes_ = 0;
};

TEST(LspTokens, EditsOfThemMakeThem) {
  constexpr std::string_view kTyped[] = {
      "half(", ")", " + 1.0", "\n", "let y = x; ", "é😀", "}", "{", "// a\n", "\"s\"", "x"};
  const std::string first =
      "use std.math;\n\n/// Half of it.\nfn half(x: f64) -> f64 { x / 2.0 }\nfn main(x: f64) -> "
      "f64 {\n    math.lerp(half(x), 3.0, 0.5)\n}\n";
  u64 edits = 0;
  for (u64 seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    std::string text = first;
    TokenClient client;
    client.open(text);
    static_cast<void>(client.full());
    for (u32 k = 0; k < 12; ++k) {
      size_t at = random.below(text.size() + 1);
      while (at < text.size() && (static_cast<u8>(text[at]) & 0xC0) == 0x80) ++at;
      if (random.one_in(4))
        text.resize(at);
      else
        text.insert(at, random.pick(kTyped));
      if (random.one_in(5)) text = first;
      client.change(text);
      if (random.one_in(8)) {
        client.close();
        client.open(text);
      }
      TokenClient other;
      // A text that is mended may use modules that it used before.
      other.open(first, "untitled:0");
      other.open(text);
      ASSERT_EQ(client.delta(), other.full()) << "seed " << seed << ", edit " << k << "\n" << text;
    }
    edits += client.edits();
  }
  EXPECT_GT(edits, 200u);
}

// What is made of those that the client has is what it is sent, also where it never got those that were made last.
TEST(LspTokens, AnAnswerThatIsDroppedWasNotSent) {
  TokenClient client;
  client.open("fn half(x: f64) -> f64 { x / 2.0 }\nfn f(x: f64) -> f64 { half(x) }\n");
  static_cast<void>(client.full());
  u64 edits = 0;
  for (const std::string_view text :
       {"fn half(x: f64) -> f64 { x / 2.0 }\nfn f(x: f64) -> f64 { 1.0 + half(x) }\n",
        "fn half(x: f64) -> f64 { x / 2.0 }\n// words\nfn f(x: f64) -> f64 { 1.0 }\n",
        "fn half(x: f64) -> f64 { x }\n"}) {
    client.change(text);
    client.cancelled_delta();
    client.cancelled_delta();
    const std::string more = std::string(text) + "fn g() -> i64 { 1 }\n";
    client.change(more);
    TokenClient other;
    other.open(more);
    EXPECT_EQ(client.delta(), other.full()) << text;
    EXPECT_EQ(client.edits(), ++edits);
  }
  EXPECT_EQ(client.wholes(), 1u);
}

}  // namespace
}  // namespace komuz::lsp_test

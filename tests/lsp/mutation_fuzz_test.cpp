// SPDX-License-Identifier: Apache-2.0
// Damaged messages: whatever comes, the server answers each request at most once, sends nothing that is no message, and goes on.
// KOMUZ_SEEDS says of how many sessions.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/random.h"
#include "lsp/wire/framing.h"
#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;

constexpr std::string_view kUris[] = {"file:///w/a.komuz", "untitled:1", "file:///w/lib.komuz"};
constexpr std::string_view kTexts[] = {
    "use lib;\nfn f(x: f64) -> f64 { lib.two() + x }\n",
    "type V(x: f64)\nfn g(v: V) -> f64 { v. }\n",
    "fn h() -> i64 { ?[1, 2] + y }\n\"é\U0001F600",
    "pub fn two() -> f64 { 2.0 }\n",
    "//! cases: c.csv\n//! score: squared\npub fn f(x: f64) -> f64 { ?[x, 1.0] + ?k(0.0..1.0, "
    "steps: 3) }\n",
    "use std.math.{lerp, gcd};\nuse lib;\nfn f(x: f64) -> f64 {\n    var a = x;\n    for i in 0..3 "
    "{ "
    "a += 1.0; }\n    let b = lerp(a, 1.0, 0.5);\n    match [b].first() { So }\n}\n",
    "//! sc\n//! score: \nprop \"p\" (x: i64 in 0..9) { assert x < 3; }\n",
    "/// >>> g(1) == 3\nfn g(x: i64) -> i64 { x + 1 }\ntest \"g\" { assert g(2) == 3; }\n",
    ""};
constexpr std::string_view kNewNames[] = {"x", "other", "two", "lib", "2x", "while", "_", ""};
constexpr std::string_view kMethods[] = {
#define REQUEST(method, answer, provider, options, what) method,
#include "lsp/wire/methods.def"
};

Json random_place(Random& random) {
  return {{"line", random.below(6)}, {"character", random.below(40)}};
}
Json random_range(Random& random) {
  return {{"start", random_place(random)}, {"end", random_place(random)}};
}
Json random_message(Random& random, i64 id) {
  const std::string_view uri = random.pick(kUris);
  const Json name = {{"uri", uri}, {"version", id}};
  switch (random.below(6)) {
    case 0: return opened(uri, id, random.pick(kTexts));
    case 1: {
      Json change = {{"text", random.pick(kTexts)}};
      if (!random.one_in(3)) change["range"] = random_range(random);
      return notification("textDocument/didChange",
                          {{"textDocument", name}, {"contentChanges", Json::array({change})}});
    }
    case 2:
      return random.one_in(4) ? notification("textDocument/didClose", {{"textDocument", name}})
                              : notification("$/cancelRequest", {{"id", id - random.below(4)}});
    default:
      return request(
          id, random.pick(kMethods),
          {{"textDocument", name},
           {"position", random_place(random)},
           {"range", random_range(random)},
           {"positions", Json::array({random_place(random)})},
           {"context",
            random.one_in(2) ? Json::object() : Json{{"only", {"source", "refactor.extract"}}}},
           {"newName", random.pick(kNewNames)},
           {"query", "f"},
           {"ch", random.one_in(2) ? "}" : "\n"},
           {"item", {{"uri", uri}, {"selectionRange", random_range(random)}}},
           {"label", random.one_in(2) ? Json("f") : Json::array({{{"value", ": f64"}}})},
           {"variant", random.one_in(4) ? "x" : "1"},
           {"first", random.below(5)},
           {"command", random.one_in(2) ? "komuz.run" : "komuz.showRanking"},
           {"arguments", Json::array({uri, "g"})},
           {"previousResultId", "1"},
           {"data", {{"uri", uri}, {"at", random.below(90)}}}});
  }
}

// A value somewhere in it becomes another one, or goes.
void damage(Json& value, Random& random) {
  static const Json kOthers[] = {nullptr,
                                 -1,
                                 1e300,
                                 "",
                                 "é",
                                 Json::array(),
                                 Json::object(),
                                 true,
                                 u64{1} << 63,
                                 {{"line", -5}, {"character", u64{1} << 40}}};
  if (!value.is_structured() || value.empty() || random.one_in(4)) {
    value = random.pick(kOthers);
    return;
  }
  auto part = value.begin();
  std::advance(part, random.below(value.size()));
  if (random.one_in(8))
    value.erase(part);
  else
    damage(*part, random);
}
void damage_bytes(std::string& bytes, Random& random) {
  for (u32 k = 1 + random.below(3); k > 0 && !bytes.empty(); --k) {
    const size_t at = random.below(bytes.size());
    switch (random.below(3)) {
      case 0: bytes.erase(at, 1 + random.below(9)); break;
      case 1: bytes.insert(at, 1, static_cast<char>(random.below(256))); break;
      default: bytes[at] = static_cast<char>(random.below(256)); break;
    }
  }
}

constexpr u64 kMessages = 30;

void run_session(u64 seed) {
  Random random(seed);
  SessionHarness harness;
  harness.files.texts["/w/lib.komuz"] = "pub fn two() -> f64 { 2.0 }\n";
  harness.files.texts["/w/c.csv"] = "x,expected\n1.0,2.0\n0.5,1.0\n";
  if (!random.one_in(8))
    harness.send(request(0, "initialize",
                         {{"rootUri", "file:///w"},
                          {"initializationOptions", {{"komuz", {{"ranking", random.one_in(2)}}}}},
                          {"capabilities",
                           {{"textDocument",
                             {{"codeLens", Json::object()},
                              {"codeAction", {{"codeActionLiteralSupport", Json::object()}}}}}}}}));
  std::set<std::string> answered;
  for (i64 id = 1; id <= i64{kMessages}; ++id) {
    Json message = random_message(random, id);
    if (random.one_in(2)) damage(message, random);
    std::string bytes = lsp::framed(message.dump());
    if (random.one_in(10)) damage_bytes(bytes, random);
    while (!bytes.empty()) {
      const size_t portion = 1 + random.below(200);
      harness.send_bytes(std::string_view(bytes).substr(0, portion));
      bytes.erase(0, portion);
    }
    if (!random.one_in(3)) harness.run_jobs();
  }
  harness.run_jobs();
  for (const Json& sent : harness.take_messages()) {
    EXPECT_EQ(sent["jsonrpc"], "2.0");
    if (!sent.contains("id") || sent["id"].is_null() || sent.contains("method")) continue;
    // Ids of this test are numbers, and each is used once, but where damage makes others.
    const Json& number = sent["id"];
    const bool is_own =
        number.is_number_unsigned() && number.get<u64>() > 0 && number.get<u64>() <= kMessages;
    if (is_own) {
      EXPECT_TRUE(answered.insert(number.dump()).second) << "seed " << seed << ": " << sent;
    }
    const bool is_fault = sent.contains("error") && sent["error"]["code"] == -32603;
    EXPECT_FALSE(is_fault) << "seed " << seed << ": " << sent;
  }
}

TEST(LspFuzz, DamagedMessagesAreSurvived) {
  const char* const seeds = std::getenv("KOMUZ_SEEDS");
  const u64 count = seeds ? std::strtoull(seeds, nullptr, 10) : 300;
  for (u64 seed = 1; seed <= count; ++seed) run_session(seed);
}

}  // namespace
}  // namespace komuz::lsp_test

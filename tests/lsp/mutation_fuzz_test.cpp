// SPDX-License-Identifier: Apache-2.0
// Damaged messages: whatever comes, the server answers each request at most once, sends nothing that is no message, and goes on. Sessions
// are made up, or those of real clients (tests/lsp/handshakes). KOMUZ_SEEDS says of how many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

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
constexpr std::string_view kSessions[] = {
    "fn h(x: f64) -> f64 { x }\nconst y: i64 = 3;\ntype V(x: f64)\n",
    "fn y() -> f64 { ?[1.0, 2.0] }\nuse lib.{two};\nfn f( -> }\n", ""};
constexpr std::string_view kNewNames[] = {"x", "other", "two", "lib", "2x", "while", "_", ""};
constexpr std::string_view kCommands[] = {"komuz.run", "komuz.showRanking", "komuz.toSession"};
constexpr std::string_view kMethods[] = {
#define REQUEST(method, answer, provider, options, what) method,
#include "lsp/wire/methods.def"
};

// Far enough from each other that damaged bytes make none of another one.
i64 spread_id(i64 number) { return number * 101'010'101; }

Json random_place(Random& random) {
  return {{"line", random.below(6)}, {"character", random.below(40)}};
}
Json random_range(Random& random) {
  return {{"start", random_place(random)}, {"end", random_place(random)}};
}
Json random_message(Random& random, i64 number) {
  const std::string_view uri = random.pick(kUris);
  const Json name = {{"uri", uri}, {"version", number}};
  switch (random.below(6)) {
    case 0: return opened(uri, number, random.pick(kTexts));
    case 1: {
      Json change = {{"text", random.pick(kTexts)}};
      if (!random.one_in(3)) change["range"] = random_range(random);
      return notification("textDocument/didChange",
                          {{"textDocument", name}, {"contentChanges", Json::array({change})}});
    }
    case 2:
      return random.one_in(4)
                 ? notification("textDocument/didClose", {{"textDocument", name}})
                 : notification("$/cancelRequest", {{"id", spread_id(number - random.below(4))}});
    default:
      return request(
          spread_id(number), random.pick(kMethods),
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
           {"command", random.pick(kCommands)},
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

// A message, damaged once in `times`, comes in portions.
void send_damaged(SessionHarness& harness, Json message, u32 times, Random& random) {
  if (random.one_in(times)) damage(message, random);
  std::string bytes = lsp::framed(message.dump());
  if (random.one_in(5 * times)) damage_bytes(bytes, random);
  while (!bytes.empty()) {
    const size_t portion = 1 + random.below(200);
    harness.send_bytes(std::string_view(bytes).substr(0, portion));
    bytes.erase(0, portion);
  }
  if (!random.one_in(3)) harness.run_jobs();
}
void expect_sound(const Json& sent, u64 seed) {
  EXPECT_EQ(sent["jsonrpc"], "2.0");
  const bool is_fault = sent.contains("error") && sent["error"]["code"] == -32603;
  EXPECT_FALSE(is_fault) << "seed " << seed << ": " << sent;
}
u64 seeds_or(u64 usual) {
  const char* const seeds = std::getenv("KOMUZ_SEEDS");
  return seeds ? std::strtoull(seeds, nullptr, 10) : usual;
}

constexpr i64 kMessages = 30;

void attach(SessionHarness& harness, Random& random) {
  if (random.one_in(4)) return harness.server().look_at(nullptr);
  const auto live = live_session(std::string(random.pick(kSessions)));
  live->takes_input = random.one_in(2);
  if (random.one_in(2)) {
    live->cases.emplace();
    live->cases->file = "/w/c.csv";
    live->cases->bytes = std::make_shared<const std::string>("x,expected\n1.0,2.0\n0.5,1.0\n");
  }
  harness.server().look_at(live);
}

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
  std::set<std::string> asked, answered;
  for (i64 number = 1; number <= kMessages; ++number) {
    asked.insert(std::to_string(spread_id(number)));
    if (random.one_in(12)) attach(harness, random);
    send_damaged(harness, random_message(random, number), 2, random);
  }
  harness.run_jobs();
  for (const Json& sent : harness.take_messages()) {
    expect_sound(sent, seed);
    if (!sent.contains("id") || sent.contains("method")) continue;
    // Each is used once; damage makes others.
    const std::string id = sent["id"].dump();
    if (!asked.contains(id)) continue;
    EXPECT_TRUE(answered.insert(id).second) << "seed " << seed << ": " << sent;
  }
}

std::vector<std::vector<Json>> read_handshakes() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(KOMUZ_SOURCE_DIR "/tests/lsp/handshakes"))
    if (entry.path().extension() == ".jsonl") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::vector<Json>> sessions;
  for (const auto& path : paths) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);  // says which client it is
    std::vector<Json>& session = sessions.emplace_back();
    while (std::getline(in, line)) session.push_back(Json::parse(line));
  }
  return sessions;
}

TEST(LspFuzz, DamagedMessagesAreSurvived) {
  for (u64 seed = 1; seed <= seeds_or(300); ++seed) run_session(seed);
}

// Messages are damaged, sent twice or left out.
TEST(LspFuzz, DamagedSessionsOfRealClientsAreSurvived) {
  const std::vector<std::vector<Json>> sessions = read_handshakes();
  ASSERT_GE(sessions.size(), 6u);
  for (u64 seed = 1; seed <= seeds_or(60); ++seed) {
    Random random(seed);
    SessionHarness harness;
    for (const Json& message : random.pick(sessions))
      for (u32 k = random.one_in(12) ? random.below(3) : 1; k > 0; --k)
        send_damaged(harness, message, 4, random);
    harness.run_jobs();
    for (const Json& sent : harness.take_messages()) expect_sound(sent, seed);
  }
}

}  // namespace
}  // namespace komuz::lsp_test

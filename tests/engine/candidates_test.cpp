// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace komuz::engine {
namespace {

// A stream that gives at most `piece` bytes a read.
ReadBytes pieces(std::string text, size_t piece) {
  return [text = std::move(text), piece, at = size_t{0}](std::span<char> buffer) mutable {
    const size_t count = std::min({piece, buffer.size(), text.size() - at});
    std::copy_n(text.data() + at, count, buffer.data());
    at += count;
    return count;
  };
}

struct Owned {
  std::string id, source, error;
  bool operator==(const Owned&) const = default;
};

std::vector<Owned> read_all(CandidateSource& source, size_t most = 100) {
  std::vector<Owned> out;
  CandidateBatch batch;
  for (;;) {
    batch.clear();
    source.read(batch, most);
    if (batch.rows.empty()) return out;
    EXPECT_LE(batch.rows.size(), most);
    for (const Candidate& c : batch.rows)
      out.push_back({std::string(c.id), std::string(c.source), std::string(c.error)});
  }
}
std::vector<Owned> jsonl(std::string text, size_t piece = 1 << 20, size_t most = 100) {
  JsonlCandidates source("in", pieces(std::move(text), piece));
  return read_all(source, most);
}

TEST(JsonlCandidates, ReadsObjects) {
  const std::vector<Owned> rows = jsonl(
      "{\"id\": \"a\", \"source\": \"pub fn f() -> i64 {\\n 1 }\"}\r\n"
      "\n"
      "{\"source\": \"x\", \"note\": [1, {\"id\": 5}]}\n"
      "{\"id\": 42, \"source\": \"\\u00e9\"}");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], (Owned{"a", "pub fn f() -> i64 {\n 1 }", ""}));
  EXPECT_EQ(rows[1], (Owned{"3", "x", ""}));  // the line's number
  EXPECT_EQ(rows[2], (Owned{"42", "\xC3\xA9", ""}));
}

TEST(JsonlCandidates, CutsDoNotMatter) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "{\"id\": \"c" + std::to_string(i) + "\", \"source\": \"" +
            std::string(static_cast<size_t>(i), 's') + "\\\"\"}\n";
  const std::vector<Owned> whole = jsonl(text);
  ASSERT_EQ(whole.size(), 300u);
  EXPECT_EQ(whole[299].source.size(), 300u);
  for (const size_t piece : {1u, 7u, 64u, 1000u})
    for (const size_t most : {1u, 3u, 1000u}) EXPECT_EQ(jsonl(text, piece, most), whole);
}

TEST(JsonlCandidates, AByteOrderMarkIsNoPartOfACandidate) {
  const std::string mark = "\xEF\xBB\xBF", first = "{\"id\": \"a\", \"source\": \"1\"}\n",
                    second = "{\"id\": \"b\", \"source\": \"2\"}\n";
  const std::vector<Owned> wanted = {{"a", "1", ""}, {"b", "2", ""}};
  for (const size_t piece : {1u, 2u, 1000u}) {
    EXPECT_EQ(jsonl(mark + first + second, piece), wanted);
    EXPECT_EQ(jsonl(first + mark + second, piece), wanted) << "one file behind the other";
    EXPECT_EQ(jsonl(mark + "\n" + first + second, piece), wanted);
  }
  EXPECT_TRUE(jsonl(mark).empty());
}

TEST(JsonlCandidates, LinesMayEndInCarriageReturnsAlone) {
  const std::string text =
      "{\"id\": \"a\", \"source\": \"1\"}\r{\"id\": \"b\", \"source\": \"2\"}\r\r\n"
      "{\"id\": \"c\", \"source\": \"3\"}\r\r{\"source\": \"4\"}\r";
  for (const size_t piece : {1u, 2u, 3u, 1000u})
    EXPECT_EQ(jsonl(text, piece),
              (std::vector<Owned>{{"a", "1", ""}, {"b", "2", ""}, {"c", "3", ""}, {"5", "4", ""}}))
        << piece;
}

TEST(JsonlCandidates, WhatStandsAroundAModelsAnswerIsNamed) {
  const std::vector<Owned> rows =
      jsonl("<think>\n```json\n{\"id\": \"a\", \"source\": \"1\"}\n  ~~~\n\xFF\xFE{\n");
  ASSERT_EQ(rows.size(), 5u);
  const std::string remedy =
      "; write an object a line, such as {\"id\": \"a1\", \"source\": \"pub fn f() -> i64 { 1 }\"}";
  EXPECT_EQ(
      rows[0].error,
      "in:1: this line is a mark of the thoughts of a model's answer, and no candidate" + remedy);
  EXPECT_EQ(
      rows[1].error,
      "in:2: this line is a fence of Markdown of a model's answer, and no candidate" + remedy);
  EXPECT_EQ(rows[2], (Owned{"a", "1", ""}));
  EXPECT_EQ(
      rows[3].error,
      "in:4: this line is a fence of Markdown of a model's answer, and no candidate" + remedy);
  EXPECT_EQ(rows[4].error, "in:5: the file is UTF-16, where candidates are UTF-8" + remedy);
}

TEST(JsonlCandidates, AMalformedLineHarmsNoOther) {
  const std::vector<Owned> rows = jsonl(
      "{\"id\": \"a\", \"source\": \"1\"}\n"
      "{\"id\": \"b\", \"source\"\n"
      "[]\n"
      "{\"id\": \"d\"}\n"
      "{\"id\": \"e\", \"source\": 5}\n"
      "{\"id\": 1.5, \"source\": \"x\"}\n"
      "{\"source\": \"\xFF\"}\n"
      "{\"id\": \"h\", \"source\": \"1\"} {}\n"
      "{\"id\": \"i\", \"source\": \"1\"}\n");
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows[0].error, "");
  EXPECT_EQ(rows[8], (Owned{"i", "1", ""}));
  for (size_t i = 1; i < 8; ++i) {
    EXPECT_TRUE(rows[i].error.starts_with("in:" + std::to_string(i + 1) + ":")) << rows[i].error;
    EXPECT_EQ(rows[i].source, "");
  }
  EXPECT_EQ(rows[3].id, "d");
  EXPECT_EQ(rows[2].id, "3");
}

TEST(JsonlCandidates, WhatIsWrongWithALineIsSaidWithItsPlaceAndARemedy) {
  const std::string invalid = "this line is not valid JSON: ";
  const std::pair<std::string, std::string> lines[] = {
      {R"([])", "in:1:1: this line is no JSON object"},
      {R"(nonsense)", "in:1:1: this line is no JSON object"},
      {R"({"id": "d"})", "in:1: there is no field `source`"},
      {R"({"source": 5})", "in:1: `source` is no string"},
      {R"({"id": 1.5, "source": "x"})", "in:1: `id` is neither a string nor an integer of 64 bits"},
      // Behind the object.
      {R"({"source": "x"} garbage)", "in:1:17: there is text behind the object"},
      {R"({"source": "x"}})", "in:1:16: there is text behind the object"},
      {R"({"source": "x"}{"id": 1})", "in:1:16: there is text behind the object"},
      {R"({"source": "x"} {})", "in:1:17: there is text behind the object"},
      // Behind the last field that means something.
      {R"({"source": "x", "more"})",
       "in:1:23: " + invalid + "expected `:` behind the name of a field"},
      {R"({"source": "x", "more": [1, 2})",
       "in:1:30: " + invalid + "expected `,` or `]` behind a value"},
      {R"({"source": "x", more: 3})",
       "in:1:17: " + invalid + "expected the name of a field, in double quotes"},
      {R"({"source": "x" "more": 3})",
       "in:1:16: " + invalid + "expected `,` or `}` behind a value"},
      {R"({"source": "x", })",
       "in:1:17: " + invalid + "expected the name of a field, in double quotes"},
      {R"({"source": "x", "more": "y})", "in:1:28: " + invalid + "it ends before the object does"},
      {R"({"source": "x", "more": ,})", "in:1:25: " + invalid + "expected a value"},
      {R"({"source": "x", "more": 01, "id": 7 8})",
       "in:1:25: " + invalid + "`01` is no value; strings stand in double quotes"},
      // In a value that nobody asks for.
      {R"({"source": "x", "more": nul})",
       "in:1:25: " + invalid + "`nul` is no value; strings stand in double quotes"},
      {R"({"source": "x", "more": -inf})",
       "in:1:25: " + invalid + "`-inf` is no value; strings stand in double quotes"},
      {R"({"more": [1, {"deep": 01}], "source": "x"})",
       "in:1:23: " + invalid + "`01` is no value; strings stand in double quotes"},
      {R"({"more": "a \q b", "source": "x"})",
       "in:1:13: " + invalid + "a `\\` in a string is written `\\\\`"},
      // In a field that does.
      {R"({"source": "a \q b"})", "in:1:15: " + invalid + "a `\\` in a string is written `\\\\`"},
      {R"({"source": "\u12g4"})", "in:1:13: " + invalid + "a `\\` in a string is written `\\\\`"},
      {R"({"source": nul})",
       "in:1:12: " + invalid + "`nul` is no value; strings stand in double quotes"},
      {R"({"id": 1 2, "source": "x"})",
       "in:1:10: " + invalid + "expected `,` or `}` behind a value"},
      {"{\"source\": \"\xFF\"}", "in:1:13: " + invalid + "this byte is not UTF-8"},
      {"{\"source\": \"\x01\"}", "in:1:13: " + invalid +
                                     "a control character in a string is written `\\n`, `\\t` or "
                                     "`\\u0001`"},
  };
  for (const auto& [line, message] : lines) {
    const std::vector<Owned> rows = jsonl(line + "\n");
    ASSERT_EQ(rows.size(), 1u) << line;
    EXPECT_EQ(rows[0].error,
              message + R"(; write an object a line, such as {"id": "a1", "source": "pub fn f() )"
                        R"(-> i64 { 1 }"})")
        << line;
  }
}

// Of a whole text there is nothing to say, nor where it ends between two objects; the line before the break counts.
TEST(JsonlCandidates, ABreakInsideAnObjectIsAProblemThatNamesTheLine) {
  const std::string line = R"({"id": "a", "note": {"n": [1, 2]}, "source": "fn f() {\"}"})";
  const std::string text = line + "\n" + line;
  for (size_t length = 0; length <= text.size(); ++length) {
    SCOPED_TRACE(length);
    JsonlCandidates source("in.jsonl", pieces(text.substr(0, length), 7));
    EXPECT_FALSE(source.problem());
    const std::vector<Owned> rows = read_all(source);
    const Problem problem = source.problem();
    const bool in_first = length > 0 && length < line.size();
    const bool in_second = length > line.size() + 1 && length < text.size();
    ASSERT_EQ(static_cast<bool>(problem), in_first || in_second);
    if (!problem) continue;
    EXPECT_EQ(rows.size(), in_first ? 1u : 2u);
    EXPECT_NE(rows.back().error, "");
    EXPECT_EQ(problem.text().substr(0, 11), in_first ? "in.jsonl:1:" : "in.jsonl:2:");
  }
  JsonlCandidates source("in", pieces("{\"id\": 1\n" + line, 7));  // broken, but not broken off
  EXPECT_EQ(read_all(source).size(), 2u);
  EXPECT_FALSE(source.problem());
}

TEST(JsonlCandidates, AnswersBeforeTheStreamEnds) {
  int reads = 0;
  JsonlCandidates source("in", [&](std::span<char> buffer) -> size_t {
    const std::string line = "{\"source\": \"" + std::to_string(reads++) + "\"}\n";
    std::ranges::copy(line, buffer.begin());
    return line.size();
  });
  CandidateBatch batch;
  source.read(batch, 100);
  EXPECT_EQ(batch.rows.size(), 1u);
  EXPECT_EQ(reads, 1);
}

TEST(JsonlCandidates, RequestsForTheBestAreNoCandidates) {
  const std::string text =
      "{\"rank\": 3}\n{\"id\": \"a\", \"source\": \"1\"}\n{\"id\": \"q\", \"rank\": 1000}\n"
      "{\"source\": \"2\", \"rank\": 7, \"distinct\": 0.7}\n{\"rank\": 0}\n{\"rank\": "
      "1001}\n{\"rank\": "
      "\"3\"}\n{\"rank\": 5}\n{\"rank\": 2, \"distinct\": true}\n{\"distinct\": false, "
      "\"rank\": 2}\n{\"rank\": 2, \"distinct\": 1}\n{\"rank\": 9}\n";
  for (const size_t piece : {size_t{1}, size_t{1000}}) {
    std::string asked;
    JsonlCandidates source("in", pieces(text, piece));
    source.answer_ranks([&](const RankRequest& request) -> std::string {
      if (request.most == 9) return "of nine nothing is said";
      asked += std::to_string(request.before) + " " + std::to_string(request.most) + " " +
               request.id + (request.is_distinct ? " distinct\n" : "\n");
      return {};
    });
    const std::vector<Owned> rows = read_all(source);
    EXPECT_EQ(asked, "0 3 \n1 1000 q\n5 5 \n5 2  distinct\n5 2 \n");
    ASSERT_EQ(rows.size(), 7u);
    EXPECT_NE(rows[5].error.find("`distinct` is neither true nor false"), std::string::npos)
        << rows[5].error;
    EXPECT_NE(rows[6].error.find("of nine nothing is said"), std::string::npos) << rows[6].error;
    EXPECT_EQ(rows[1], (Owned{"4", "2", ""})) << "a program is one, whatever stands beside it";
    for (size_t i = 2; i < 5; ++i)
      EXPECT_NE(rows[i].error.find("`rank` is how many programs are wanted, from 1 to 1,000"),
                std::string::npos)
          << rows[i].error;
  }
  EXPECT_NE(jsonl("{\"rank\": 3}\n")[0].error.find("is answered by `komuz eval - --json -` alone"),
            std::string::npos);
}

TEST(JsonlCandidates, ALineThatIsTooLongIsSkippedInBoundedMemory) {
  const std::string before = "{\"source\": \"1\"}\n{\"source\": \"";
  const std::string after = "\"}\n{\"source\": \"2\"}\n";
  u64 left = 3 * kMaxCandidateLine;
  size_t at = 0;
  int stage = 0;
  JsonlCandidates source("in", [&](std::span<char> buffer) -> size_t {
    const std::string& text = stage == 0 ? before : after;
    if (stage == 1) {
      const size_t count = std::min<size_t>(left, buffer.size());
      std::fill_n(buffer.begin(), count, 'x');
      left -= count;
      if (left == 0) stage = 2;
      return count;
    }
    const size_t count = std::min(buffer.size(), text.size() - at);
    std::copy_n(text.data() + at, count, buffer.data());
    at += count;
    if (stage == 0 && at == text.size()) {
      stage = 1;
      at = 0;
    }
    return count;
  });
  const std::vector<Owned> rows = read_all(source);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].source, "1");
  EXPECT_NE(rows[1].error.find("longer than 33,554,432 bytes"), std::string::npos);
  EXPECT_EQ(rows[2], (Owned{"3", "2", ""}));
}

// As of /dev/zero: bytes without an end and without a line.
TEST(JsonlCandidates, ALineWithoutAnEndEndsTheStream) {
  u64 given = 0;
  JsonlCandidates source("in", [&](std::span<char> buffer) {
    std::ranges::fill(buffer, 0);
    given += buffer.size();
    return buffer.size();
  });
  const std::vector<Owned> rows = read_all(source);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].error.substr(0, 30), "in:1: the line is longer than ");
  ASSERT_TRUE(source.problem());
  EXPECT_EQ(source.problem().message(),
            "this line is longer than 268,435,456 bytes, and nothing behind it is read");
  EXPECT_LT(given, kMostPassedOver + 4 * kMaxCandidateLine);
}

TEST(JsonlCandidates, Nothing) {
  EXPECT_TRUE(jsonl("").empty());
  EXPECT_TRUE(jsonl("\n \r\n").empty());
}

TEST(JsonlCandidates, ManyBatchesReuseTheirMemory) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "{\"source\": \"" + std::string(5000, 'a') + "\"}\n";
  JsonlCandidates source("in", pieces(text, 1 << 16));
  CandidateBatch batch;
  size_t rows = 0;
  for (;;) {
    batch.clear();
    source.read(batch, 10);
    if (batch.rows.empty()) break;
    for (const Candidate& candidate : batch.rows) EXPECT_EQ(candidate.source.size(), 5000u);
    EXPECT_LE(batch.text_bytes(), 10u * 5010);
    rows += batch.rows.size();
  }
  EXPECT_EQ(rows, 1000u);
}

TEST(CandidateList, NumbersThoseWithoutAnId) {
  const Candidate list[] = {{"a", "1", {}}, {{}, "2", {}}, {"c", "3", "cannot be read"}};
  CandidateList source(list);
  EXPECT_EQ(source.total(), 3u);
  const std::vector<Owned> wanted = {{"a", "1", ""}, {"2", "2", ""}, {"c", "3", "cannot be read"}};
  EXPECT_EQ(read_all(source, 2), wanted);
}

TEST(CandidateChain, OneAfterTheOther) {
  const Candidate first[] = {{"a", "1", {}}, {"b", "2", {}}};
  const Candidate second[] = {{"c", "3", {}}};
  CandidateChain chain;
  chain.add(std::make_unique<CandidateList>(first));
  chain.add(std::make_unique<CandidateList>(std::span<const Candidate>{}));
  chain.add(std::make_unique<CandidateList>(second));
  EXPECT_EQ(chain.total(), 3u);
  const std::vector<Owned> wanted = {{"a", "1", ""}, {"b", "2", ""}, {"c", "3", ""}};
  EXPECT_EQ(read_all(chain), wanted);
  chain.add(std::make_unique<JsonlCandidates>("in", pieces("", 1)));
  EXPECT_EQ(chain.total(), std::nullopt);
}

}  // namespace
}  // namespace komuz::engine

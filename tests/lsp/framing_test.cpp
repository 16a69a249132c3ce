// SPDX-License-Identifier: Apache-2.0
#include "lsp/wire/framing.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace komuz::lsp_test {
namespace {

using lsp::Frame;
using lsp::FrameReader;

// Bodies as they are, problems behind a `!`.
std::vector<std::string> frames_of(std::string_view bytes, size_t portion) {
  FrameReader reader;
  std::vector<std::string> found;
  for (size_t at = 0; at < bytes.size(); at += portion) {
    reader.add(bytes.substr(at, portion));
    while (const auto frame = reader.next())
      found.push_back(frame->problem.empty() ? frame->body : "!" + frame->problem);
  }
  return found;
}
using Frames = std::vector<std::string>;

TEST(Framing, PortionsDoNotMatter) {
  const std::string bytes =
      "Content-Length: 2\r\n\r\n{}"
      "content-length:3\n\nabc"
      "X-Other: 1\r\nCONTENT-LENGTH:   0 \r\nContent-Type: x\r\n\r\n"
      "\r\n\r\nContent-Length: 4\n\r\nfour";
  const Frames wanted = {"{}", "abc", "", "four"};
  for (size_t portion = 1; portion <= bytes.size(); ++portion)
    EXPECT_EQ(frames_of(bytes, portion), wanted) << portion;
}

TEST(Framing, AHeaderThatMeansNothingIsPassedOver) {
  const std::string good = "Content-Length: 2\r\n\r\nok";
  const char* const kBad[] = {
      "Content-Length: -5\r\n\r\n",       "Content-Length: 99999999999999999999999\r\n\r\n",
      "Content-Length: 67108865\r\n\r\n", "Content-Length: ten\r\n\r\n",
      "Content-Length: 1 0\r\n\r\n",      "Content-Length:\r\n\r\n",
      "Content-Type: x\r\n\r\n",          "no header at all\r\n"};
  for (const std::string bad : kBad)
    for (const size_t portion : {size_t{1}, size_t{7}, size_t{1000}}) {
      const Frames found = frames_of(bad + good, portion);
      ASSERT_EQ(found.size(), 2u) << bad;
      EXPECT_TRUE(found[0].starts_with("!")) << bad;
      EXPECT_EQ(found[1], "ok") << bad;
    }
}

TEST(Framing, ALongHeaderIsRefusedBeforeItEnds) {
  const std::string bytes(lsp::kMostHeaderBytes + 2, 'a');
  const Frames found = frames_of(bytes, 1000);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("!a header has at most"));
  // So is one that might still become the first word of a request of HTTP.
  EXPECT_EQ(frames_of(std::string(lsp::kMostHeaderBytes + 2, 'A'), 1000), found);
  // … and a body that is too short for its length takes what follows: the stream goes on behind it.
  EXPECT_EQ(
      frames_of("Content-Length: 4\r\n\r\n{}Content-Length: 2\r\n\r\nokContent-Length: 1\r\n\r\n1",
                3)
          .back(),
      "1");
}

// Any web page can send these to a port.
TEST(Framing, ARequestOfHttpIsNeverAMessage) {
  const std::string body = "Content-Length: 2\r\n\r\n{}";
  for (const std::string line :
       {"POST / HTTP/1.1\r\n", "POST /a:b HTTP/1.1\r\n", "GET / HTTP/1.1\r\n"})
    for (const u32 portion : {1u, 7u, 1000u}) {
      const std::string request = line + "Host: 127.0.0.1\r\n" + body + body;
      const Frames found = frames_of(request, portion);
      ASSERT_EQ(found.size(), 1u) << line;
      EXPECT_TRUE(found[0].starts_with("!this is a request of HTTP")) << found[0];
    }
  const std::string long_line =
      "POST /" + std::string(lsp::kMostHeaderBytes, 'a') + " HTTP/1.1\r\n";
  EXPECT_EQ(frames_of(long_line + body, 1000).size(), 1u);
}

TEST(Framing, AnyBytesAreTaken) {
  Random random(7);
  constexpr std::string_view kPieces[] = {"Content-Length", ": ", "\r\n", "\n", "12", "-",
                                          "\r\n\r\n",       "{}", "é"};
  for (u32 round = 0; round < 2000; ++round) {
    std::string bytes;
    for (u32 k = random.below(30); k > 0; --k) bytes += random.pick(kPieces);
    EXPECT_EQ(frames_of(bytes, 1), frames_of(bytes, 1 + random.below(64))) << bytes;
  }
}

}  // namespace
}  // namespace komuz::lsp_test

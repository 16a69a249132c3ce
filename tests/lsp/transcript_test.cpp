// SPDX-License-Identifier: Apache-2.0
// The sessions in tests/lsp/transcripts, played again. KOMUZ_UPDATE=1 rewrites them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/lsp/transcript.h"

namespace komuz::lsp_test {
namespace {

std::vector<std::string> transcript_paths() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(KOMUZ_SOURCE_DIR "/tests/lsp/transcripts"))
    paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

class LspTranscript : public testing::TestWithParam<std::string> {};

TEST_P(LspTranscript, SaysWhatItSays) {
  std::ifstream in(GetParam(), std::ios::binary);
  const std::string before{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::string now = replayed(before);
  const char* const update = std::getenv("KOMUZ_UPDATE");
  if (update && *update == '1')
    std::ofstream(GetParam(), std::ios::binary) << now;
  else
    EXPECT_EQ(now, before) << GetParam() << "; KOMUZ_UPDATE=1 rewrites it";
}

INSTANTIATE_TEST_SUITE_P(Lsp, LspTranscript, testing::ValuesIn(transcript_paths()),
                         [](const auto& one) {
                           return std::filesystem::path(one.param).stem().string();
                         });

}  // namespace
}  // namespace komuz::lsp_test

// SPDX-License-Identifier: Apache-2.0
// The transcripts in tests/cli/golden and the console blocks of the documentation, run again.
// KOMUZ_UPDATE=1 rewrites them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

std::vector<std::string> transcript_paths() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(KOMUZ_SOURCE_DIR "/tests/cli/golden"))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path().string());
  for (const char* page :
       {"/README.md", "/docs/cli.md", "/docs/cluster.md", "/docs/evaluate.md", "/docs/export.md",
        "/docs/fit.md", "/docs/import.md", "/docs/packing.md", "/docs/repl.md", "/docs/report.md",
        "/docs/scale.md", "/docs/sketches.md", "/docs/stdlib.md", "/docs/ways/heuristic.md",
        "/docs/ways/loop.md", "/docs/ways/table.md", "/examples/llm/README.md",
        "/examples/packing/README.md"})
    paths.push_back(std::string(KOMUZ_SOURCE_DIR) + page);
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Transcript : public testing::TestWithParam<std::string> {};

// These run the package of Python.
bool needs_python(const std::string& path) {
  return path.ends_with("/golden/llm.txt") || path.ends_with("/llm/README.md");
}

TEST_P(Transcript, PrintsWhatItSays) {
  if (needs_python(GetParam()) && std::string_view(KOMUZ_PYTHON_FOLDER).empty())
    GTEST_SKIP() << "the package komuz of Python was not built";
  const ScratchFolder scratch;
  ASSERT_FALSE(scratch.path().empty());
  const std::string before = read_text(GetParam());
  ASSERT_NE(before.find("$ "), std::string::npos) << GetParam() << " holds no command";
  const bool is_page = GetParam().ends_with(".md");
  const std::string now =
      is_page ? replay_page(before, scratch.path()) : replay(before, scratch.path());
  const char* update = std::getenv("KOMUZ_UPDATE");
  if (update && *update == '1')
    write_text(GetParam(), now);
  else
    EXPECT_EQ(now, before) << GetParam() << "; KOMUZ_UPDATE=1 rewrites it";
}

// The name of the file, with that of its folder where another may have the same: pages of docs, README.md of examples.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  const std::filesystem::path path(info.param);
  std::string name = path.stem().string();
  if (path.parent_path().parent_path().stem() == "examples")
    name += "_" + path.parent_path().stem().string();
  if (path.parent_path().stem() == "docs") name += "_docs";
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cli, Transcript, testing::ValuesIn(transcript_paths()), test_name);

TEST(Replay, ReplacesOutputAndKeepsTheRest) {
  const ScratchFolder scratch;
  EXPECT_EQ(
      replay("# Words.\n$ echo a; echo; echo b >&2; false\nold\n\nold\n# More.\n$ echo $T\n",
             scratch.path()),
      "# Words.\n$ echo a; echo; echo b >&2; false\na\n\nb\n[exit 1]\n\n# More.\n$ echo $T\n$T\n");
  EXPECT_EQ(replay_page("x\n```console\n$ echo 1\n2\n```\n$ echo 3\n", scratch.path()),
            "x\n```console\n$ echo 1\n1\n```\n$ echo 3\n");
}

}  // namespace
}  // namespace komuz::cli_test

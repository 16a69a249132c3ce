// SPDX-License-Identifier: Apache-2.0
// The tables of docs/evaluate.md have a row for each score. KOMUZ_UPDATE=1 in the environment rewrites them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/scores/score_kinds.h"

namespace komuz::engine {
namespace {

struct DocumentRow {
  ScoreKind kind;
  std::string_view name, what, of_case;
};
constexpr DocumentRow kDocumentRows[] = {
#define SCORE(Name, name, Sums, Error, Form, Better, what, of_case) \
  {ScoreKind::Name, name, what, of_case},
#include "engine/scores/score_kinds.def"
};

std::string table_cell(std::string_view text) {
  std::string out = " ";
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out + " |";
}

// Replaces the rows of the table below this head.
void put_rows(std::string& page, const std::string& head, const std::string& rows) {
  const size_t at = page.find(head);
  ASSERT_NE(at, std::string::npos) << head;
  const size_t begin = at + head.size(), end = page.find("\n\n", begin) + 1;
  page.replace(begin, end - begin, rows);
}

TEST(ScoreDocument, HasARowForEachScore) {
  const std::string path = KOMUZ_SOURCE_DIR "/docs/evaluate.md";
  std::ifstream in(path, std::ios::binary);
  const std::string kept{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::string page = kept, scores, contributions = "| a harness | its value |\n";
  for (const DocumentRow& row : kDocumentRows) {
    const std::string name = "| `" + std::string(row.name) + "` |";
    scores +=
        name + table_cell(row.what) + (is_larger_better(row.kind) ? " larger |\n" : " smaller |\n");
    contributions += name + table_cell(row.of_case) + "\n";
  }
  put_rows(page, "| `--score` | of a candidate | better |\n| --- | --- | --- |\n", scores);
  put_rows(page, "| score | contribution of a case |\n| --- | --- |\n", contributions);
  if (std::getenv("KOMUZ_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << page;
    return;
  }
  EXPECT_TRUE(page == kept) << path << ": run with KOMUZ_UPDATE=1 and look at the change";
}

}  // namespace
}  // namespace komuz::engine

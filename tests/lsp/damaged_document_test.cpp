// SPDX-License-Identifier: Apache-2.0
// Answers about documents that have lost a token, through the protocol. KOMUZ_SEEDS: so many tokens are drawn; KOMUZ_ALL=1: every token
// of the corpus is deleted, and the files that lose most are told.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "base/random.h"
#include "tests/lsp/survival.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;
using test::Stretch;

// Of a deletion.
constexpr u32 kNames = 8;
constexpr double kLeast = 0.95;

struct Program {
  std::string uri, text;
  test::ProgramParts parts;
};

std::vector<Program> read_corpus(MemoryFiles& files) {
  std::vector<Program> programs;
  for (const auto& path : test::corpus()) {
    const std::string place = "/w/" + path.lexically_relative(KOMUZ_SOURCE_DIR).generic_string();
    std::string text = test::read_text(path);
    files.texts[place] = text;
    test::FolderModules modules(path.parent_path());
    engine::ModuleLoader loader(&modules);
    loader.load(text);
    services::Analysis analysis(&loader.library());
    analysis.read(text);
    test::ProgramParts parts = test::parts_of(analysis);
    if (!parts.tokens.empty())
      programs.push_back({"file://" + place, std::move(text), std::move(parts)});
  }
  return programs;
}

// Some names outside of a stretch.
std::vector<u32> draw_names(const std::vector<u32>& names, Stretch damaged, Random& random) {
  std::vector<u32> outside;
  for (const u32 name : names)
    if (name < damaged.begin || name >= damaged.end) outside.push_back(name);
  std::vector<u32> drawn;
  for (u32 k = 0; k < kNames && !outside.empty(); ++k) {
    const u32 at = random.below(outside.size());
    drawn.push_back(outside[at]);
    outside.erase(outside.begin() + at);
  }
  return drawn;
}

class DamagedDocumentTest : public testing::Test {
 protected:
  void begin() {
    harness_.send(
        request(0, "initialize",
                {{"capabilities",
                  {{"general", {{"positionEncodings", Json::array({"utf-8"})}}},
                   {"textDocument",
                    {{"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}}}}}}}));
    programs_ = read_corpus(harness_.files);
  }
  // Deletes tokens of a program, each by itself.
  void damage(const Program& program, const std::vector<Stretch>& tokens, Random& random) {
    std::map<std::string, Share> own;
    std::vector<std::string> told;
    DamagedDocument document(harness_, program.uri, program.text);
    for (const Stretch token : tokens) {
      const Stretch damaged = program.parts.damaged_by(token);
      std::vector<std::string> lost;
      document.lose(token, damaged, draw_names(program.parts.names, damaged, random), own, &lost);
      if (lost.size() > 2)
        told.push_back(std::to_string(lost.size()) + " lost without byte " +
                       std::to_string(token.begin) + " `" +
                       program.text.substr(token.begin, token.end - token.begin) + "`, such as " +
                       lost[0]);
    }
    EXPECT_TRUE(document.is_as_before()) << program.uri;
    deletions_ += tokens.size();
    Share all;
    for (const auto& [method, share] : own) {
      shares_[method].asked += share.asked;
      shares_[method].survived += share.survived;
      all.asked += share.asked;
      all.survived += share.survived;
    }
    if (std::getenv("KOMUZ_ALL") == nullptr || all.value() >= 0.97) return;
    std::cout << program.uri << ": " << 100 * all.value() << " % of " << all.asked << "\n";
    for (const std::string& line : told) std::cout << "  " << line << "\n";
  }
  void expect_least() const {
    std::cout << deletions_ << " deletions\n";
    for (const auto& [method, share] : shares_) {
      std::cout << method << ": " << share.survived << " of " << share.asked << " survive, "
                << 100 * share.value() << " %\n";
      EXPECT_GE(share.value(), kLeast) << method;
      EXPECT_GT(share.asked, 0u) << method;
    }
    EXPECT_EQ(shares_.size(), 5u);
  }

  SessionHarness harness_;
  std::vector<Program> programs_;
  std::map<std::string, Share> shares_;
  u64 deletions_ = 0;
};

TEST_F(DamagedDocumentTest, AnswersOutsideOfTheDamagedItemSurvive) {
  begin();
  Random random(38);
  if (std::getenv("KOMUZ_ALL") != nullptr) {
    for (const Program& program : programs_) damage(program, program.parts.tokens, random);
  } else {
    const char* const seeds = std::getenv("KOMUZ_SEEDS");
    const u64 count = seeds ? std::strtoull(seeds, nullptr, 10) : 300;
    for (u64 k = 0; k < count; ++k) {
      const Program& program = random.pick(programs_);
      damage(program, {random.pick(program.parts.tokens)}, random);
    }
  }
  expect_least();
}

}  // namespace
}  // namespace komuz::lsp_test

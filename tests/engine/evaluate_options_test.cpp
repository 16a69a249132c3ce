// SPDX-License-Identifier: Apache-2.0
// Options that contradict each other end an evaluation before anything is run; those that merely say nothing do not.
#include <gtest/gtest.h>

#include <functional>

#include "engine/candidates/load_modules.h"
#include "engine/cases/signature.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine::test {
namespace {

void expect_conflict(const std::function<void(EvaluateOptions&)>& set, std::string_view text) {
  EvaluateOptions options;
  set(options);
  CandidateList source(kCandidates);
  Results results;
  const Problem error = evaluate(source, table_of(kCases), options, results);
  ASSERT_TRUE(error) << text;
  EXPECT_EQ(error.text(), "these options do not go together: " + std::string(text));
  EXPECT_TRUE(error.is(ProblemKind::Option));
  EXPECT_EQ(results.rows.size(), 0u);
}

TEST(EvaluateOptionsCheck, ContradictionsSayWhatTheyAre) {
  expect_conflict(
      [](EvaluateOptions& options) {
        options.programs.signature = read_signature("(n: i64) -> i64").value();
        options.programs.result_type = options.programs.signature->result_type;
      },
      "candidates have a signature, or else a result type alone");
  expect_conflict([](EvaluateOptions& options) { options.programs.sketch_fixes.emplace_back(); },
                  "there are edits of a sketch, and no sketch");
  expect_conflict([](EvaluateOptions& options) { options.programs.harness = 0; },
                  "a harness is one of the modules, and a function of it is the entry");
  expect_conflict(
      [](EvaluateOptions& options) {
        options.programs.shard = {2, 2};
      },
      "there is no such shard");
  expect_conflict(
      [](EvaluateOptions& options) {
        options.ranking.score = ScoreKind::Minimize;
        options.ranking.cut_off = 3;
      },
      "a score that ranks by the values themselves has no cut-off");
  expect_conflict([](EvaluateOptions& options) { options.ranking.best_of_each_behaviour = true; },
                  "the best of each behaviour are among so many of the best programs");
  expect_conflict([](EvaluateOptions& options) { options.ranking.ranks_later = true; },
                  "the ranking is put off for so many of the best programs");
}

TEST(EvaluateOptionsCheck, WhatSaysNothingIsNoContradiction) {
  EvaluateOptions options;
  EXPECT_FALSE(check(options));
  options.programs.expands_variants = true;  // there is no sketch
  options.ranking.score = ScoreKind::SquaredError;
  options.ranking.ends_at_failure = true;    // of an exact score
  options.details.rows_without_memory = 10;  // there is no log
  EXPECT_FALSE(check(options));
}

}  // namespace
}  // namespace komuz::engine::test

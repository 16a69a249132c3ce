// SPDX-License-Identifier: Apache-2.0
// Logs of shards, and the run that they are parts of.
#include "engine/log/merge_logs.h"

#include "tests/engine/log/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

TEST(ResultLog, ShardsAreTheWholeRun) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  const Shown whole = run.show(Open::None);
  for (const u32 of : {1u, 2u, 3u, 7u}) {
    std::vector<std::string> paths;
    for (u32 index = of; index-- > 0;) {
      run.options.programs.shard = {index, of};
      run.options.machines.epoch = 100 + 700 * index;
      paths.push_back(folder.file(std::to_string(of) + "-" + std::to_string(index)));
      static_cast<void>(run.show(Open::Create, paths.back()));
    }
    Results merged;
    MergedLogs logs;
    Problem error = logs.read(paths, merged);
    ASSERT_FALSE(error) << error.text();
    EXPECT_EQ(report_of(logs, merged), whole.report) << of;
    if (of == 1) continue;
    // One of them was killed: the results are the candidates before the first that it lacks.
    const std::string bytes = content(paths.back());
    put(paths.back(), std::string_view(bytes).substr(0, bytes.size() / 2));
    MergedLogs partial;
    error = partial.read(paths, merged);
    ASSERT_FALSE(error) << error.text();
    EXPECT_FALSE(merged.complete);
    ASSERT_EQ(partial.unfinished().size(), 1u);
    EXPECT_EQ(partial.unfinished()[0].path, paths.back());
    EXPECT_LT(merged.rows.size(), run.candidates.size());
    run.options.programs.shard = {0, of};
    static_cast<void>(run.show(Open::Resume, paths.back()));
    EXPECT_EQ(content(paths.back()), bytes);
  }
}

TEST(ResultLog, OnlyShardsOfOneRunAreJoined) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  const auto log_of = [&](const std::string& name, u32 index, u32 of) {
    run.options.programs.shard = {index, of};
    fs::remove(folder.file(name));
    static_cast<void>(run.show(Open::Create, folder.file(name)));
    return folder.file(name);
  };
  const auto error_of = [](const std::vector<std::string>& paths) {
    Results merged;
    MergedLogs logs;
    const Problem error = logs.read(paths, merged);
    return error ? error.text() : "";
  };
  const std::string first = log_of("a", 0, 2), second = log_of("b", 1, 2),
                    again = log_of("c", 1, 2);
  EXPECT_EQ(error_of({second, first}), "");
  EXPECT_NE(error_of({first}).find("shard 2/2 is missing"), std::string::npos);
  EXPECT_NE(error_of({first, second, again}).find("this is shard 2/2, and so is"),
            std::string::npos);
  EXPECT_NE(error_of({first, log_of("d", 1, 3)}).find("of another run"), std::string::npos);
  run.options.limits.fuel = 9;
  EXPECT_NE(error_of({first, log_of("e", 1, 2)}).find("of another run"), std::string::npos);
  run.options.limits.fuel = kDefaultFuel;
  run.candidates.back().id = "else";
  EXPECT_NE(error_of({first, log_of("f", 1, 2)}).find("its candidates were others"),
            std::string::npos);
}

// Whatever is missing, the others are ranked as if they were all that there is, and it is said what is not there.
TEST(ResultLog, PartsAreMergedWithoutTheOthers) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  constexpr u32 kParts = 3;
  std::vector<std::string> paths;
  for (u32 index = 0; index < kParts; ++index) {
    run.options.programs.shard = {index, kParts};
    paths.push_back(folder.file(std::to_string(index)));
    static_cast<void>(run.show(Open::Create, paths.back()));
  }
  const std::string bytes = content(paths[1]);
  for (const bool is_there : {true, false}) {
    const size_t rest = is_there ? bytes.size() / 2 : 0;
    std::vector<std::string> some = {paths[2], paths[0]};
    if (is_there) some.push_back(paths[1]);
    put(paths[1], std::string_view(bytes).substr(0, rest));
    Results merged, whole;
    MergedLogs logs, all;
    Problem error = logs.read(some, merged, MergedLogs::Take::Parts);
    ASSERT_FALSE(error) << error.text();
    EXPECT_FALSE(merged.complete);
    ASSERT_EQ(logs.unfinished().size(), 1u);
    const MergedLogs::Unfinished& part = logs.unfinished()[0];
    EXPECT_EQ(shard_text(part.shard), "2/3");
    EXPECT_EQ(part.path, is_there ? paths[1] : "");
    // A run of just these candidates.
    const Shard second{1, kParts};
    LoggedRun less = run;
    less.options.programs.shard = {};
    less.candidates.clear();
    u64 own = 0;
    for (u64 k = 0; k < run.candidates.size(); ++k)
      if (!second.has(k) || own++ < part.rows) less.candidates.push_back(run.candidates[k]);
    EXPECT_EQ(part.rows > 0, is_there);
    std::string wanted = less.show(Open::None).report;
    wanted.replace(wanted.find("true"), 4, "false");
    EXPECT_EQ(report_of(logs, merged), wanted);
    EXPECT_FALSE(logs.read_error());
    // If nothing is missing, it is the whole run.
    put(paths[1], bytes);
    ASSERT_FALSE(all.read(paths, whole, MergedLogs::Take::Parts));
    EXPECT_TRUE(whole.complete);
  }
}

// Blocks are dealt out in turn: where a part ends in the midst of one, those behind have no more.
TEST(ResultLog, PartsWithoutCandidatesAreNotMissing) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  using Take = MergedLogs::Take;
  constexpr std::ptrdiff_t kFirstFitting = 1500;
  struct Sample {
    std::ptrdiff_t candidates;
    std::vector<u32> there;
    std::vector<u32> missing;
  };
  const Sample samples[] = {{14, {0}, {}},         {14, {1}, {0}},      {1024, {0}, {1, 2}},
                            {1500, {0, 1}, {}},    {1500, {1}, {0}},    {1500, {0}, {1, 2}},
                            {3080, {0, 1, 2}, {}}, {3080, {0}, {1, 2}}, {1024, {0, 1}, {}},
                            {3080, {0, 1}, {2}}};
  for (const Sample& sample : samples) {
    LoggedRun some = run;
    some.candidates.assign(run.candidates.begin() + kFirstFitting,
                           run.candidates.begin() + kFirstFitting + sample.candidates);
    some.options.programs.shard = {};
    const std::string whole = some.show(Open::None).report;
    std::vector<std::string> paths;
    for (const u32 index : sample.there) {
      some.options.programs.shard = {index, 3};
      paths.push_back(folder.file(std::to_string(index)));
      fs::remove(paths.back());
      static_cast<void>(some.show(Open::Create, paths.back()));
    }
    Results merged;
    MergedLogs logs;
    const Problem error = logs.read(paths, merged, Take::Parts);
    ASSERT_FALSE(error) << error.text();
    std::vector<u32> missing;
    for (const MergedLogs::Unfinished& part : logs.unfinished())
      missing.push_back(part.shard.index);
    EXPECT_EQ(missing, sample.missing) << sample.candidates;
    EXPECT_EQ(merged.complete, missing.empty());
    if (!missing.empty()) continue;
    EXPECT_EQ(report_of(logs, merged), whole) << sample.candidates;
  }
  // A log that lacks its end alone.
  run.candidates.erase(run.candidates.begin(), run.candidates.begin() + kFirstFitting);
  run.candidates.resize(1500);
  std::vector<std::string> paths;
  for (u32 index = 0; index < 2; ++index) {
    run.options.programs.shard = {index, 2};
    paths.push_back(folder.file("of two " + std::to_string(index)));
    static_cast<void>(run.show(Open::Create, paths.back()));
  }
  const std::string first = content(paths[0]);
  put(paths[0], std::string_view(first).substr(0, first.rfind("{\"end\"")));
  Results merged;
  MergedLogs logs;
  ASSERT_FALSE(logs.read(paths, merged, Take::Parts));
  ASSERT_EQ(logs.unfinished().size(), 1u);
  EXPECT_TRUE(logs.unfinished()[0].has_all_rows);
}

TEST(ResultLog, ReadingStopsAndIsTold) {
  class Told final : public Watch {
   public:
    explicit Told(const std::stop_token& stop) : Watch(stop) {}
    void tell(u64 done, u64 all, std::string_view noun) const override {
      last = done;
      total = all;
      EXPECT_EQ(noun, "bytes");
    }
    mutable u64 last = 0, total = 0;
  };
  const Folder folder;
  std::vector<std::string> texts;
  const LoggedRun run = many(texts);
  const std::vector<std::string> paths = {folder.file("log")};
  static_cast<void>(run.show(Open::Create, paths[0]));
  std::stop_source stop;
  const Told told(stop.get_token());
  Results merged;
  MergedLogs logs, stopped_logs;
  ASSERT_FALSE(logs.read(paths, merged, MergedLogs::Take::Whole, told));
  EXPECT_EQ(told.total, content(paths[0]).size());
  EXPECT_GT(told.last, told.total / 2);
  EXPECT_LE(told.last, told.total);
  stop.request_stop();
  const Problem error = stopped_logs.read(paths, merged, MergedLogs::Take::Whole, told);
  ASSERT_TRUE(error);
  EXPECT_TRUE(error.is(ProblemKind::Stop));
}

// Like the file of a run that was killed at once, or ran out of space.
TEST(ResultLog, APartThatHasNotBegunIsAPartThatIsMissing) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  std::vector<std::string> paths;
  for (u32 index = 0; index < 3; ++index) {
    run.options.programs.shard = {index, 3};
    paths.push_back(folder.file(std::to_string(index)));
    static_cast<void>(run.show(Open::Create, paths.back()));
  }
  Results without;
  MergedLogs two;
  ASSERT_FALSE(two.read(std::vector{paths[0], paths[2]}, without, MergedLogs::Take::Parts));
  const auto error_of = [](const std::vector<std::string>& of, MergedLogs::Take take) {
    Results merged;
    MergedLogs logs;
    const Problem error = logs.read(of, merged, take);
    return error ? error.text() : "";
  };
  using Take = MergedLogs::Take;
  const std::string whole = content(paths[1]);
  const std::string empty = paths[1] + ": the log is empty: its run did not begin; run it again " +
                            "with `--resume " + paths[1] + "`";
  for (const size_t bytes : {size_t{0}, size_t{5}, whole.find('\n')}) {
    put(paths[1], std::string_view(whole).substr(0, bytes));
    EXPECT_EQ(error_of(paths, Take::Whole), empty + "; `--partial` does without");
    EXPECT_EQ(error_of({paths[1]}, Take::Parts), empty);
    Results merged;
    MergedLogs logs;
    const Problem error = logs.read(paths, merged, Take::Parts);
    ASSERT_FALSE(error) << error.text();
    EXPECT_EQ(report_of(logs, merged), report_of(two, without));
    EXPECT_EQ(logs.unbegun(), std::vector{paths[1]});
    ASSERT_EQ(logs.unfinished().size(), 1u);
    EXPECT_EQ(logs.unfinished()[0].shard.index, 1u);
    run.options.programs.shard = {1, 3};
    static_cast<void>(run.show(Open::Resume, paths[1]));
    EXPECT_EQ(content(paths[1]), whole);
  }
  const std::string more = folder.file("more");
  put(more, "");
  EXPECT_NE(error_of({paths[0], paths[1], paths[2], more}, Take::Parts).find("no part of the run"),
            std::string::npos);
  put(more, "log");
  EXPECT_NE(error_of({paths[0], more}, Take::Parts).find("no results log"), std::string::npos);
}

TEST(Shard, HasEveryCandidateOnce) {
  for (const u32 of : {1u, 2u, 5u}) {
    for (const u64 all : {u64{0}, u64{1}, u64{1023}, u64{1024}, u64{5000}, u64{10'241}}) {
      u64 sum = 0;
      for (u32 index = 0; index < of; ++index) {
        const Shard shard{index, of};
        u64 own = 0;
        for (u64 k = 0; k < all; ++k) own += shard.has(k);
        EXPECT_EQ(own, shard.count(all)) << index << "/" << of << " of " << all;
        sum += own;
      }
      EXPECT_EQ(sum, all);
    }
  }
  EXPECT_EQ(shard_text(*shard_from_text("2/4")), "2/4");
  for (const char* const wrong : {"", "2", "0/4", "5/4", "2/", "/4", "2/4x", "-1/4", "2/4/1"})
    EXPECT_FALSE(shard_from_text(wrong)) << wrong;
}

}  // namespace
}  // namespace komuz::engine

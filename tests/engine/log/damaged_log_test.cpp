// SPDX-License-Identifier: Apache-2.0
// Logs of results that have been changed.
#include <algorithm>

#include "engine/log/line_seal.h"
#include "engine/results/read_details.h"
#include "tests/engine/log/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

// With the checksum of what stands on each line now, so that it is not seen at once that somebody has changed it.
std::string sealed(std::string_view bytes) {
  std::string out;
  LineSeals seals;
  seals.begin(bytes.substr(0, bytes.find('\n')));
  for (u64 number = 1; !bytes.empty(); ++number) {
    const size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return out += bytes;
    const std::string_view line = bytes.substr(0, end);
    const std::string_view body = line.substr(0, line.rfind(kSealBegin));
    (((out += body) += seals.seal(body, number)) += '\n');
    bytes.remove_prefix(end + 1);
  }
  return out;
}

// Whichever bit of a log is flipped: a continued run reports the place and ends with the same bytes, or reports the
// fault; and joining damaged logs is never silent.
TEST(ResultLog, EveryBitCounts) {
  const Folder folder;
  const std::string path = folder.file("log");
  LoggedRun run = numbers();
  const Shown whole = run.show(Open::Create, path);
  const std::string bytes = content(path);
  const auto line_of = [&](size_t at) {
    return static_cast<u64>(1 + std::ranges::count(std::string_view(bytes).substr(0, at), '\n'));
  };
  size_t mended = 0, tries = 0;
  std::string refusals;
  for (size_t bit = 0; bit < 8 * bytes.size(); bit += 1 + bit % 149) {
    const size_t at = bit / 8;
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit % 8));
    put(path, damaged);
    Results merged;
    MergedLogs logs;
    const Problem refused = logs.read(std::span(&path, 1), merged);
    const bool is_last_end = at + 1 == bytes.size();
    ASSERT_TRUE(refused || (is_last_end && !merged.complete)) << bit;
    if (refused && damaged[at] != '\n' && bytes[at] != '\n') {
      // If it is not even the beginning of a log, no line is named.
      ASSERT_EQ(std::max(refused.place().line, u64{1}), line_of(at)) << refused.text();
    }
    Shown shown;
    std::vector<ResultLog::Damage> damages;
    run.options.machines.epoch = 1 + static_cast<u32>(bit % 5);
    const Problem error = run.evaluate_into(Open::Resume, path, shown, &damages);
    ++tries;
    if (error) {
      // With damaged first bytes, a header is not recognised.
      ASSERT_EQ(content(path), damaged) << bit;
      refusals += std::to_string(bit) + ": " + error.text() + "\n";
      continue;
    }
    ++mended;
    ASSERT_EQ(shown, whole) << bit;
    ASSERT_EQ(content(path), bytes) << bit;
    if (is_last_end) continue;  // as that of a run that was killed
    ASSERT_EQ(damages.size(), 1u) << bit;
    ASSERT_LE(damages[0].first_line, line_of(at)) << bit;
    ASSERT_GE(damages[0].last_line, line_of(at)) << bit;
  }
  EXPECT_EQ(mended, tries) << refusals;
}

// A stretch of a disk: lines of it are evaluated again, wherever it begins and ends.
TEST(ResultLog, StretchesThatAreDamagedAreWrittenAgain) {
  const Folder folder;
  const std::string path = folder.file("log");
  for (LoggedRun run : {numbers(), scored_cases()}) {
    fs::remove(path);
    const Shown whole = run.show(Open::Create, path);
    const std::string bytes = content(path);
    const size_t header = bytes.find('\n') + 1;
    for (const size_t length : {size_t{2}, size_t{300}, size_t{1500}}) {
      for (size_t at = header; at + length < bytes.size(); at += 97 + at % 31) {
        std::string damaged = bytes;
        damaged.replace(at, length, length, at % 2 == 0 ? '\0' : '\n');
        put(path, damaged);
        run.options.machines.epoch = 1 + static_cast<u32>(at % 6);
        ASSERT_EQ(run.show(Open::Resume, path), whole) << at;
        ASSERT_EQ(content(path), bytes) << at;
      }
    }
  }
}

// Each line, and several that stand apart, as an editor leaves them: longer, shorter, twice, gone.
TEST(ResultLog, LinesOfAnotherLengthAreWrittenAgain) {
  const Folder folder;
  const std::string path = folder.file("log");
  for (LoggedRun run : {numbers(), scored_cases()}) {
    fs::remove(path);
    const Shown whole = run.show(Open::Create, path);
    const std::string bytes = content(path);
    std::vector<size_t> begins;
    for (size_t at = bytes.find('\n') + 1; at < bytes.size(); at = bytes.find('\n', at) + 1)
      begins.push_back(at);
    const auto edit = [&bytes](std::string& text, size_t begin, size_t way) {
      const size_t end = bytes.find('\n', begin) + 1;
      const std::string line = bytes.substr(begin, end - begin);
      switch (way) {
        case 0: text.insert(begin + 4, " "); break;
        case 1: text.erase(begin + 4, 1); break;
        case 2: text.insert(begin, line); break;
        case 3: text.erase(begin, line.size()); break;
        case 4: text.insert(begin, "\n\n"); break;
        default: text.insert(begin + line.size() / 2, std::string(3000, 'x')); break;
      }
    };
    const auto check = [&](const std::string& edited, u32 epoch, const std::string& what) {
      put(path, edited);
      run.options.machines.epoch = epoch;
      Shown shown;
      const Problem error = run.evaluate_into(Open::Resume, path, shown);
      ASSERT_FALSE(error) << what << ": " << error.text();
      ASSERT_EQ(shown, whole) << what;
      ASSERT_EQ(content(path), bytes) << what;
    };
    for (size_t way = 0; way < 6; ++way) {
      for (size_t k = 0; k < begins.size(); ++k) {
        std::string edited = bytes;
        edit(edited, begins[k], way);
        check(edited, 1 + static_cast<u32>(k % 5), std::to_string(way) + " " + std::to_string(k));
      }
      std::string edited = bytes;
      for (size_t k = begins.size(); k-- > 0;)
        if (k % 3 == 1) edit(edited, begins[k], way);
      check(edited, 3, std::to_string(way) + " in several places");
    }
  }
}

// A log that was edited in very many places is evaluated again, once it has been moved often enough.
TEST(ResultLog, EveryOtherLineMayHaveAnotherLength) {
  const Folder folder;
  const std::string path = folder.file("log");
  std::vector<std::string> texts;
  const LoggedRun run = many(texts);
  const Shown whole = run.show(Open::Create, path);
  const std::string bytes = content(path);
  std::string edited;
  u64 number = 0;
  for (size_t at = 0; at < bytes.size(); ++number) {
    const size_t end = bytes.find('\n', at) + 1;
    (edited += number % 2 == 1 ? " " : "") += bytes.substr(at, end - at);
    at = end;
  }
  put(path, edited);
  std::vector<ResultLog::Damage> damages;
  Shown shown;
  ASSERT_FALSE(run.evaluate_into(Open::Resume, path, shown, &damages));
  EXPECT_EQ(shown, whole);
  EXPECT_EQ(content(path), bytes);
  EXPECT_EQ(damages.size(), 17u);
}

// Candidates that are missing now are no matter of the disk.
TEST(ResultLog, AGapBehindTheLastCandidateIsOfMoreCandidates) {
  const Folder folder;
  const std::string path = folder.file("log");
  LoggedRun run = numbers();
  static_cast<void>(run.show(Open::Create, path));
  std::string edited = content(path);
  const size_t end = edited.rfind("{\"end\""), last = edited.rfind("\n{\"id\"", end) + 1;
  ASSERT_LT(last, end);
  edited.insert(last + 4, " ");
  put(path, edited);
  run.candidates.pop_back();
  Shown shown;
  const Problem error = run.evaluate_into(Open::Resume, path, shown);
  ASSERT_TRUE(error);
  EXPECT_NE(error.text().find("the log has more candidates than there are"), std::string::npos)
      << error.text();
  EXPECT_EQ(content(path), edited);
}

TEST(ResultLog, PartsAreReadUpToWhatIsDamaged) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  std::vector<std::string> paths;
  for (u32 index = 0; index < 2; ++index) {
    run.options.programs.shard = {index, 2};
    paths.push_back(folder.file(std::to_string(index)));
    static_cast<void>(run.show(Open::Create, paths.back()));
  }
  const std::string whole = content(paths[0]);
  const size_t middle = whole.find('\n', whole.size() / 2);
  std::string damaged = whole;
  damaged[middle + 5] = static_cast<char>(damaged[middle + 5] ^ 4);
  const auto line =
      static_cast<u64>(2 + std::ranges::count(std::string_view(whole).substr(0, middle), '\n'));
  put(paths[0], damaged);
  Results merged, cut;
  MergedLogs logs, cut_logs;
  const Problem error = logs.read(paths, merged);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.text(), paths[0] + ":" + std::to_string(line) +
                              ": this line of the log is damaged; run that part again with "
                              "`--resume " +
                              paths[0] + "`, which evaluates again what is damaged");
  MergedLogs partial;
  ASSERT_FALSE(partial.read(paths, merged, MergedLogs::Take::Parts));
  ASSERT_EQ(partial.unfinished().size(), 1u);
  EXPECT_EQ(partial.unfinished()[0].damaged_line, line);
  // Like a log that ends there.
  put(paths[0], std::string_view(whole).substr(0, middle + 1));
  ASSERT_FALSE(cut_logs.read(paths, cut, MergedLogs::Take::Parts));
  EXPECT_EQ(report_of(partial, merged), report_of(cut_logs, cut));
  put(paths[0], damaged);
  run.options.programs.shard = {0, 2};
  static_cast<void>(run.show(Open::Resume, paths[0]));
  EXPECT_EQ(content(paths[0]), whole);
}

// A line is whole where it was written, and nowhere else: not in the log of another run, and not in another place.
TEST(ResultLog, LinesOfOtherLogsAndPlacesAreDamaged) {
  const Folder folder;
  const std::string path = folder.file("log");
  LoggedRun run = numbers();
  const Shown whole = run.show(Open::Create, path);
  const std::string bytes = content(path);
  LoggedRun other = numbers();
  other.options.ranking.score = ScoreKind::AbsoluteError;
  static_cast<void>(other.show(Open::Create, folder.file("other")));
  const auto lines_of = [](std::string_view text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at) + 1;
      lines.emplace_back(text.substr(at, end - at));
      at = end;
    }
    return lines;
  };
  const std::vector<std::string> lines = lines_of(bytes),
                                 others = lines_of(content(folder.file("other")));
  ASSERT_GT(lines.size(), 5u);
  std::vector<std::vector<std::string>> damaged;
  const auto changed = [&lines, &damaged](const auto& change) {
    std::vector<std::string> log = lines;
    change(log);
    damaged.push_back(std::move(log));
  };
  for (size_t k = 1; k + 1 < lines.size(); ++k) {
    changed([k](std::vector<std::string>& log) { std::swap(log[k], log[k + 1]); });
    changed([k](std::vector<std::string>& log) { log[k] = log[k + 1]; });
    changed([k](std::vector<std::string>& log) {
      log.erase(log.begin() + static_cast<std::ptrdiff_t>(k));
    });
    if (k < others.size()) changed([&](std::vector<std::string>& log) { log[k] = others[k]; });
  }
  for (const std::vector<std::string>& log : damaged) {
    std::string text;
    for (const std::string& line : log) text += line;
    if (text == bytes) continue;
    put(path, text);
    Results merged;
    MergedLogs logs;
    EXPECT_TRUE(logs.read(std::span(&path, 1), merged)) << text;
    Shown shown;
    ASSERT_FALSE(run.evaluate_into(Open::Resume, path, shown)) << text;
    EXPECT_TRUE(shown == whole) << text;
    EXPECT_EQ(content(path), bytes);
  }
}

// Lines behind are whole, though their numbers seem to be others.
TEST(ResultLog, ADamagedLineEndIsOfItsLinesAlone) {
  const Folder folder;
  const std::string path = folder.file("log");
  const LoggedRun run = numbers();
  const Shown whole = run.show(Open::Create, path);
  const std::string bytes = content(path);
  const size_t header = bytes.find('\n') + 1, end = bytes.rfind("{\"end\"") - 1;
  u32 tries = 0, near = 0;
  for (size_t at = header; at < end; ++at) {
    if (bytes[at] != '\n' && at % 97 != 0) continue;
    std::string damaged = bytes;
    damaged[at] = bytes[at] == '\n' ? ' ' : '\n';
    put(path, damaged);
    Shown shown;
    std::vector<ResultLog::Damage> damages;
    ASSERT_FALSE(run.evaluate_into(Open::Resume, path, shown, &damages)) << at;
    EXPECT_EQ(shown, whole) << at;
    EXPECT_EQ(content(path), bytes) << at;
    ASSERT_EQ(damages.size(), 1u) << at;
    near += damages[0].last_line <= damages[0].first_line + 1;
    ++tries;
  }
  EXPECT_GT(tries, 50u);
  EXPECT_GT(10 * near, 9 * tries) << "but in the midst of a checksum";
}

// A first line that ends as other systems end lines is none that could be mended by a byte.
TEST(ResultLog, AFirstLineWithACarriageReturnStaysAsItIs) {
  const Folder folder;
  const std::string path = folder.file("log");
  const LoggedRun run = numbers();
  static_cast<void>(run.show(Open::Create, path));
  std::string bytes = content(path);
  bytes.insert(bytes.find('\n'), "\r");
  put(path, bytes);
  Shown shown;
  EXPECT_TRUE(run.evaluate_into(Open::Resume, path, shown));
  EXPECT_EQ(content(path), bytes);
}

// Every line changed in some way: an error that names the log, or a row that is as good as any, never a crash.
TEST(ResultLog, DamagedLogsAreErrors) {
  const Folder folder;
  const std::string path = folder.file("log");
  const LoggedRun run = numbers();
  static_cast<void>(run.show(Open::Create, path));
  const std::string bytes = content(path);
  size_t errors = 0, tries = 0;
  for (size_t at = bytes.find('\n') + 1; at + 1 < bytes.size(); at += 3) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(at % 2 == 0 ? '}' : damaged[at] ^ 1);
    put(path, sealed(damaged));
    Shown shown;
    const Problem error = run.evaluate_into(Open::Resume, path, shown);
    errors += static_cast<bool>(error);
    ++tries;
    Results merged;
    MergedLogs logs;
    static_cast<void>(logs.read(std::span(&path, 1), merged));
  }
  EXPECT_GT(errors, tries / 4);
}

// Values of other types than are written, in each place where there is a value.
TEST(ResultLog, ValuesOfOtherTypesAreErrors) {
  const Folder folder;
  const std::string path = folder.file("log");
  for (const LoggedRun& run : {numbers(), values(), scored_cases()}) {
    fs::remove(path);
    static_cast<void>(run.show(Open::Create, path));
    const std::string bytes = content(path);
    size_t errors = 0, tries = 0;
    for (size_t at = bytes.find('\n'); (at = bytes.find("\": ", at)) != std::string::npos;) {
      at += 3;
      // Up to the next comma or bracket, which for the outer values leaves a line that is no JSON.
      const size_t end = bytes.find_first_of(",]}\n", at);
      for (const char* const other :
           {"\"x\"", "-1", "1e99", "[[1]]", "{\"a\": 1}", "null", "true"}) {
        std::string damaged = bytes;
        damaged.replace(at, end - at, other);
        damaged = sealed(damaged);
        put(path, damaged);
        Shown shown;
        errors += static_cast<bool>(run.evaluate_into(Open::Resume, path, shown));
        ++tries;
        put(path, damaged);
        Results merged;
        MergedLogs logs;
        if (logs.read(std::span(&path, 1), merged)) continue;
        for (u32 row = 0; row < merged.rows.size(); ++row) {
          std::string details;
          logs.write_details(details, merged, row);
          FindingsText findings;
          static_cast<void>(read_findings(details, findings));
          static_cast<void>(logs.source_of(merged, row));
        }
      }
    }
    EXPECT_GT(errors, tries / 2);
  }
}

// Nothing was run before there is a signature.
TEST(ResultLog, RowsThatCannotBeAreDamaged) {
  const Folder folder;
  LoggedRun run = numbers();
  run.candidates = {{"b", "pub fn f(n: i64) -> i64 { n + }", {}}};
  static_cast<void>(run.show(Open::Create, folder.file("log")));
  std::string bytes = content(folder.file("log"));
  const size_t status = bytes.find("compile_error");
  bytes.replace(status, 13, "wrong");
  const size_t failure = bytes.find("\"first_failure\": null");
  bytes.replace(failure, 21, "\"first_failure\": {\"case\": 0, \"actual\": 1}");
  put(folder.file("log"), sealed(bytes));
  Shown shown;
  const Problem error = run.evaluate_into(Open::Resume, folder.file("log"), shown);
  ASSERT_TRUE(error);
  EXPECT_NE(error.message().find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// Logs of results that somebody has changed.
#include "engine/log/read_details.h"
#include "tests/engine/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

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
    put(path, damaged);
    Shown shown;
    const MaybeError error = run.evaluate_into(Open::Resume, path, shown);
    errors += error.has_value();
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
        put(path, damaged);
        Shown shown;
        errors += run.evaluate_into(Open::Resume, path, shown).has_value();
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
  put(folder.file("log"), bytes);
  Shown shown;
  const MaybeError error = run.evaluate_into(Open::Resume, folder.file("log"), shown);
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace komuz::engine

// SPDX-License-Identifier: Apache-2.0
// Outputs: which file is written, in which way, and what is refused before a run. Another user runs the checks that
// root would not notice.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

constexpr const char* kEval =
    "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 "
    "--output output1 ";
// Root, to whom everything is allowed, becomes nobody.
constexpr const char* kAsNobody =
    "as_nobody() { if [ $(id -u) = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "
    "-- \"$@\"; else \"$@\"; fi; }; ";
constexpr const char* kUnformatted = "pub fn f( x: f64 )->f64{x}\n";
constexpr const char* kFormatted = "pub fn f(x: f64) -> f64 { x }\n";

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status;
}
bool has(const CommandResult& result, std::string_view text) {
  return result.err.find(text) != std::string::npos;
}

TEST(Outputs, FormattingKeepsHardLinksAndMode) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/a.komuz", link = scratch.path() + "/link.komuz";
  write_text(path, kUnformatted);
  ASSERT_EQ(run_command("chmod 640 $T/a.komuz; ln $T/a.komuz $T/link.komuz", scratch.path()).exit,
            0);
  const ino_t before = status_of(path).st_ino;
  EXPECT_EQ(run_command("komuz fmt $T/a.komuz", scratch.path()).exit, 0);
  EXPECT_EQ(read_text(link), kFormatted);
  EXPECT_EQ(status_of(path).st_ino, before);
  EXPECT_EQ(status_of(path).st_nlink, 2u);
  EXPECT_EQ(status_of(path).st_mode & 07777u, 0640u);
}

// In place of more text than there is now, too.
TEST(Outputs, FixingKeepsHardLinks) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/a.komuz", link = scratch.path() + "/link.komuz";
  write_text(path, "pub fn f(x: float) -> f64 { x / 2.0 }\n");
  ASSERT_EQ(run_command("ln $T/a.komuz $T/link.komuz", scratch.path()).exit, 0);
  EXPECT_EQ(run_command("komuz fix $T/a.komuz", scratch.path()).exit, 0);
  EXPECT_EQ(read_text(link), "pub fn f(x: f64) -> f64 { x / 2.0 }\n");
}

TEST(Outputs, FormattingKeepsTheOwner) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/a.komuz";
  write_text(path, kUnformatted);
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  EXPECT_EQ(run_command("komuz fmt $T/a.komuz", scratch.path()).exit, 0);
  EXPECT_EQ(read_text(path), kFormatted);
  EXPECT_EQ(status_of(path).st_uid, 65534u);
  EXPECT_EQ(status_of(path).st_gid, 65534u);
}

// Bytecode of the best program is what `eval --optimise` writes. Elsewhere it is refused before anything runs.
TEST(Outputs, BestProgramsAsBytecodeAreRefusedBeforeTheRun) {
  const ScratchFolder scratch;
  for (const std::string_view command :
       {"komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv "
        "--generations 1000 --best $T/x.kbc",
        "komuz merge $T/none.jsonl --best $T/x.kbc"}) {
    const CommandResult refused = run_command(std::string(command), scratch.path());
    EXPECT_EQ(refused.exit, 2) << command << "\n" << refused.err;
    EXPECT_TRUE(has(refused, "--best F.komuz`, and then `komuz optimise F.komuz -o OUT.kbc`"))
        << refused.err;
    EXPECT_EQ(run_command("test -e $T/x.kbc", scratch.path()).exit, 1);
  }
}

// Also by root, who may write it, and the other files are formatted.
TEST(Outputs, AReadOnlyFileStaysAsItIs) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/a.komuz";
  write_text(path, kUnformatted);
  write_text(scratch.path() + "/b.komuz", kUnformatted);
  const CommandResult result =
      run_command("chmod 444 $T/a.komuz; komuz fmt $T/a.komuz $T/b.komuz", scratch.path());
  EXPECT_EQ(result.exit, 3);
  EXPECT_TRUE(has(result, "a.komuz is read-only")) << result.err;
  EXPECT_EQ(read_text(path), kUnformatted);
  EXPECT_EQ(read_text(scratch.path() + "/b.komuz"), kFormatted);
  const CommandResult report = run_command(
      "echo kept >$T/r; chmod 444 $T/r; " + std::string(kEval) + "--json $T/r", scratch.path());
  EXPECT_EQ(report.exit, 3);
  EXPECT_EQ(report.out, "") << "it is refused before the run";
  EXPECT_EQ(read_text(scratch.path() + "/r"), "kept\n");
}

// A name has at most 255 bytes, and what stands beside it for a while has a shorter one.
TEST(Outputs, NamesMayBeAsLongAsTheFileSystemTakes) {
  const ScratchFolder scratch;
  for (const size_t bytes : {240, 246, 247, 254, 255}) {
    const std::string name(bytes, 'n');
    const CommandResult result = run_command(
        std::string(kEval) + "--json $T/" + name + " --log $T/l" + name.substr(1), scratch.path());
    EXPECT_EQ(result.exit, 0) << result.err;
    EXPECT_NE(read_text(scratch.path() + "/" + name), "") << bytes;
  }
  for (const char* option : {"--json", "--log", "--best", "--plot"}) {
    const CommandResult result =
        run_command(std::string(kEval) + option + " $T/" + std::string(256, 'n'), scratch.path());
    EXPECT_EQ(result.exit, 3) << option;
    EXPECT_EQ(result.out, "") << option << ": it is refused before the run";
    EXPECT_TRUE(has(result, "too long")) << result.err;
  }
}

// A file that may be written, in a folder where none can be made.
TEST(Outputs, AFileInAFolderThatMayNotBeWrittenIsWrittenWhereItIs) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/kept/report.json";
  const CommandResult result = run_command(
      std::string(kAsNobody) +
          "chmod 755 $T; mkdir $T/kept; echo old >$T/kept/report.json; "
          "chmod 666 $T/kept/report.json; chmod 555 $T/kept; as_nobody " +
          kEval + "--json $T/kept/report.json >/dev/null; code=$?; chmod 755 $T/kept; exit $code",
      scratch.path());
  if (has(result, "setpriv:")) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_TRUE(read_text(path).starts_with("{\"komuz_report\"")) << read_text(path);
}

// Others may write the file there, and not put one in its place.
TEST(Outputs, AFileOfAnotherInAStickyFolderIsWrittenWhereItIs) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/sticky/report.json";
  const CommandResult result =
      run_command(std::string(kAsNobody) +
                      "chmod 755 $T; mkdir $T/sticky; echo old >$T/sticky/report.json; "
                      "chmod 666 $T/sticky/report.json; chmod 1777 $T/sticky; as_nobody " +
                      kEval + "--json $T/sticky/report.json >/dev/null",
                  scratch.path());
  if (has(result, "setpriv:")) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_TRUE(read_text(path).starts_with("{\"komuz_report\""));
  EXPECT_EQ(status_of(path).st_uid, 0u);
}

// A file that is mounted by itself, as containers do, can be written and not be replaced.
TEST(Outputs, AMountedFileIsWrittenWhereItIs) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      "echo old >$T/outside; echo >$T/inside; unshare -m sh -c 'mount --bind $T/outside $T/inside "
      "|| exit 99; " +
          std::string(kEval) + "--json $T/inside >/dev/null'",
      scratch.path());
  if (result.exit == 99 || has(result, "unshare:")) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_TRUE(read_text(scratch.path() + "/outside").starts_with("{\"komuz_report\""));
}

TEST(Outputs, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  const ScratchFolder scratch;
  struct Case {
    const char* make;
    const char* says;
  };
  for (const Case& one :
       {Case{"chattr +i $T/out", "is immutable"}, Case{"chattr +a $T/out", "be appended to"}}) {
    const CommandResult result =
        run_command(std::string("echo kept >$T/out; ") + one.make + " || exit 99; " + kEval +
                        "--json $T/out; code=$?; chattr -ia $T/out; exit $code",
                    scratch.path());
    if (result.exit == 99) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.exit, 3) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(has(result, one.says)) << result.err;
  }
  const CommandResult missing =
      run_command(std::string(kEval) + "--json $T/no/such/out", scratch.path());
  EXPECT_EQ(missing.exit, 3);
  EXPECT_EQ(missing.out, "");
  EXPECT_TRUE(has(missing, "No such file")) << missing.err;
}

TEST(Outputs, ALinkLeadsToWhatIsWritten) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      "mkdir $T/there; ln -s there/new.json $T/link; ln -s $T/loop $T/loop; " + std::string(kEval) +
          "--json $T/link >/dev/null && test -L $T/link && test -f $T/there/new.json",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  const CommandResult loop = run_command(std::string(kEval) + "--json $T/loop", scratch.path());
  EXPECT_EQ(loop.exit, 3);
  EXPECT_EQ(loop.out, "");
}

TEST(Outputs, NoInputIsOverwritten) {
  const ScratchFolder scratch;
  const std::string make =
      "cd $T; mkdir pool; echo 'use twice; pub fn f(x: i64) -> i64 { twice.twice(x) }' "
      ">pool/a.komuz; "
      "echo 'pub fn twice(x: i64) -> i64 { x + x }' >pool/twice.komuz; "
      "printf 'x,expected\\n1,2\\n' >cases.csv; ln -s pool/a.komuz other; ";
  struct Case {
    const char* command;
    int exit;
  };
  const Case cases[] = {
      {"komuz eval pool --cases cases.csv --best pool/a.komuz", 2},
      {"komuz eval pool/a.komuz --cases cases.csv --json other", 2},
      {"komuz eval pool --cases cases.csv --plot cases.csv", 2},
      {"komuz build pool/a.komuz -o pool/twice.komuz", 2},
      {"komuz build pool/a.komuz -o pool/../pool/a.komuz", 2},
      {"komuz repl -e ':cases cases.csv' -e 'x * ?[1, 2]' -e ':save cases.csv'", 1},
  };
  for (const Case& one : cases) {
    const CommandResult result = run_command(make + one.command, scratch.path());
    EXPECT_EQ(result.exit, one.exit) << one.command << "\n" << result.out << result.err;
    EXPECT_NE((result.err + result.out).find("would overwrite"), std::string::npos)
        << one.command << "\n"
        << result.out << result.err;
    EXPECT_EQ(
        run_command("cd $T; cat cases.csv; wc -l <pool/a.komuz; grep -c twice pool/twice.komuz; "
                    "rm -r $T/*",
                    scratch.path())
            .out,
        "x,expected\n1,2\n1\n1\n")
        << one.command;
  }
}

// Also where neither is there yet, by another name or by a link that leads nowhere.
TEST(Outputs, TwoOutputsAreNoOneFile) {
  const ScratchFolder scratch;
  struct Case {
    const char *make, *json, *best;
    int exit;
  };
  const Case cases[] = {
      {"", "a", "a", 2},
      {"", "a", "./a", 2},
      {"", "a", "$T/a", 2},
      {"mkdir d;", "a", "d/../a", 2},
      {"ln -s a link;", "a", "link", 2},
      {"ln -s a link; ln -s link other;", "link", "other", 2},
      {"echo >a; ln -s a link;", "a", "link", 2},
      {"echo >a; ln a link;", "a", "link", 2},
      {"mkdir d; ln -s d e;", "d/a", "e/a", 2},
      {"mkdir d;", "a", "d/a", 0},
      {"ln -s a link;", "link", "b", 0},
  };
  for (const Case& one : cases) {
    const CommandResult result = run_command(
        std::string("here=$PWD; mkdir $T/w; cd $T/w; T=$T/w; ") + one.make +
            " komuz eval $here/examples/collatz --cases $here/examples/collatz/cases.jsonl "
            "--input input1 --output output1 --json " +
            one.json + " --best " + one.best + "; code=$?; rm -r $T; exit $code",
        scratch.path());
    EXPECT_EQ(result.exit, one.exit) << one.make << one.json << " " << one.best << result.err;
    EXPECT_EQ(has(result, "are one file"), one.exit == 2) << result.err;
  }
}

TEST(Outputs, StandardInputIsAnInputWhereItIsAFile) {
  const ScratchFolder scratch;
  const std::string pool =
      "printf '{\"id\": \"a\", \"source\": \"pub fn f(x: i64) -> i64 { x }\"}\\n' >$T/pool; "
      "printf 'x,expected\\n1,1\\n' >$T/cases.csv; ";
  const std::string eval = "komuz eval - --cases $T/cases.csv --json $T/pool ";
  const CommandResult result =
      run_command(pool + eval + "<$T/pool; code=$?; cat $T/pool; exit $code", scratch.path());
  EXPECT_EQ(result.exit, 2) << result.err;
  EXPECT_TRUE(has(result, "would overwrite")) << result.err;
  EXPECT_TRUE(result.out.starts_with("{\"id\"")) << result.out;
  EXPECT_EQ(run_command(pool + "cat $T/pool | " + eval, scratch.path()).exit, 0);
}

// What cannot be written takes nothing else with it.
TEST(Outputs, EachIsWrittenWhateverBecomesOfTheOthers) {
  const ScratchFolder scratch;
  ASSERT_EQ(run_command(std::string(kEval) + "--log $T/log.jsonl", scratch.path()).exit, 0);
  for (const std::string& command :
       {std::string("komuz merge $T/log.jsonl --json $T/j --best /dev/full --plot $T/p.svg"),
        std::string("komuz merge $T/log.jsonl --json /dev/full --best $T/b --plot $T/p.svg"),
        kEval + std::string("--json $T/j --best /dev/full --plot $T/p.svg"),
        kEval + std::string("--json /dev/full --best $T/b --plot $T/p.svg")}) {
    const CommandResult result = run_command(command, scratch.path());
    EXPECT_EQ(result.exit, 3) << command << "\n" << result.err;
    EXPECT_TRUE(has(result, "No space left")) << result.err;
    const CommandResult left = run_command(
        "cat $T/p.svg | head -c 4; ls $T | tr '\\n' ' '; rm -f $T/p.svg $T/j $T/b", scratch.path());
    EXPECT_TRUE(left.out == "<svgj log.jsonl p.svg " || left.out == "<svgb log.jsonl p.svg ")
        << command << "\n"
        << left.out;
  }
}

TEST(Outputs, WhatIsNotWrittenIsNotCountedAsFixed) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/a.komuz", "pub fn f(x: float) -> f64 { x / 2.0 }\n");
  const CommandResult result =
      run_command("chmod 444 $T/a.komuz; komuz fix $T/a.komuz", scratch.path());
  EXPECT_EQ(result.exit, 3);
  EXPECT_TRUE(has(result, "0 fixes in 0 files; 0 errors left")) << result.err;
}

// Whether candidates use it is known when they are read: it is no module of theirs.
TEST(Outputs, AModuleThatIsWrittenIsNone) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      "cd $T; echo 'pub fn best(x: i64) -> i64 { x + x }' >best.komuz; "
      "echo 'use best; pub fn f(x: i64) -> i64 { best.best(x) }' >a.komuz; "
      "echo 'pub fn g(x: i64) -> i64 { 2 * x }' >b.komuz; printf 'x,expected\\n1,2\\n' >cases.csv; "
      "komuz eval a.komuz b.komuz --cases cases.csv --best best.komuz",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.out.find("a.komuz:1:5: error[K0230]: there is no module `best`\n"),
            std::string::npos)
      << result.out;
  EXPECT_TRUE(has(result, "best.komuz is no module of this run, which writes it")) << result.err;
  EXPECT_EQ(read_text(scratch.path() + "/best.komuz"), "pub fn g(x: i64) -> i64 { 2 * x }\n");
}

TEST(Outputs, AModuleThatMayNotBeReadIsNamedAsOne) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      std::string(kAsNobody) +
          "cd $T; chmod 755 .; echo 'pub fn best(x: i64) -> i64 { x + x }' >best.komuz; "
          "echo 'use best; pub fn f(x: i64) -> i64 { best.best(x) }' >a.komuz; chmod 000 "
          "best.komuz; "
          "as_nobody komuz check a.komuz",
      scratch.path());
  if (has(result, "setpriv:")) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit, 1);
  EXPECT_NE(result.out.find("error[K0231]: the module `best` has errors"), std::string::npos)
      << result.out << result.err;
}

TEST(Outputs, EmptyNamesAreRefused) {
  const ScratchFolder scratch;
  for (const char* command :
       {"komuz eval examples/collatz --cases examples/collatz/cases.jsonl --json ''",
        "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --log=",
        "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --plot ''",
        "komuz eval examples/collatz --cases ''", "komuz report $T/log.jsonl -o ''",
        "komuz build examples/tour.komuz -o ''"}) {
    const CommandResult result = run_command(command, scratch.path());
    EXPECT_EQ(result.exit, 2) << command;
    EXPECT_TRUE(has(result, "takes the name of a file, and is given an empty one"))
        << command << "\n"
        << result.err;
  }
  const CommandResult word = run_command("komuz fmt ''", scratch.path());
  EXPECT_EQ(word.exit, 3);
  EXPECT_TRUE(has(word, "a file to read has no name")) << word.err;
}

TEST(Outputs, PipesAreWrittenByTheNumbersOfTheirFiles) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/f.komuz", "pub fn f(x: f64) -> f64 { x }\n");
  write_text(scratch.path() + "/cases.csv", "x,expected\n1.5,1.5\n");
  const std::string eval = "komuz eval $T/f.komuz --cases $T/cases.csv ";
  EXPECT_NE(run_command(eval + "--json /dev/stdout | cat", scratch.path()).out.find("komuz_report"),
            std::string::npos);
  EXPECT_EQ(run_command(eval + "--best /dev/fd/7 7>&1 >/dev/null | cat", scratch.path()).out,
            "pub fn f(x: f64) -> f64 { x }\n");
  // A file that is removed has no name any more.
  const CommandResult removed = run_command(
      "exec 7<>$T/gone; rm $T/gone; " + eval + "--best /dev/fd/7 >/dev/null; cat /dev/fd/7; ls $T",
      scratch.path());
  EXPECT_EQ(removed.out, "pub fn f(x: f64) -> f64 { x }\ncases.csv\nf.komuz\n") << removed.err;
}

// The first file that is opened would be standard input, and the second standard output.
TEST(Outputs, ClosedStreamsStayClosed) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/f.komuz", "pub fn f(x: f64) -> f64 { x }\n");
  write_text(scratch.path() + "/cases.csv", "x,expected\n1.5,1.5\n");
  for (const char* const command : {"komuz fmt - <&-", "komuz eval - --cases $T/cases.csv <&-",
                                    "komuz repl <&-", "komuz check - <&-"}) {
    const CommandResult result = run_command(command, scratch.path());
    EXPECT_EQ(result.exit, 3) << command << result.out << result.err;
  }
  const std::string eval = "komuz eval $T/f.komuz --cases $T/cases.csv --json $T/report";
  for (const char* const closed : {" >&-", " 2>&-", " <&-", " <&- >&- 2>&-"}) {
    static_cast<void>(run_command(eval + closed, scratch.path()));
    EXPECT_TRUE(read_text(scratch.path() + "/report").starts_with("{\"komuz_report\"")) << closed;
    static_cast<void>(run_command("rm $T/report", scratch.path()));
  }
}

TEST(Outputs, ASessionKeepsTheScriptThatItReads) {
  const ScratchFolder scratch;
  for (const char* const command : {"komuz repl script", "komuz repl <script"}) {
    write_text(scratch.path() + "/script", "let x = 1\n:save script\n");
    const CommandResult result = run_command("cd $T; " + std::string(command), scratch.path());
    EXPECT_NE(result.err.find("which is read"), std::string::npos) << result.err;
    EXPECT_EQ(read_text(scratch.path() + "/script"), "let x = 1\n:save script\n");
  }
}

// Names of files and what modules say of themselves are other people's text.
TEST(Outputs, NothingSteersATerminal) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/a\x1b[31m.komuz", "test \"t\" { assert  1 == 2; }\n");
  write_text(scratch.path() + "/m.komuz",
             "/// Sums.\x1b]0;title\x07\npub fn f(x: f64) -> f64 { x }\n");
  for (const char* const command :
       {"komuz fmt --check *31m.komuz", "komuz test *31m.komuz", "komuz fix --check *31m.komuz",
        "komuz check *31m.komuz", "komuz doc m", "komuz doc m.f",
        "komuz dump m.komuz --phase=tokens", "komuz fmt *31m.komuz",
        "echo ':doc \x1b[31m' | komuz repl",
        "printf ':\\033[31m\\n:load \\033[31m\\n:explain \\033[31m\\n' | komuz repl"}) {
    const CommandResult result = run_command("cd $T; " + std::string(command), scratch.path());
    EXPECT_EQ((result.out + result.err).find('\x1b'), std::string::npos)
        << command << result.out << result.err;
    EXPECT_NE(result.out + result.err, "") << command;
  }
}

TEST(Outputs, WhatIsNoLogSaysWhatItIs) {
  const ScratchFolder scratch;
  const CommandResult folder = run_command("komuz merge $T", scratch.path());
  EXPECT_EQ(folder.exit, 3);
  EXPECT_TRUE(has(folder, "a log is a file, and this is a folder")) << folder.err;
  const CommandResult pipe = run_command("mkfifo $T/pipe; komuz merge $T/pipe", scratch.path());
  EXPECT_EQ(pipe.exit, 3);
  EXPECT_TRUE(has(pipe, "a log is a file, and this is none")) << pipe.err;
}

// Whoever holds the lock waits for the session, which must not wait for the lock.
TEST(Outputs, AHistoryThatIsLockedHoldsNoInputUp) {
  const ScratchFolder scratch;
  if (run_command("command -v script flock", scratch.path()).exit != 0)
    GTEST_SKIP() << "no `script` or no `flock`";
  const CommandResult result = run_command(
      "mkdir -p $T/komuz; : >$T/komuz/history; export XDG_STATE_HOME=$T TERM=xterm; "
      "flock $T/komuz/history timeout 20 sh -c \"(sleep 1; printf '20 + 22\\r'; sleep 2; "
      "printf ':quit\\r') | script -qec komuz /dev/null\"",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.out;
  EXPECT_NE(result.out.find("42"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("locked"), std::string::npos) << result.out;
}

TEST(Outputs, AFileBehindAClosedFolderIsNotCalledMissing) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      std::string(kAsNobody) +
          "chmod 755 $T; mkdir $T/closed; echo >$T/closed/a.komuz; chmod 000 $T/closed; "
          "as_nobody komuz check $T/closed/a.komuz; code=$?; chmod 755 $T/closed; exit $code",
      scratch.path());
  if (has(result, "setpriv:")) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit, 3);
  EXPECT_TRUE(has(result, "Permission denied")) << result.err;
}

}  // namespace
}  // namespace komuz::cli_test

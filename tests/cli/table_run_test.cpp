// SPDX-License-Identifier: Apache-2.0
// `komuz run --cases`: tables with the results of a program.
#include <gtest/gtest.h>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

// What comes of a table; the exit code is part of it where it is not 0.
std::string made(const std::string& program, const std::string& name, const std::string& table,
                 const std::string& options = "") {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/p.komuz", program);
  write_text(scratch.path() + "/" + name, table);
  const CommandResult result = run_command(
      "komuz run $T/p.komuz --cases $T/" + name + " -o $T/out " + options, scratch.path());
  if (result.exit != 0 && result.exit != 1) return result.err;
  return read_text(scratch.path() + "/out") + (result.exit == 0 ? "" : result.err);
}

constexpr const char* kDouble = "pub fn f(x: f64) -> f64 { 2.0 * x }\n";

TEST(TableRun, EveryByteOfTheTableStays) {
  EXPECT_EQ(made(kDouble, "t.csv", "x,y\n1,a\n2.50, b \n"), "x,y,f\n1,a,2.0\n2.50, b ,5.0\n");
  // Comments, quotes with commas, quotes and line ends, empty lines, CRLF, and no end of the last line.
  EXPECT_EQ(
      made(kDouble, "t.csv",
           "# made by hand\r\n\"a, b\",x,\r\n\"say \"\"no\"\"\nor, yes\",1,0\r\n\r\n  \r\n,2,1"),
      "# made by hand\r\n\"a, b\",x,,f\r\n\"say \"\"no\"\"\nor, yes\",1,0,2.0\r\n\r\n  "
      "\r\n,2,1,4.0");
  EXPECT_EQ(made(kDouble, "t.csv", "x\r1\r2\r"), "x,f\r1,2.0\r2,4.0\r");
  EXPECT_EQ(made(kDouble, "t.csv", "\xEF\xBB\xBFx,y\n1,é\n"), "\xEF\xBB\xBFx,y,f\n1,é,2.0\n");
  EXPECT_EQ(made(kDouble, "t.csv", "# x,expected\n# more\n1,2\n"),
            "# x,expected,f\n# more\n1,2,2.0\n");
  EXPECT_EQ(made(kDouble, "t.csv", "x\n3\n", "--output 'twice, so'"), "x,\"twice, so\"\n3,6.0\n");
}

// Rows that are left out stay in the table, with nothing beside them.
TEST(TableRun, TablesAreReadAsEvalReadsThem) {
  EXPECT_EQ(made(kDouble, "t.csv", "x;y\n1,5;a\n", "--decimal ,"), "x;y;f\n1,5;a;3,0\n");
  EXPECT_EQ(made(kDouble, "t.csv", "x,y\n1,1\n-,2\n3,\n4,4\n", "--skip-missing"),
            "x,y,f\n1,1,2.0\n-,2,\n3,,\n4,4,8.0\n");
  EXPECT_EQ(made(kDouble, "t.csv", "x,y\n-,2\n4,4\nNA,4\n", "--skip-missing"),
            "x,y,f\n-,2,\n4,4,8.0\nNA,4,\n");
  EXPECT_EQ(made(kDouble, "t.csv", "x y\n1 2\nNA 4\n", "--skip-missing"),
            "x y f\n1 2 2.0\nNA 4 NA\n");
  EXPECT_EQ(made(kDouble, "t.jsonl", "{\"x\": null}\n{\"x\": 2}\n", "--skip-missing"),
            "{\"x\": null}\n{\"x\": 2, \"f\": 4.0}\n");
  const ScratchFolder scratch;
  write_text(scratch.path() + "/p.komuz", kDouble);
  EXPECT_NE(run_command("komuz run $T/p.komuz --decimal , -- 1", scratch.path())
                .err.find("`--decimal` says how cases are read: add `--cases FILE`"),
            std::string::npos);
}

TEST(TableRun, JsonLinesGetAField) {
  EXPECT_EQ(
      made(kDouble, "t.jsonl", "{\"x\": 1, \"note\": \"}\"}\n\n{ \"x\" : 2 , \"note\": null }  \n"),
      "{\"x\": 1, \"note\": \"}\", \"f\": 2.0}\n\n{ \"x\" : 2 , \"note\": null, \"f\": 4.0 }  \n");
  EXPECT_EQ(made("pub fn f() -> i64 { 7 }\n", "t.jsonl", "{}\n{ }"), "{\"f\": 7}\n{\"f\": 7 }");
  EXPECT_EQ(made(kDouble, "t.jsonl", "{\"args\": [1.5]}\n"), "{\"args\": [1.5], \"f\": 3.0}\n");
}

TEST(TableRun, InputsAreNamed) {
  const std::string program = "pub fn f(a: i64, b: i64) -> i64 { a - b }\n";
  EXPECT_EQ(made(program, "t.csv", "u,v,w\n1,5,x\n", "--input v --input u"), "u,v,w,f\n1,5,x,4\n");
  EXPECT_EQ(made(program, "t.jsonl", "{\"u\": 1, \"v\": 5}\n", "--input u --input v"),
            "{\"u\": 1, \"v\": 5, \"f\": -4}\n");
  EXPECT_NE(made(program, "t.csv", "u,v,f\n1,5,x\n", "--input v --input u").find("already"),
            std::string::npos);
}

TEST(TableRun, TrapsAreCountedAndHaveAColumn) {
  const std::string program = "pub fn f(a: i64, b: i64) -> i64 { a / b }\n";
  const std::string told = made(program, "t.csv", "a,b\n6,2\n1,0\n-9223372036854775808,-1\n");
  EXPECT_TRUE(told.starts_with(
      "a,b,f,trap\n6,2,3,\n1,0,,DIV_ZERO\n-9223372036854775808,-1,,OVERFLOW\nkomuz: error: "))
      << told;
  EXPECT_NE(told.find("2 of 3 rows trapped: 1 OVERFLOW, 1 DIV_ZERO; the first is on line 3 of "),
            std::string::npos)
      << told;
}

TEST(TableRun, WhatIsRefused) {
  EXPECT_NE(made(kDouble, "t.csv", "x,f\n1,2\n").find("has a column `f` already"),
            std::string::npos);
  EXPECT_NE(made(kDouble, "t.csv", "y\n1\n").find("`x`"), std::string::npos);
  EXPECT_NE(made(kDouble, "t.csv", "x\nhello\n").find(":2:1"), std::string::npos);
  const ScratchFolder scratch;
  write_text(scratch.path() + "/p.komuz", kDouble);
  write_text(scratch.path() + "/t.csv", "x\n1\n");
  for (const char* const command :
       {"komuz run $T/p.komuz --cases $T/t.csv -o $T/t.csv",
        "ln -s t.csv $T/link.csv; komuz run $T/p.komuz --cases $T/link.csv -o $T/t.csv",
        "komuz run $T/p.komuz --cases $T/t.csv -o $T/p.komuz",
        "komuz run $T/p.komuz --cases $T/t.csv --json",
        "komuz run $T/p.komuz --cases $T/t.csv -- 1", "komuz run $T/p.komuz -o $T/out -- 1",
        "komuz run $T/p.komuz --output f -- 1"})
    EXPECT_EQ(run_command(command, scratch.path()).exit, 2) << command;
  EXPECT_EQ(read_text(scratch.path() + "/t.csv"), "x\n1\n");
}

// Results of every type are read back as what they were: `expected` is what the same program gives.
TEST(TableRun, ResultsAreCasesOfTheSameProgram) {
  const ScratchFolder scratch;
  const std::string types =
      "type P = P(x: f64, name: Bytes[9])\ntype S = Empty | Full(n: i64, more: Option[f32])\n";
  const std::string csv = "n\n0\n1\n2\n3\n7\n",
                    jsonl = "{\"n\": 0}\n{\"n\": 1}\n{\"n\": 2}\n{\"n\": 7}\n";
  for (const std::string body :
       {"-> f64 { f64(n) / 3.0 }", "-> f64 { 1.0 / f64(n - 1) - 1.0 / f64(n - 1) }",
        "-> bool { n > 1 }", "-> u64 { 18446744073709551615 - u64(n) }", "-> f32 { f32(n) * 0.1 }",
        "-> (i64, f64) { (n, -f64(n)) }", "-> [i64; 2] { [n, 2] }",
        "-> List[f64, 9] { (0..n).map(i => f64(i)).list(9) }",
        "-> Bytes[9] { if n == 0 { \"\" } else if n == 1 { \"a,b\" } else { \"\\\"\\n;#\" } }",
        "-> P { P(x: f64(n), name: \"a, \\\"b\\\"\") }",
        "-> S { if n == 0 { Empty } else { Full(n: n, more: if n > 1 { Some(0.5) } else { None }) "
        "} }",
        "-> Option[i64] { if n > 2 { Some(n) } else { None } }", "-> i64 { 6 / n }"}) {
    write_text(scratch.path() + "/p.komuz", types + "pub fn f(n: i64) " + body + "\n");
    for (const std::string& name : {std::string("t.csv"), std::string("t.jsonl")}) {
      write_text(scratch.path() + "/" + name, name == "t.csv" ? csv : jsonl);
      const std::string out = "$T/out-" + name;
      const CommandResult result = run_command(
          "rm -f " + out + "; komuz run $T/p.komuz --cases $T/" + name + " --output expected -o " +
              out + " 2>/dev/null; komuz eval $T/p.komuz --cases " + out,
          scratch.path());
      EXPECT_NE(result.out.find(": 1 ok"), std::string::npos)
          << body << "\n"
          << result.out << result.err << read_text(scratch.path() + "/out-" + name);
    }
  }
}

TEST(TableRun, SlicesStandardStreamsAndNativeCode) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/p.komuz",
             "fn other() -> i64 { 1 }\npub fn total(xs: [f64], k: f64) -> f64 { xs.sum() * k }\n");
  write_text(scratch.path() + "/t.csv", "k,xs\n2,\"[1, 2]\"\n3,[]\n1,\"[4, 5, 6]\"\n");
  const std::string expected = "k,xs,total\n2,\"[1, 2]\",6.0\n3,[],0.0\n1,\"[4, 5, 6]\",15.0\n";
  EXPECT_EQ(run_command("komuz run $T/p.komuz --cases - <$T/t.csv", scratch.path()).out, expected);
  EXPECT_EQ(
      run_command("komuz run $T/p.komuz --cases $T/t.csv -o - --native never", scratch.path()).out,
      expected);
  // Many rows: more than a slice, in their order.
  const CommandResult many = run_command(
      "seq 5000 | awk 'BEGIN { print \"x\" } { print $1 }' >$T/many.csv; printf 'pub fn f(x: i64) "
      "-> "
      "i64 { x * 3 }' >$T/q.komuz; komuz run $T/q.komuz --cases $T/many.csv | awk -F, 'NR > 1 && "
      "$2 != "
      "3 * $1 { print \"wrong\", $0 } END { print NR }'",
      scratch.path());
  EXPECT_EQ(many.out, "5001\n") << many.err;
}

// The results stand behind the separator of the table, and what was packed is not packed again.
TEST(TableRun, TablesOfOtherSeparatorsAndGzip) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/p.komuz", "pub fn sum(a: f64, b: f64) -> f64 { a + b }\n");
  const auto run = [&](const std::string& table) {
    write_text(scratch.path() + "/t.csv", table);
    return run_command("komuz run $T/p.komuz --cases $T/t.csv", scratch.path()).out;
  };
  EXPECT_EQ(run("a;b\n1;2\n3;4\n"), "a;b;sum\n1;2;3.0\n3;4;7.0\n");
  EXPECT_EQ(run("a\tb\n1\t2\n"), "a\tb\tsum\n1\t2\t3.0\n");
  EXPECT_EQ(run("a|b\n1|2\n"), "a|b|sum\n1|2|3.0\n");
  write_text(scratch.path() + "/t.csv", "a,b\n1,2\n");
  EXPECT_EQ(run_command("gzip -c $T/t.csv >$T/t.csv.gz && komuz run $T/p.komuz --cases $T/t.csv.gz",
                        scratch.path())
                .out,
            "a,b,sum\n1,2,3.0\n");
}

}  // namespace
}  // namespace komuz::cli_test

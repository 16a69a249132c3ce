// SPDX-License-Identifier: Apache-2.0
// Input that nobody would write by hand: it gets a clear diagnostic on every group, and has no other effect.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "frontend_gpu/columns/columns.h"
#include "mend/mend.h"
#include "tests/frontend/everywhere.h"

namespace komuz::test {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;

std::string repeated(std::string_view text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t k = 0; k < count; ++k) out += text;
  return out;
}

// The serial group's answer; the other groups answer, too, if the input is small enough for them.
frontend::Compilation compiled(std::string_view source) {
  frontend::Compilation out;
  if (source.size() > 100'000) {
    frontend::Compiler().compile(source, out);
    return out;
  }
  EveryGroup groups;
  std::string difference;
  out = groups.compile(source, difference);
  EXPECT_EQ(difference, "");
  return out;
}

// The first diagnostic's code and place, "line:column".
std::string first_of(const frontend::Compilation& program, std::string_view source) {
  if (program.diagnostics.empty()) return "none";
  const Diagnostic& d = program.diagnostics[0];
  const Place place = place_of(source, d.begin);
  return std::string(diagnostic_row(d.code()).code) + " " + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}
std::string first(std::string_view source) { return first_of(compiled(source), source); }

TEST(BadInput, EmptyAndBlankFiles) {
  EXPECT_EQ(first(""), "K0134 1:1");
  EXPECT_EQ(first(" \n\t\r\n"), "K0134 1:1");
  EXPECT_EQ(first("// a comment\n// another"), "K0134 1:1");
}

TEST(BadInput, SizeOfTheFile) {
  const std::string head = "fn f() -> i64 { 1 }\n";
  std::string source = head + repeated(std::string(1023, ' ') + "\n", 16 * 1024);
  source.resize(16 * kMebibyte);
  EXPECT_TRUE(compiled(source).ok);
  source += '\n';
  EXPECT_EQ(first(source), "K0001 1:1");
}

TEST(BadInput, NotUtf8) {
  EXPECT_EQ(first("fn f() -> i64 { 1 }\n// \xFF"), "K0003 2:4");
  EXPECT_EQ(first("\xEF\xBB\xBF"
                  "fn f() -> i64 { 1 }"),
            "K0012 1:1");                            // a byte order mark
  EXPECT_EQ(first("// \xC3\x28"), "K0003 1:4");      // a second byte that is none
  EXPECT_EQ(first("// \xE2\x82"), "K0003 1:4");      // cut off
  EXPECT_EQ(first("// \xC0\xAF"), "K0003 1:4");      // longer than needed
  EXPECT_EQ(first("// \xED\xA0\x80"), "K0003 1:4");  // half a surrogate pair
  EXPECT_EQ(first("// \xF4\x90\x80\x80"), "K0003 1:4");
  EXPECT_TRUE(compiled("// gr\xC3\xBC\xC3\x9F\nfn f() -> i64 { 1 }").ok);
}

TEST(BadInput, NulBytes) {
  EXPECT_EQ(first(std::string_view("fn f\0() -> i64 { 1 }", 20)), "K0004 1:5");
  EXPECT_EQ(first(std::string_view("\0", 1)), "K0004 1:1");
}

TEST(BadInput, LongLines) {
  EXPECT_EQ(first("fn f() -> i64 { 1 }\n//" + std::string(70'000, 'x')), "K0002 2:1");
  EXPECT_TRUE(compiled("fn f() -> i64 { 1 }\n//" + std::string(65'000, 'x')).ok);
  EXPECT_TRUE(compiled("fn f() -> i64 { 1" + std::string(60'000, ' ') + "}").ok);
}

TEST(BadInput, NestedBrackets) {
  const size_t n = 100'000;
  for (const auto& [open, close] : {std::pair("(\n", ")\n"), {"{\n", "}\n"}, {"[\n", "]\n"}}) {
    const std::string source =
        "fn f() -> i64 { " + repeated(open, n) + "1" + repeated(close, n) + " }";
    const frontend::Compilation program = compiled(source);
    EXPECT_FALSE(program.ok);
    EXPECT_LE(program.diagnostics.size(), 8);
    EXPECT_FALSE(compiled("fn f() -> i64 { " + repeated(open, n)).ok);
    EXPECT_FALSE(compiled("fn f() -> i64 { " + repeated(close, n)).ok);
  }
  const auto nested = [](size_t depth) {
    return "fn f() -> i64 { " + repeated("(", depth) + "1" + repeated(")", depth) + " }";
  };
  EXPECT_TRUE(compiled(nested(1'023)).ok);
  EXPECT_EQ(first(nested(1'024)), "K0101 1:1040");
  EXPECT_EQ(compiled(nested(1'200)).diagnostics.size(), 1);
  EXPECT_EQ(compiled(nested(1'200) + "\n" + nested(1'200)).diagnostics.size(), 2);
}

// A message may look for text before the beginning.
TEST(BadInput, ClosersThatNothingOpens) {
  for (const std::string_view text :
       {") as i64", "fn f() -> i64 { 1) as i64 }", "]) as", "x.y)) as f64"})
    EXPECT_FALSE(compiled(text).ok) << text;
  // Not one search of each of them through all the others.
  EXPECT_EQ(first("fn f(x: i64) -> i64 { " + repeated("x ) as\n", 100'000) + "}"), "K0103 1:25");
}

// The fix of a conversion needs the operand; one that is too long has no fix, and is found all the same.
TEST(BadInput, ConversionsOfLongOperands) {
  const auto converted = [](size_t count) {
    return "fn f(x: i64) -> f64 { max(x" + repeated(", x", count) + ") as f64 }";
  };
  for (const auto& [count, has_fix] : {std::pair(500u, true), {520u, false}, {521u, false}}) {
    const std::string source = converted(count);
    const frontend::Compilation program = compiled(source);
    ASSERT_EQ(program.diagnostics.size(), 1);
    EXPECT_EQ(program.diagnostics[0].code(), DiagnosticCode::AsConversion);
    EXPECT_EQ(diagnostic_fix(program.diagnostics[0], source).has_value(), has_fix) << count;
  }
}

// A chain of constants: the first one needs the second and so on.
std::vector<std::string> chain_of_constants(u32 count) {
  std::vector<std::string> chain;
  for (u32 k = 0; k < count; ++k)
    chain.push_back("const C" + std::to_string(k) + ": i64 = C" + std::to_string(k + 1) + ";\n");
  chain.push_back("const C" + std::to_string(count) + ": i64 = 1;\n");
  return chain;
}
std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

// The time for each of these must not grow with the square of its length.
TEST(BadInput, LongChainsOfConstantsAndNamesThatBindNothing) {
  const std::string use = "pub fn f() -> i64 { C0 }";
  EXPECT_TRUE(compiled(joined(chain_of_constants(40'000)) + use).ok);
  Random random(7);
  for (const u32 count : {100u, 40'000u}) {
    std::vector<std::string> chain = chain_of_constants(count);
    for (size_t k = chain.size() - 1; k > 0; --k) std::swap(chain[k], chain[random.below(k + 1)]);
    EXPECT_TRUE(compiled(joined(chain) + use).ok);
  }
  EXPECT_TRUE(compiled("fn f() -> i64 { " + repeated("let _ = 1;\n", 8'000) + "1 }").ok);
}

TEST(BadInput, OneNameBoundOften) {
  const auto nested = [](size_t count) {
    return "fn f(x: i64) -> i64 { " + repeated("if x > 0 { let x = x; x; }\n", count) + "x }";
  };
  const std::string bound = "let x = x + 1;\n", unit = "let x = ();\n";
  EXPECT_EQ(first("fn f(x: i64) -> i64 { " + repeated(bound, 9'000) + "x }"), "K0406 1:4");
  EXPECT_TRUE(compiled("fn f(x: i64) -> i64 { " + repeated(unit, 150'000) + "1 }").ok);
  EXPECT_EQ(compiled("fn f(x: i64) -> i64 { " + repeated(bound, 200'000) + "x }").ok, false);
  EXPECT_EQ(first(nested(100'000)), "K0406 1:4");
  EXPECT_EQ(first(repeated("fn f() -> i64 { 1 }\n", 100'000)), "K0205 2:4");
  EXPECT_EQ(first(repeated("const C: i64 = 1;\n", 200'000)), "K0205 2:7");
  EXPECT_EQ(first("fn f(" + repeated("x: i64,\n", 100'000) + ") -> i64 { x }"), "K0132 1:4");
}

TEST(BadInput, ManyErrors) {
  // In one item and in many: at most 8 an item and 64 a program.
  std::string names;
  for (u32 k = 0; k < 100'000; ++k) names += "x" + std::to_string(k) + "\n";
  const frontend::Compilation one = compiled("fn f() -> i64 {\n" + names + "}");
  EXPECT_EQ(one.diagnostics.size(), 8);
  const frontend::Compilation many = compiled(repeated("fn f() -> i64 { x }\n", 100'000));
  EXPECT_EQ(many.diagnostics.size(), 64);
}

// Findings that follow from a lambda with bars are dropped up to the surrounding brackets, or within its item, if
// these close far away.
TEST(BadInput, ALambdaWithBarsHidesNoOtherItem) {
  const std::string head = "fn f() -> i64 { let g = |x: i64| x + 1;",
                    next = "fn h() -> i64 { nope }";
  const auto tells_of_next = [&](const std::string& body) {
    return std::ranges::count(compiled(head + body + "1 }\n" + next).diagnostics,
                              DiagnosticCode::UnknownName, &Diagnostic::code);
  };
  EXPECT_EQ(tells_of_next(""), 1);
  EXPECT_EQ(tells_of_next(" // a comment\n"), 1);
  EXPECT_EQ(tells_of_next(repeated("let a = 1 + 2;\n", 1200)), 1);
}

// Warnings are told as far as errors are.
TEST(BadInput, ManyWarnings) {
  const auto warnings = [](const std::string& source, DiagnosticCode code) {
    return std::ranges::count(compiled(source).diagnostics, code, &Diagnostic::code);
  };
  const std::string lost = "/// >>> f() == 1\n", arm = "2 => 1,\n";
  EXPECT_EQ(warnings("fn f() -> i64 {\n" + lost + "1 }", DiagnosticCode::LostExample), 1);
  EXPECT_EQ(
      warnings("fn f() -> i64 {\n" + repeated(lost, 1000) + "1 }", DiagnosticCode::LostExample),
      64);
  EXPECT_EQ(warnings("fn f(n: i64) -> i64 { match n { _ => 0,\n" + repeated(arm, 200) + "} }",
                     DiagnosticCode::UnreachableArm),
            64);
}

// Names and types are as long as somebody likes, and quoted as far as anybody reads.
TEST(BadInput, MessagesAreBounded) {
  const std::string name(30'000, 'a'), other(30'000, 'b'), type = "T" + std::string(230, 'a'),
                                                           wide = "U" + std::string(230, 'b');
  const std::string types =
      "type " + type + " = " + type + "(x: f64);\ntype " + wide + " = " + wide + "(x: f64);\n";
  size_t longest = 0;
  for (const std::string& source :
       {"fn f(x: f64) -> f64 { " + name + " + " + other + "(x) }",
        "fn " + name + "(x: f64) -> f64 { " + other + "(x) }\nfn " + other + "(x: f64) -> f64 { " +
            name + "(x) }",
        types + "fn f(x: " + type + ") -> " + wide + " { x }",
        types + "fn f(x: " + type + ", y: " + wide + ") -> bool { x == y }",
        types + "fn f(x: [" + type + "; 2]) -> " + wide + " { x }",
        types + "fn f(x: " + type + ") -> f64 { x." + name + " }",
        "use " + name + ";\nfn f(x: " + other + ") -> f64 { x." + name + "() }",
        "fn f(x: f64) -> f64 { let mut " + name + " = " + std::string(300, '1') + "; " + name +
            " }"})
    for (const Diagnostic& d : compiled(source).diagnostics) {
      const std::string message = diagnostic_message(d, source);
      longest = std::max(longest, message.size());
      EXPECT_LT(message.size(), 1000u) << message;
      EXPECT_EQ(std::ranges::count(message, '`') % 2, 0) << message;
    }
  EXPECT_GT(longest, 400u) << "of two types";
}

// A short line that orders wide tuples makes hundreds of instructions.
TEST(BadInput, TooMuchCode) {
  const std::string head = "fn f(x: i64) -> i64 { let t = (" + repeated("x, ", 62) +
                           ");\nvar b = true;\n",
                    tail = "x }";
  EXPECT_TRUE(compiled(head + repeated("b=cmp(t,t)==0;\n", 100) + tail).ok);
  EXPECT_EQ(first(head + repeated("b=cmp(t,t)==0;\n", 15'000) + tail), "K0143 1:1");
}

TEST(BadInput, TooManyEntries) {
  const std::string test = "test \"t\" { assert true; }\n";
  EXPECT_TRUE(compiled(repeated(test, 65'535)).ok);
  EXPECT_EQ(first(repeated(test, 65'536)), "K0144 1:1");
}

TEST(BadInput, WideTuplesAndParameters) {
  std::string parameters = "p0: i64";
  for (u32 k = 1; k < 300; ++k) parameters += ", p" + std::to_string(k) + ": i64";
  EXPECT_FALSE(compiled("fn f(" + parameters + ") -> i64 { p0 }").ok);
  EXPECT_FALSE(compiled("fn f() -> i64 { let t = (" + repeated("1, ", 5000) + "); 1 }").ok);
  EXPECT_FALSE(compiled("fn f(t: (" + repeated("i64, ", 5000) + ")) -> i64 { 1 }").ok);
}

// Types that hold the one before or behind them, or go in a circle: `right` says what type k is made of.
std::string many_types(u32 count, std::string (*right)(u32 k, u32 count)) {
  std::string out = "fn f(x: T0) -> T0 { x }\n";
  for (u32 k = 0; k < count; ++k)
    out += "type T" + std::to_string(k) + " = " + right(k, count) + ";\n";
  return out;
}
std::string held(u32 k, u32 other) {
  return "T" + std::to_string(k) + "(x: T" + std::to_string(other) + ")";
}

TEST(BadInput, TypesInTypes) {
  constexpr u32 kTypes = 20'000;
  const auto backwards = [](u32 k, u32 n) { return k + 1 == n ? "i64" : held(k, k + 1); };
  const auto forwards = [](u32 k, u32) { return k == 0 ? "i64" : held(k, k - 1); };
  const auto circle = [](u32 k, u32 n) { return held(k, (k + 1) % n); };
  const auto names = [](u32 k, u32) { return "T" + std::to_string(k + 1); };
  const auto itself = [](u32 k, u32) { return "T" + std::to_string(k); };
  const auto doubled = [](u32 k, u32) {
    const std::string other = "T" + std::to_string(k + 1);
    return "(" + other + ", " + other + ")";
  };
  EXPECT_EQ(first(many_types(kTypes, backwards)).substr(0, 5), "K0332");
  EXPECT_EQ(first(many_types(kTypes, forwards)).substr(0, 5), "K0333");
  EXPECT_EQ(first(many_types(kTypes, circle)), "K0331 2:6");
  EXPECT_FALSE(compiled(many_types(kTypes, names)).ok);
  EXPECT_EQ(first(many_types(kTypes, itself)), "K0331 2:6");
  EXPECT_EQ(first(many_types(40, doubled) + "type T40 = i64;\n").substr(0, 5), "K0333");
}

TEST(BadInput, ManyFieldsAndArguments) {
  std::string wide = "type W = W(f0: i64";
  for (u32 k = 1; k < 100; ++k) wide += ", f" + std::to_string(k) + ": i64";
  wide += ");\nfn f(w: W) -> i64 {\n";
  EXPECT_TRUE(compiled(wide + "var v = w\n" + repeated("v = W(..w)\n", 2'000) + "v.f99 }").ok);
  EXPECT_TRUE(compiled(wide + repeated("w.f99 +\n", 20'000) + "w.f0 }").ok);
  EXPECT_EQ(first(wide + "W(\n" + repeated("f1: 1,\n", 20'000) + ").f0 }"), "K0215 3:1");
  EXPECT_EQ(first(wide + "f(\n" + repeated("f1: 1,\n", 20'000) + ") }"), "K0217 4:1");
  std::string fields = "type W = W(\n";
  for (u32 k = 0; k < 20'000; ++k) fields += "f" + std::to_string(k) + ": i64,\n";
  EXPECT_EQ(first(fields + ");\nfn f(w: W) -> i64 { w.f19999 }"), "K0333 1:6");
}

std::string match_of(const std::string& parameters, const std::string& value,
                     const std::string& arms) {
  return "fn f(" + parameters + ") -> i64 { match " + value + " {\n" + arms + "} }";
}

TEST(BadInput, ManyArms) {
  std::string arms, bytes;
  for (u32 k = 0; k < 20'000; ++k)
    arms += std::to_string(k) + " => " + std::to_string(k % 7) + ",\n";
  for (u32 k = 0; k < 256; ++k) bytes += std::to_string(k) + " => 1,\n";
  const std::string negative = "-9223372036854775808..=-1 => 0,\n";
  EXPECT_EQ(first(match_of("n: i64", "n", negative + arms)).substr(0, 5), "K0342");
  EXPECT_TRUE(compiled(match_of("n: i64", "n", arms + "_ => 0")).ok);
  EXPECT_TRUE(compiled(match_of("n: u8", "n", bytes)).ok);
  EXPECT_EQ(first(match_of("n: u8", "n", bytes.substr(bytes.find('\n') + 1))).substr(0, 5),
            "K0341");
}

TEST(BadInput, ManyPatterns) {
  const std::string names = "(" + repeated("a,\n", 2'000) + ")";
  EXPECT_FALSE(compiled(match_of("n: i64", "n", names + " => 0")).ok);
  EXPECT_EQ(first(match_of("n: i64", "n", repeated("1 |\n", 20'000) + "2 => 0, _ => 1")),
            "K0343 20001:3");
  EXPECT_FALSE(compiled(match_of("n: i64", "n", repeated("a |\n", 2'000) + "a => 0")).ok);
  EXPECT_TRUE(compiled(match_of("n: i64", "n", repeated("1 |\n", 100) + "2 => 0, _ => 1")).ok);
  // Cases that double with each value: nobody can look at all.
  std::string parameters, values, arms;
  for (u32 k = 0; k < 40; ++k) {
    const std::string comma = k == 0 ? "" : ", ";
    parameters += comma + "p" + std::to_string(k) + ": bool";
    values += comma + "p" + std::to_string(k);
    for (const std::string value : {"true", "false"}) {
      arms += "(";
      for (u32 j = 0; j < 40; ++j)
        arms += j == k ? value + "," : j == (k + 7) % 40 ? "true," : "_,";
      arms += ") => 1,\n";
    }
  }
  EXPECT_TRUE(compiled(match_of(parameters, "(" + values + ")", arms + "_ => 0")).ok);
}

TEST(BadInput, MatchesInMatches) {
  std::string text = "fn f(n: i64) -> i64 { ";
  for (u32 k = 0; k < 60; ++k) text += "match n { 0 => 1, n => ";
  EXPECT_TRUE(compiled(text + "n" + repeated(" }", 60) + " }").ok);
  for (u32 k = 0; k < 1'000; ++k) text += "match n { 0 => 1, n => ";
  EXPECT_EQ(first(text + "n" + repeated(" }", 1'060) + " }").substr(0, 5), "K0101");
}

TEST(BadInput, ManyAlternatives) {
  std::string sum = "type S = A0";
  for (u32 k = 1; k < 255; ++k) sum += " | A" + std::to_string(k);
  EXPECT_TRUE(compiled("type C = X | Y;\nfn f(c: C) -> bool { c == X }").ok);
  EXPECT_EQ(first(sum + ";\nfn f(s: S) -> i64 { match s { A3 => 1, _ => 2 } }").substr(0, 5),
            "K0333");
  for (u32 k = 255; k < 20'000; ++k) sum += " |\nA" + std::to_string(k);
  EXPECT_EQ(first(sum + ";\nfn f(s: S) -> i64 { match s { A3 => 1, _ => 2 } }").substr(0, 5),
            "K0333");
  // Sums of sums, which double.
  std::string types = "type T0 = A | B(n: i64);\n";
  for (u32 k = 1; k < 40; ++k) {
    const std::string n = std::to_string(k), other = "T" + std::to_string(k - 1);
    types += "type T" + n + " = A" + n + "(a: " + other + ", b: " + other + ") | B" + n + ";\n";
  }
  EXPECT_EQ(first(types + "fn f(t: T39) -> i64 { 1 }").substr(0, 5), "K0333");
}

// What a sum's fields take is not among the codes that types are compared by.
TEST(BadInput, WideFieldsOfSums) {
  const std::string sixty = "(" + repeated("u8, ", 60) + ")",
                    many = "(" + repeated("u8, ", 200) + ")";
  std::string fields = "x: " + sixty, others = "y: u8";
  for (u32 k = 0; k < 59; ++k) {
    fields += ", x" + std::to_string(k) + ": u8";
    others += ", y" + std::to_string(k) + ": u8";
  }
  EXPECT_FALSE(compiled("type S = A(" + fields + ") | B(" + others + ");\nfn f(s: S) -> S { s }")
                   .diagnostics.empty());
  EXPECT_EQ(first("type S = A(x: " + many + ") | B;").substr(0, 5), "K0333");
  EXPECT_EQ(first("type S = A(x: Foo, y: i64) | B;\nfn f(s: S) -> i64 { match s { A(a, b) => b, B "
                  "=> 1 } }"),
            "K0203 1:15");
  EXPECT_TRUE(compiled("fn f() -> i64 { match ((),) { (a,) => 1 } }").ok);
  std::string sum = "type S = A0";
  for (u32 k = 1; k < 20'000; ++k) sum += "|\nA" + std::to_string(k);
  sum += ";\n";
  for (u32 k = 0; k < 2'000; ++k) sum += "type T" + std::to_string(k) + " = (S, S);\n";
  EXPECT_EQ(first(sum).substr(0, 5), "K0333");
}

TEST(BadInput, ManyNamesInPatterns) {
  std::string names;
  for (u32 k = 0; k < 10'000; ++k) names += "x" + std::to_string(k) + " |\n";
  EXPECT_FALSE(compiled(match_of("n: i64", "n", names + names + "y => 0")).ok);
  std::string arms;
  const std::string guard = "n > 0 && n < 100000 && n != 5 && n != 6 && n != 7 && n != 8";
  for (u32 k = 0; k < 1'000; ++k) arms += std::to_string(k) + " if " + guard + " => 1,\n";
  EXPECT_TRUE(compiled(match_of("n: i64", "n", arms + "_ => 0")).ok);
}

// The tests of a side of `|` are made again for each name that it binds.
TEST(BadInput, LongStringsBesideNames) {
  std::string arm;
  for (const char letter : {'a', 'b', 'c', 'd'})
    arm += std::string(arm.empty() ? "" : " | ") + "(\"" + std::string(34, letter) + "\", x)";
  const std::string match = "match t { " + arm + " => x, _ => 0 }";
  const std::string function = "fn f(t: (Bytes[40], i64)) -> i64 { " + match + " }";
  EXPECT_EQ(first(function), "K0343 1:176");
  const std::string start = "test \"t\" { assert traps({ let t: (Bytes[40], i64) = (\"\", 1); ";
  EXPECT_FALSE(compiled(start + match + " }, INDEX); }").ok);
}

// Their comparison is the most that one node makes.
TEST(BadInput, ComparedListsOfWideTuples) {
  const std::string pairs = repeated("i64, f64, ", 60);
  const std::string type = "type P = (" + pairs.substr(0, pairs.size() - 2) + ");\n";
  for (const char* const body : {"i64 { a.cmp(b) }", "bool { a[0..1] == b[0..1] }"}) {
    const std::string source = type + "fn f(a: List[P, 2], b: List[P, 2]) -> " + body;
    const frontend::Compilation program = compiled(source);
    EXPECT_TRUE(program.ok) << first_of(program, source);
    EXPECT_LT(program.code.instructions.size(), frontend::kMaxOwnCode);
  }
}

// What is too large to compare is refused before it makes more than a node may.
TEST(BadInput, OrdersOfWideValues) {
  for (const char* const parts : {"([Bytes[2]; 2], ", "([bool; 1], Bytes[2], i64, ",
                                  "([bool; 1], i64, f64, ", "(i64, f64, "}) {
    u32 sorted = 0;
    for (u32 times = 1; times < 64; times += 3) {
      const std::string wide = parts + repeated(std::string(parts).substr(1), times);
      const std::string type = "type P = " + wide.substr(0, wide.size() - 2) + ");\n";
      const auto refused_or_fits = [&](std::string_view f) {
        const frontend::Compilation program = compiled(type + std::string(f));
        EXPECT_TRUE(!program.ok || program.code.instructions.size() < frontend::kMaxOwnCode)
            << parts << times;
        return program.ok;
      };
      refused_or_fits("fn f(a: [P], b: [P]) -> i64 { cmp(a, b) }");
      sorted += refused_or_fits("fn f(a: [P; 2]) -> [P; 2] { a.sort_by(x => x) }");
    }
    EXPECT_GT(sorted, 1u) << parts;
    EXPECT_LT(sorted, 20u) << parts;
  }
}

// What a refinement of `assert(c, "message")` looks for need not be there.
TEST(BadInput, PiecesOfAssertions) {
  for (const char* const statement :
       {"assert();", "assert(,);", "assert(, \"x\");", "assert(n > 0,);",
        "assert (n > 0, \"x\", \"y\");", "assert(,,);", "assert ,;", "assert n > 0,;", "assert;"})
    EXPECT_FALSE(compiled("fn f(n: i64) -> i64 { " + std::string(statement) + " n }").ok)
        << statement;
}

TEST(BadInput, LongNamesAndNumbers) {
  const std::string name(60'000, 'n');
  EXPECT_TRUE(compiled("fn f(" + name + ": i64) -> i64 { 1 }").ok);
  EXPECT_EQ(first("fn f() -> i64 { " + std::string(60'000, '9') + " }"), "K0305 1:17");
}

}  // namespace
}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/repl/input_writer.h"

#include "gen/gen.h"
#include "repl/command_table.h"

namespace komuz::test {

namespace {

constexpr u32 kDepth = 4;

std::string operation(const std::string& left, std::string_view op, const std::string& right) {
  return "(" + left + " " + std::string(op) + " " + right + ")";
}

}  // namespace

std::string InputWriter::integer(u32 depth) {
  constexpr std::string_view kLeaves[] = {"0",     "1",     "7",   "-3",
                                          "n",     "k",     "it",  "9223372036854775807",
                                          "xs[0]", "xs[n]", "p.n", "s.len()"};
  constexpr std::string_view kOps[] = {"+", "-", "*", "/", "%", "&", "|", "<<", ">>", "**"};
  if (depth == 0) return one_of(kLeaves);
  switch (random_.below(9)) {
    case 0: return one_of(kLeaves);
    case 1: return "abs(" + integer(depth - 1) + ")";
    case 2: return "fact(" + integer(depth - 1) + ")";
    case 3: return "i64(" + real(depth - 1) + ")";
    case 4: return list(depth - 1) + ".sum()";
    case 5: return "{ let t = " + integer(depth - 1) + "; t * t }";
    case 6:
      return "if " + truth(depth - 1) + " { " + integer(depth - 1) + " } else { " +
             integer(depth - 1) + " }";
    case 7: return "match " + integer(depth - 1) + " { 1 => 2, m if m > 5 => m, _ => 0 }";
    default: return operation(integer(depth - 1), one_of(kOps), integer(depth - 1));
  }
}

std::string InputWriter::real(u32 depth) {
  constexpr std::string_view kLeaves[] = {"0.5", "1e300", "-2.0", "x", "it", "PI", "l[1]", "p.x"};
  constexpr std::string_view kOps[] = {"+", "-", "*", "/", "**", "%"};
  constexpr std::string_view kCalls[] = {"sqrt", "sin", "half", "exp", "log", "floor", "abs"};
  if (depth == 0) return one_of(kLeaves);
  switch (random_.below(7)) {
    case 0: return one_of(kLeaves);
    case 1: return "f64(" + integer(depth - 1) + ")";
    case 2: return of_record(depth - 1) + ".x";
    case 3: return "l.map(v => v * " + real(depth - 1) + ").sum()";
    case 4: return "Some(" + real(depth - 1) + ").or(" + real(depth - 1) + ")";
    case 5: return one_of(kCalls) + "(" + real(depth - 1) + ")";
    default: return operation(real(depth - 1), one_of(kOps), real(depth - 1));
  }
}

std::string InputWriter::truth(u32 depth) {
  constexpr std::string_view kLeaves[] = {"true", "false", "n > 3", "s == \"a word\""};
  constexpr std::string_view kComparisons[] = {"<", "<=", "==", "!=", ">", ">="};
  if (depth == 0) return one_of(kLeaves);
  switch (random_.below(4)) {
    case 0: return operation(real(depth - 1), one_of(kComparisons), real(depth - 1));
    case 1: return operation(truth(depth - 1), random_.one_in(2) ? "&&" : "||", truth(depth - 1));
    case 2: return "!" + truth(depth - 1);
    default: return operation(integer(depth - 1), one_of(kComparisons), integer(depth - 1));
  }
}

std::string InputWriter::list(u32 depth) {
  if (depth == 0) return random_.one_in(2) ? "xs" : "[3, 1, 2]";
  switch (random_.below(5)) {
    case 0: return "[" + integer(depth - 1) + ", " + integer(depth - 1) + "]";
    case 1: return list(depth - 1) + ".map(v => v + " + integer(depth - 1) + ").list(4)";
    case 2: return "xs.filter(v => v > " + integer(depth - 1) + ").list(3)";
    case 3: return "xs.sort_by(v => -v)";
    default: return "(0.." + std::to_string(random_.below(12)) + ").list(10)";
  }
}

std::string InputWriter::of_record(u32 depth) {
  if (depth == 0 || random_.one_in(3)) return "p";
  if (random_.one_in(2)) return "P(..p, n: " + integer(depth - 1) + ")";
  return "P(" + real(depth - 1) + ", " + integer(depth - 1) + ")";
}

std::string InputWriter::text() {
  constexpr std::string_view kTexts[] = {"\"\"", "\"é\"", "s", "\"a\\n\\\"b\"", "'x'"};
  return one_of(kTexts);
}

std::string InputWriter::expression() {
  const u32 depth = random_.below(kDepth + 1);
  constexpr std::string_view kOpen[] = {"None",
                                        "[]",
                                        "Some(None)",
                                        "[None, None]",
                                        "if n > 3 { None } else { Some([]) }",
                                        "Some(None).or(None)",
                                        "xs == (return 1)",
                                        "cmp(xs, [1])",
                                        "{ return 2 }",
                                        "[[], xs]"};
  switch (random_.below(9)) {
    case 8: return one_of(kOpen);
    case 0: return truth(depth);
    case 1: return list(depth);
    case 2: return of_record(depth);
    case 3: return text();
    case 4: return "(" + integer(depth / 2) + ", " + real(depth / 2) + ")";
    case 5: return random_.one_in(2) ? "Round(" + real(depth) + ")" : "Flat";
    case 6: return integer(depth);
    default: return real(depth);
  }
}

std::string InputWriter::statement() {
  constexpr std::string_view kTargets[] = {"k", "l[0]", "n", "it", "missing"};
  constexpr std::string_view kOps[] = {" = ", " += ", " *= "};
  switch (random_.below(8)) {
    case 0: return "k" + one_of(kOps) + integer(2);
    case 1: return "l.push(" + real(1) + ")";
    case 2: return one_of(kTargets) + one_of(kOps) + expression();
    case 3: return "for i in 0..5 { k += " + integer(1) + " }";
    case 4: return "while k > 0 limit 10 { k -= 1 }";
    case 5: return "let (a1, a2) = (" + integer(1) + ", " + real(1) + ")";
    case 6: return "assert " + truth(2);
    default: return "k += 1; " + expression();
  }
}

std::string InputWriter::hole() {
  switch (random_.below(5)) {
    case 0: return "?[" + real(1) + ", " + real(1) + "]";
    case 1: return "?c(0.5..=2.0, steps: " + std::to_string(random_.below(9)) + ")";
    case 2: return "?c[1.0, x, 2.0]";
    case 3: return "?e(" + real(1) + ")";
    default: return "?";
  }
}

std::string InputWriter::line_with_holes() {
  constexpr std::string_view kColumns[] = {"a", "b", "x"};
  std::string line = one_of(kColumns) + " * " + hole();
  for (u32 more = random_.below(3); more > 0; --more)
    line += (random_.one_in(2) ? " + " : " * ") + hole();
  return line;
}

std::string InputWriter::argument() {
  constexpr std::string_view kWords[] = {
      "#0",          "#1",       "#99",  "data.csv", "missing.csv",
      "saved.komuz", "none",     "all",  "exact",    "squared",
      "maximize",    "minimize", "r2",   "random",   "3",
      "12",          "half",     "sqrt", "out.json", "out.svg",
      "best.komuz",  "K0301",    "keys", "auto",     "(a: f64, b: f64)",
      "std.stats",   "0"};
  if (random_.one_in(4)) return expression();
  return one_of(kWords);
}

std::string InputWriter::command() {
  const std::span<const repl::CommandRow> rows = repl::CommandRow::all();
  const std::string name(random_.pick(rows).name);
  // These end the session, or take their time.
  if (name == "quit" || name == "edit" || name == "bench") return ":list";
  if (name == "search") return random_.one_in(2) ? ":search random 1" : ":search evolve 2";
  if (name == "cases" && random_.one_in(2)) return ":cases data.csv";
  std::string input = ":" + name;
  for (u32 k = random_.below(3); k > 0; --k) input += " " + argument();
  return input;
}

std::string InputWriter::item(u32 number) {
  const std::string own = std::to_string(number);
  switch (random_.below(6)) {
    case 0: return "const C" + own + ": i64 = " + std::to_string(random_.below(1000)) + ";";
    case 1: return "type T" + own + " = T" + own + "(a: i64, b: f64)";
    case 2:
      return "space s" + own + "(v: f64) -> f64 depth 1 { v, 1.0, s" + own + " * " +
             std::to_string(random_.below(10)) + ".5 }";
    case 3: return "/// Of several lines.\nfn f" + own + "(v: f64) -> f64 {\n    half(v) * 3.0\n}";
    case 4: return "use std.stats as m" + own + ";";
    default:
      return "pub fn f" + own + "(v: i64) -> i64 { v * " + std::to_string(random_.below(100)) +
             " }";
  }
}

std::string InputWriter::binding(u32 number) {
  return (random_.one_in(2) ? "let v" : "var v") + std::to_string(number) + " = " + expression();
}

std::string InputWriter::damaged(std::string input) {
  for (u32 k = 1 + random_.below(2); k > 0; --k)
    input = gen::mutate_source(input, random_.next(),
                               random_.one_in(2) ? gen::Mutation::Byte : gen::Mutation::Token);
  return input;
}

std::string InputWriter::any() {
  std::string input;
  switch (random_.below(10)) {
    case 0:
    case 1: input = statement(); break;
    case 2:
    case 3: input = line_with_holes(); break;
    case 4:
    case 5: input = command(); break;
    case 6: input = item(random_.below(4)); break;
    case 7: input = binding(random_.below(4)); break;
    default: input = expression(); break;
  }
  if (random_.one_in(5)) input = damaged(std::move(input));
  if (random_.one_in(50)) input = ":{\n" + input + "\n:}";
  return input;
}

}  // namespace komuz::test

// SPDX-License-Identifier: Apache-2.0
// The spaces of the standard library: each module finds something, and each space is one that a sketch may use.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"
#include "lang/standard_modules.h"
#include "mend/mend.h"

namespace komuz::engine {
namespace {

struct SpaceSearch {
  const char* name;
  const char* program;
  const char* cases;
  u32 target;  // cases that are right
};

constexpr SpaceSearch kSpaceSearches[] = {
    {"logic2",
     "use std.spaces.logic.{logic2};\npub fn f(a: bool, b: bool) -> bool { ?logic2(a, b) }\n",
     "a,b,expected\nfalse,false,false\nfalse,true,true\ntrue,false,true\ntrue,true,false\n", 4},
    {"parity4",
     "use std.spaces.logic.{parity4};\npub fn f(a: bool, b: bool, c: bool, d: bool) -> bool { "
     "?parity4(a, b, c, d) }\n",
     "a,b,c,d,expected\nfalse,false,false,true,true\nfalse,false,true,true,false\ntrue,true,true,"
     "false,true\n"
     "true,true,true,true,false\nfalse,true,false,false,true\nfalse,false,false,false,false\n",
     6},
    {"number", "use std.spaces.lists.{number};\npub fn f(xs: [i64]) -> i64 { ?number(xs) }\n",
     "xs,expected\n\"[1, 2, 3]\",14\n\"[]\",0\n\"[5]\",25\n\"[2, 2]\",8\n\"[-3, 1]\",10\n", 5},
    {"listed",
     "use std.spaces.lists.{listed};\npub fn f(xs: [i64]) -> List[i64, 256] { ?listed(xs) }\n",
     "xs,expected\n\"[1, 2, 3]\",\"[2, 4, 6]\"\n\"[]\",\"[]\"\n\"[5, -1]\",\"[10, -2]\"\n", 3},
    {"condition",
     "use std.spaces.text.{condition};\npub fn f(text: [u8]) -> bool { ?condition(text) }\n",
     "text,expected\n\"12\",true\n\"1a\",false\n\"x\",false\n\"2024\",true\n\"20 "
     "24\",false\n\"A1\",false\n",
     6},
    {"count", "use std.spaces.text.{count};\npub fn f(text: [u8]) -> i64 { ?count(text) }\n",
     "text,expected\n\"a1b2\",2\n\"xyz\",0\n\"2024\",4\n\"\",0\n\"a 1\",1\n", 5},
    {"read", "use std.spaces.bytes.{read};\npub fn f(text: [u8]) -> i64 { ?read(text) }\n",
     "text,expected\n\"12\",12\n\"7\",7\n\"2024\",2024\n\"007\",7\n\"365\",365\n", 5},
};

std::string first_message(const std::string& source, const Library& library) {
  frontend::Compiler compiler({.library = &library});
  frontend::Compilation out;
  compiler.compile(source, out);
  return out.diagnostics.empty()
             ? ""
             : diagnostic_message(out.diagnostics[0], out.text.empty() ? source : out.text);
}

TEST(StandardSpaces, FindWhatTheyAreFor) {
  for (const SpaceSearch& one : kSpaceSearches) {
    ModuleLoader modules;
    modules.load(one.program);
    const auto sketch = read_sketch(one.program, {.library = &modules.library()});
    ASSERT_TRUE(sketch) << one.name << ": " << first_message(one.program, modules.library());
    CasesTable cases;
    ASSERT_FALSE(read_csv_cases("cases.csv", one.cases, {}, cases)) << one.name;
    EvaluateOptions options;
    options.programs.sketch = &*sketch;
    options.programs.modules = &modules;
    options.machines.threads = 2;
    SearchOptions search;
    search.generations = 60;
    search.target = one.target;
    settle(sketch->plan, search, options);
    SearchCandidates candidates(sketch->source, sketch->plan, search);
    Results results;
    ASSERT_FALSE(evaluate(candidates, cases, options, results, &candidates)) << one.name;
    ASSERT_FALSE(results.ranking.empty()) << one.name;
    EXPECT_EQ(results.rows[results.ranking.front()].passed, one.target) << one.name << "\n"
                                                                        << results.best_source;
  }
}

// Each public space, with parameters of its types, is a sketch with variants.
TEST(StandardSpaces, AreSketches) {
  u32 spaces = 0;
  for (const StandardModule& module : standard_modules()) {
    constexpr std::string_view kHead = "pub space ";
    for (size_t at = module.text.find(kHead); at != std::string_view::npos;
         at = module.text.find(kHead, at + 1)) {
      const std::string_view head = module.text.substr(at + kHead.size());
      const size_t open = head.find('('), close = head.find(')'), depth = head.find(" depth");
      const std::string name(head.substr(0, open));
      std::string arguments;
      for (size_t k = open + 1; k < close;) {
        const size_t colon = head.find(':', k);
        arguments += (arguments.empty() ? "" : ", ") + std::string(head.substr(k, colon - k));
        k = std::min(head.find(',', colon), close);
        while (k < close && (head[k] == ',' || head[k] == ' ')) ++k;
      }
      const std::string source = "use std." + std::string(module.name) + ".{" + name +
                                 "};\npub fn f" + std::string(head.substr(open, depth - open)) +
                                 " { ?" + name + "(" + arguments + ") }\n";
      ModuleLoader modules;
      modules.load(source);
      const auto sketch = read_sketch(source, {.library = &modules.library()});
      ASSERT_TRUE(sketch) << source << first_message(source, modules.library());
      EXPECT_GT(sketch->plan.count().log2, 3.0) << source;
      Decisions decisions;
      u64 random = 1;
      ASSERT_TRUE(sketch->plan.draw(
          DrawKind::Narrow, [&] { return random *= 0x9E37'79B9'7F4A'7C15; }, decisions));
      ++spaces;
    }
  }
  EXPECT_GE(spaces, 20u);
}

}  // namespace
}  // namespace komuz::engine

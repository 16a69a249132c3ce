// SPDX-License-Identifier: Apache-2.0
// Every explanation exists, and its examples behave as they say.
#include "services/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/candidates/load_modules.h"
#include "engine/testing/run_tests.h"
#include "frontend_gpu/frontend.h"
#include "services/explanation_texts.h"
#include "services/format.h"
#include "tests/services/example_files.h"

namespace komuz::services {
namespace {

using Codes = std::set<std::string_view>;

constexpr std::string_view kHarness = "harness";

std::vector<Explanation> all() {
  std::vector<Explanation> found;
  for (const Topic& topic : explained_topics()) {
    const auto explanation = explain(topic.name);
    EXPECT_TRUE(explanation) << "write services/explanations/" << topic.name << ".md";
    if (explanation) found.push_back(*explanation);
  }
  return found;
}
bool is_trap(const Explanation& e) { return e.topic.kind == "trap"; }

void add(const std::vector<Diagnostic>& diagnostics, Codes& codes) {
  for (const Diagnostic& d : diagnostics) codes.insert(diagnostic_row(d.code()).code);
}
// For the program, and for the modules and the harness that it uses.
Codes codes_of(std::string_view example) {
  const std::vector<ExampleFile> files = files_of(written_out(example));
  const std::string& program = files.back().text;
  ExampleModules texts(files);
  engine::ModuleLoader modules(&texts);
  frontend::Options options{.examples = true, .library = &modules.library()};
  Codes codes;
  if (auto harness = texts.read(kHarness)) {
    options.harness = modules.load_harness(std::string(kHarness), std::move(*harness));
    options.harness_entry = "score";
  }
  modules.load(program);
  for (u32 k = 0; k < modules.library().size(); ++k) add(modules.library()[k].diagnostics, codes);
  if (options.harness != kNoModule && !modules.library()[options.harness].ok) return codes;
  frontend::Compilation compilation;
  frontend::Compiler(options).compile(program, compilation);
  add(compilation.diagnostics, codes);
  return codes;
}
// The traps in which the tests of a program end.
std::set<std::string_view> traps_of(std::string_view source) {
  frontend::Compiler compiler;
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  std::set<std::string_view> traps;
  for (const engine::TestResult& result : engine::run_tests(compilation.code.view()))
    traps.insert(trap_name(result.trap));
  return traps;
}

// Diagnostics without a known program, and why.
constexpr std::string_view kWithoutProgram[] = {
    "K0020",  // what a budget is met by depends on the budget
    "K0021",  // the same
    "K0499",  // a mistake of the compiler's own, which is mended where one is known
};

TEST(Explain, ThereIsATextForEachDiagnosticAndTrap) {
  EXPECT_EQ(all().size(), explained_topics().size());
  EXPECT_EQ(explanation_texts().size(), explained_topics().size()) << "a file explains nothing";
}

TEST(Explain, EachHasTextAndARightExample) {
  for (const Explanation& e : all()) {
    EXPECT_GT(e.text.size(), 20u) << e.topic.name;
    EXPECT_FALSE(e.right.source.empty()) << e.topic.name;
  }
}

TEST(Explain, WrongExamplesGiveTheirDiagnosticAlone) {
  for (const Explanation& e : all()) {
    if (is_trap(e) || e.wrong.is_later || e.wrong.source.empty()) continue;
    Codes wanted{e.topic.name};
    wanted.insert(e.wrong.beside.begin(), e.wrong.beside.end());
    EXPECT_EQ(codes_of(e.wrong.source), wanted) << e.topic.name;
  }
}

TEST(Explain, WhatHasNoWrongExampleIsListed) {
  Codes without;
  for (const Explanation& e : all())
    if (e.wrong.source.empty()) without.insert(e.topic.name);
  EXPECT_EQ(without, Codes(std::begin(kWithoutProgram), std::end(kWithoutProgram)));
}

TEST(Explain, MarksStandForBytesAndForTextThatIsRepeated) {
  EXPECT_EQ(written_out("a⟨FF⟩b⟨00⟩"), std::string("a\xFF"
                                                   "b\0",
                                                   4));
  EXPECT_EQ(written_out("(⟨3 × p#, ⟩)\n"), "(p1, p2, p3, )\n");
  EXPECT_EQ(written_out("T0\n⟨2 × T# T##;⟩\nT\n"), "T0\nT1 T0;\nT2 T1;\nT\n");
  EXPECT_EQ(written_out("{\n  ⟨2 × x⟩\n}\n"), "{\n  x\n  x\n}\n");
  for (const char* const none : {"⟨⟩", "⟨F⟩", "⟨FFF⟩", "⟨x × y⟩", "⟨3x × y⟩", "⟨3 × y"})
    EXPECT_EQ(written_out(none), none);
}

TEST(Explain, MarksAreOfOneOfTheirForms) {
  for (const Explanation& e : all())
    for (const Example& example : {e.wrong, e.right})
      EXPECT_EQ(written_out(example.source).find("⟨"), std::string::npos) << e.topic.name;
}

TEST(Explain, RightExamplesAreRightAndFormatted) {
  frontend::Compiler compiler;
  for (const Explanation& e : all()) {
    const Codes codes = e.right.is_later ? Codes{} : codes_of(e.right.source);
    EXPECT_EQ(codes, Codes{}) << e.topic.name;
    for (const ExampleFile& file : files_of(written_out(e.right.source)))
      EXPECT_EQ(format(compiler, file.text).text, file.text) << e.topic.name;
  }
}

TEST(Explain, WhatIsMarkedAsLaterIsNotSupportedYet) {
  for (const Explanation& e : all())
    for (const Example& example : {e.wrong, e.right})
      EXPECT_TRUE(!example.is_later || codes_of(example.source).contains("K0115"))
          << e.topic.name << ": remove the mark `later`";
}

TEST(Explain, TrapsAreThoseOfTheExamples) {
  for (const Explanation& e : all()) {
    if (!is_trap(e) || e.wrong.is_later) continue;
    EXPECT_EQ(traps_of(e.wrong.source), Codes{e.topic.name});
    EXPECT_EQ(traps_of(e.right.source), Codes{trap_name(Trap::None)}) << e.topic.name;
  }
}

TEST(Explain, WhatHasNoExampleIsDescribed) {
  for (const Explanation& e : all())
    EXPECT_EQ(e.wrong.source.empty(), e.text.find("\nWrong: ") != std::string::npos)
        << e.topic.name;
}

TEST(Explain, NamesMayBeWrittenSmall) {
  ASSERT_TRUE(explain("k0401"));
  EXPECT_EQ(explain("k0401")->topic.name, "K0401");
  EXPECT_TRUE(explain("div_zero"));
  EXPECT_FALSE(explain("K9999"));
  for (const char* const number : {"401", "0401", "k401", "K401"}) {
    ASSERT_TRUE(explain(number)) << number;
    EXPECT_EQ(explain(number)->topic.name, "K0401");
  }
  for (const char* const other : {"", "k", "00401", "4O1", "K-401"})
    EXPECT_FALSE(explain(other)) << other;
}

TEST(Explain, OnlyNearNamesAreSuggested) {
  const auto suggests = [](std::string_view name) {
    return !unknown_topic(name, "; no other").ends_with("no other");
  };
  for (const std::string_view name : {"OVERFLW", "divzero", "hol", "K0305x", "hoel"})
    EXPECT_TRUE(suggests(name)) << name;
  for (const std::string_view name : {"nope", "fool", "x", ""})
    EXPECT_FALSE(suggests(name)) << name;
}

TEST(Explain, WordsFindWhatSpeaksOfThem) {
  const auto found = [](std::vector<std::string_view> words) {
    std::vector<std::string_view> names;
    for (const Explanation& e : explanations_about(words)) names.push_back(e.topic.name);
    return names;
  };
  const auto finds = [&](std::vector<std::string_view> words, std::string_view name) {
    return std::ranges::count(found(std::move(words)), name) == 1;
  };
  EXPECT_TRUE(finds({"DIVISION", "zero"}, "DIV_ZERO"));
  EXPECT_TRUE(finds({"zero  division\n"}, "DIV_ZERO"));
  EXPECT_TRUE(finds({"div"}, "DIV_ZERO"));
  EXPECT_TRUE(finds({"recursi"}, "K0401"));
  EXPECT_FALSE(finds({"ivision"}, "DIV_ZERO")) << "words are found by how they begin";
  EXPECT_FALSE(finds({"division", "recursion"}, "DIV_ZERO")) << "all of them have to be there";
  EXPECT_TRUE(found({}).empty());
  EXPECT_TRUE(found({"", " "}).empty());
  EXPECT_TRUE(found({"K0305x"}).empty());
}

TEST(Explain, NamesComeBeforeWords) {
  const auto found = [](std::vector<std::string_view> names) { return find_explanations(names); };
  const Explained both = found({"K0401", "div_zero"});
  ASSERT_EQ(both.explanations.size(), 2u);
  EXPECT_EQ(both.explanations[1].topic.name, "DIV_ZERO");
  EXPECT_FALSE(both.is_list || both.unknown);

  const Explained one_unknown = found({"K0401", "closed"});
  EXPECT_EQ(one_unknown.explanations.size(), 1u);
  EXPECT_EQ(one_unknown.unknown, "closed");

  const Explained by_words = found({"closed", "bracket"});
  EXPECT_TRUE(by_words.is_list && !by_words.explanations.empty() && !by_words.unknown);
  const Explained nothing = found({"closed", "zzzz"});
  EXPECT_TRUE(nothing.is_list && nothing.explanations.empty());
  EXPECT_EQ(nothing.unknown, "closed");
}

TEST(Explain, MessagesShowWhatAProgramFillsIn) {
  EXPECT_EQ(explain("K0203")->topic.message, "there is no type `…`");
  EXPECT_EQ(explain("K0301")->topic.message, "expected …, found …");
  EXPECT_EQ(explain("K0146")->topic.message, "what `…` runs stands in braces: `{ … }`");
}

TEST(Explain, APageSaysWhatItsMarksStandFor) {
  const auto shows = [](std::string_view code, std::string_view line) {
    return render_explanation(*explain(code)).find(line) != std::string::npos;
  };
  EXPECT_TRUE(shows("K0003", "\nWrong, where ⟨FF⟩ is the byte FF:\n    test \"⟨FC⟩\""));
  EXPECT_TRUE(shows("K0140", "\nWrong, where ⟨9 × …⟩ is 9 times the text:\n    ⟨2097153 × ;⟩\n"));
  EXPECT_TRUE(shows("K0193", "\nWrong, where ⟨9 × …⟩ is 9 times the text:\n"));
  EXPECT_TRUE(
      shows("K0131",
            "\nWrong, where ⟨9 × …⟩ is 9 times the text, # the number of each:\n    ⟨4097 × fn"));
  EXPECT_TRUE(shows("K0203", "\nWrong:\n"));
}

TEST(Explain, AsJson) {
  const auto object = explanation_json(*explain("K0203"));
  EXPECT_EQ(object["name"], "K0203");
  EXPECT_EQ(object["kind"], "error");
  EXPECT_EQ(object["wrong"], "fn f(x: real) -> f64 { 1.0 }\n");
  EXPECT_EQ(object["text"].get<std::string>().find('\n'), std::string::npos);
  EXPECT_EQ(explanation_json(*explain("K0131"))["wrong"], "⟨4097 × fn g#() -> i64 { # }⟩\n");
  EXPECT_TRUE(explanation_json(*explain("K0499"))["wrong"].is_null());
}

}  // namespace
}  // namespace komuz::services

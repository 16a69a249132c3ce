// SPDX-License-Identifier: Apache-2.0
// VS Code's grammar and its language configuration. A grammar of TextMate is tried rule by rule at each place of a
// line: the first rule that matches there wins.
#include <nlohmann/json.hpp>

#include "tests/editors/grammars.h"
#include "tests/editors/patterns.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

using Json = nlohmann::ordered_json;

Json rule(const std::string& scope, const std::string& pattern) {
  return Json{{"name", scope + ".komuz"}, {"match", pattern}};
}
Json include(const char* name) { return Json{{"include", std::string("#") + name}}; }

Json comments() {
  Json example = {{"match", R"((///)(\s*>>>)(.*)$)"},
                  {"name", "comment.line.documentation.komuz"},
                  {"captures",
                   {{"1", {{"name", "punctuation.definition.comment.komuz"}}},
                    {"2", {{"name", "markup.raw.komuz"}}},
                    {"3", {{"name", "markup.raw.komuz"}}}}}};
  return Json::array({std::move(example), rule("comment.line.documentation", "//[/!].*$"),
                      rule("comment.line.double-slash", "//.*$")});
}

Json strings() {
  Json string = {{"name", "string.quoted.double.komuz"},
                 {"begin", "\""},
                 {"end", "\"|$"},
                 {"patterns", Json::array({rule("constant.character.escape", R"(\\.)")})}};
  Json character = rule("string.quoted.single", kCharacter);
  return Json::array({std::move(string), std::move(character)});
}

Json keywords() {
  const Words& w = words();
  // `fn name` shows what is defined, also where a built-in function has the name.
  const Json function = {
      {"match", R"(\b(fn)\b(?:\s+(?!)" + any_word(w.types) + R"()([a-z_][0-9A-Za-z_]*))?)"},
      {"captures",
       {{"1", {{"name", "keyword.declaration.komuz"}}},
        {"2", {{"name", "entity.name.function.komuz"}}}}}};
  return Json::array({function, rule("keyword.declaration", any_word(w.items)),
                      rule("keyword.declaration", naming_word()),
                      rule("keyword.declaration", claiming_word()),
                      rule("storage.type", any_word(w.declarations)),
                      rule("keyword.control", any_word(together({w.statements, w.control}))),
                      rule("keyword.control", in_word()), rule("keyword.other", bound_word()),
                      rule("constant.language", any_word(w.values))});
}

Json names() {
  const Words& w = words();
  const auto called = [](const WordList& list) { return any_word(list) + R"((?=\s*\())"; };
  return Json::array(
      {rule("support.type", any_word(w.types)), rule("support.constant", any_word(w.constants)),
       rule("support.class", any_word(w.constructors)), rule("entity.name.type", kTypeName),
       rule("support.function", R"((?<![.\w]))" + called(w.functions)),
       rule("support.function", R"((?<=\.))" + called(together({w.functions, w.methods}))),
       rule("entity.name.function.call", kCalledName)});
}

Json numbers() {
  return Json::array({rule("constant.numeric.integer", kPartNumber),
                      rule("constant.numeric.integer", kRadixNumber),
                      rule("constant.numeric.float", kFloatNumber),
                      rule("constant.numeric.integer", kWholeNumber)});
}

std::string operator_choice() {
  std::string pattern;
  for (const std::string_view spelling : words().operators)
    pattern += (pattern.empty() ? "" : "|") + escaped(spelling);
  return pattern;
}

}  // namespace

std::string textmate_grammar() {
  const Json patterns =
      Json::array({include("comments"), include("strings"), include("holes"), include("keywords"),
                   include("names"), include("numbers"), include("operators")});
  const auto part = [](Json list) { return Json{{"patterns", std::move(list)}}; };
  const Json grammar = {
      {"$schema", "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json"},
      {"name", "Komuz"},
      {"scopeName", "source.komuz"},
      {"fileTypes", {"komuz"}},
      {"patterns", patterns},
      {"repository",
       {{"comments", part(comments())},
        {"strings", part(strings())},
        {"holes", part(Json::array({rule("entity.name.function.preprocessor.hole", kHole)}))},
        {"keywords", part(keywords())},
        {"names", part(names())},
        {"numbers", part(numbers())},
        {"operators", part(Json::array({rule("keyword.operator", operator_choice()),
                                        rule("punctuation.separator", "[,;]"),
                                        rule("punctuation.section", R"([()\[\]{}])")}))}}}};
  return grammar.dump(2) + "\n";
}

std::string vscode_configuration() {
  const Json pairs =
      Json::array({Json::array({"{", "}"}), Json::array({"[", "]"}), Json::array({"(", ")"})});
  Json closing = Json::array();
  for (const Json& pair : pairs) closing.push_back({{"open", pair[0]}, {"close", pair[1]}});
  for (const char* quote : {"\"", "'"})
    closing.push_back({{"open", quote}, {"close", quote}, {"notIn", {"string", "comment"}}});
  Json around = pairs;
  around.push_back(Json::array({"\"", "\""}));
  around.push_back(Json::array({"'", "'"}));
  const auto goes_on = [](const char* mark, const char* typed) {
    return Json{{"beforeText", std::string(R"(^\s*)") + mark + ".*$"},
                {"action", {{"indent", "none"}, {"appendText", typed}}}};
  };
  const Json configuration = {
      {"comments", {{"lineComment", "//"}}},
      {"brackets", pairs},
      {"autoClosingPairs", closing},
      {"surroundingPairs", around},
      {"autoCloseBefore", ";:.,=}])> \n\t"},
      {"wordPattern", R"(\??[A-Za-z_][0-9A-Za-z_]*|[0-9][0-9A-Za-z_]*)"},
      {"indentationRules",
       {{"increaseIndentPattern", R"(^(?!\s*//).*[{(\[]\s*(?://.*)?$)"},
        {"decreaseIndentPattern", R"(^\s*[})\]])"}}},
      {"onEnterRules", Json::array({goes_on("///", "/// "), goes_on("//!", "//! ")})}};
  return configuration.dump(2) + "\n";
}

}  // namespace komuz::editors
